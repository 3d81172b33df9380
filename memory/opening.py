"""The way to the memory: which backend it is, is decided here."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from mind_skills.memory.embedding import Extras
from mind_skills.memory.following import Following
from mind_skills.memory.records import Records
from mind_skills.memory.sqlite_store import SqliteMemoryStore
from mind_skills.memory.storage import SemanticMemoryStore
from mind_skills.memory.tables import PACKAGE, STEPS
from mind_skills.store.database import Database

DEFAULT = "the default: nothing else is asked for"


@contextmanager
def opened(home: str, root: str = "", extras: Extras | None = None) -> Generator[SemanticMemoryStore]:
    """The memory of the state folder ``home``, as it is used in the project whose folder is ``root``.

    ``extras`` are used where they are installed and usable, which takes seconds to import: hooks name none.

    Raises StoreError where the state database cannot be opened.
    """
    with Database.open(home, PACKAGE, STEPS) as database, backend(home, root, Records(database), extras) as store:
        yield store


@contextmanager
def backend(home: str, root: str, records: Records, extras: Extras | None = None) -> Generator[SemanticMemoryStore]:
    """The backend over these records: the default one, unless ``extras`` are wanted and there."""
    following = Following(home, records)
    try:
        if extras is None:
            yield SqliteMemoryStore(records, following, DEFAULT)
        else:
            from mind_skills.memory.embedding_choice import chosen

            with chosen(home, root, extras, records, following) as store:
                yield store
    finally:
        following.close()
