"""The records, by their names."""

import importlib

NAMES = (
    "books",
    "reports",
    "blocks",
    "mails",
    "pictures",
    "servers",
    "backups",
    "feeds",
    "themes",
    "outages",
    "badges",
    "terms",
)


def store_of(name):
    """The store of a kind of records. Raises KeyError."""
    if name not in NAMES:
        raise KeyError(name)
    return getattr(importlib.import_module(f"archive.model.{name}"), name.upper())


def table_of(name, records):
    """Lines of a table of records."""
    module = importlib.import_module(f"archive.queries.{name}")
    return getattr(module, f"table_of_{name}")(records)
