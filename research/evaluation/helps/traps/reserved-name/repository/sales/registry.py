"""The records, by their names."""

import importlib

NAMES = (
    "customers",
    "lots",
    "tills",
    "days",
    "refunds",
    "vouchers",
    "routes",
    "suppliers",
    "shifts",
    "promos",
    "counts",
)


def store_of(name):
    """The store of a kind of records. Raises KeyError."""
    if name not in NAMES:
        raise KeyError(name)
    return getattr(importlib.import_module(f"sales.entities.{name}"), name.upper())


def table_of(name, records):
    """Lines of a table of records."""
    module = importlib.import_module(f"sales.summaries.{name}")
    return getattr(module, f"table_of_{name}")(records)
