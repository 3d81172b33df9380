"""The records, by their names."""

import importlib

NAMES = (
    "branches",
    "vans",
    "claims",
    "scales",
    "sacks",
    "pickups",
    "partners",
    "stamps",
    "delays",
    "lockers",
)


def store_of(name):
    """The store of a kind of records. Raises KeyError."""
    if name not in NAMES:
        raise KeyError(name)
    return getattr(importlib.import_module(f"depot.entities.{name}"), name.upper())


def table_of(name, records):
    """Lines of a table of records."""
    module = importlib.import_module(f"depot.summaries.{name}")
    return getattr(module, f"table_of_{name}")(records)
