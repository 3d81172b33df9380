"""The records, by their names."""

import importlib

NAMES = (
    "paths",
    "benches",
    "signs",
    "trees",
    "bridges",
    "rounds",
    "bins",
    "gates",
    "ponds",
    "tools",
)


def store_of(name):
    """The store of a kind of records. Raises KeyError."""
    if name not in NAMES:
        raise KeyError(name)
    return getattr(importlib.import_module(f"rangers.records.{name}"), name.upper())


def table_of(name, records):
    """Lines of a table of records."""
    module = importlib.import_module(f"rangers.lists.{name}")
    return getattr(module, f"table_of_{name}")(records)
