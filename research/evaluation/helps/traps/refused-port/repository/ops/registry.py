"""The records, by their names."""

import importlib

NAMES = (
    "hosts",
    "calls",
    "keys",
    "incidents",
    "deploys",
    "disks",
    "alerts",
    "domains",
    "quotas",
)


def store_of(name):
    """The store of a kind of records. Raises KeyError."""
    if name not in NAMES:
        raise KeyError(name)
    return getattr(importlib.import_module(f"ops.model.{name}"), name.upper())


def table_of(name, records):
    """Lines of a table of records."""
    module = importlib.import_module(f"ops.queries.{name}")
    return getattr(module, f"table_of_{name}")(records)
