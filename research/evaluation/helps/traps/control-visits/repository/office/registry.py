"""The records, by their names."""

import importlib

NAMES = (
    "pages",
    "domains",
    "mails",
    "servers",
    "backups",
    "certs",
    "outages",
    "links",
    "forms",
    "files",
)


def store_of(name):
    """The store of a kind of records. Raises KeyError."""
    if name not in NAMES:
        raise KeyError(name)
    return getattr(importlib.import_module(f"office.model.{name}"), name.upper())


def table_of(name, records):
    """Lines of a table of records."""
    module = importlib.import_module(f"office.queries.{name}")
    return getattr(module, f"table_of_{name}")(records)
