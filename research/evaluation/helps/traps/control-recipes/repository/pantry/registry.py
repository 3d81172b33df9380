"""The records, by their names."""

import importlib

NAMES = (
    "jars",
    "purchases",
    "guests",
    "herbs",
    "pans",
    "wastes",
    "sourdoughs",
    "knives",
    "menus",
    "cellar",
)


def store_of(name):
    """The store of a kind of records. Raises KeyError."""
    if name not in NAMES:
        raise KeyError(name)
    return getattr(importlib.import_module(f"pantry.model.{name}"), name.upper())


def table_of(name, records):
    """Lines of a table of records."""
    module = importlib.import_module(f"pantry.queries.{name}")
    return getattr(module, f"table_of_{name}")(records)
