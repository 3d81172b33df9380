"""The way to the memory: which backend it is, is decided here."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from mind_skills.memory.encoders import Extras
from mind_skills.memory.following import Following, Progress, unseen
from mind_skills.memory.records import PACKAGE, STEPS, Records
from mind_skills.memory.store import SemanticMemoryStore
from mind_skills.store.database import Database

DEFAULT = "the default: nothing else is asked for"


@contextmanager
def opened(
    home: str, root: str = "", extras: Extras | None = None, progress: Progress = unseen
) -> Generator[SemanticMemoryStore]:
    """The memory of the state folder ``home``, as it is used in the project whose folder is ``root``.

    ``extras`` are used where they are installed and usable, which takes seconds to import: hooks name none. ``progress``
    is for what has to be built while a question waits.

    Raises StoreError where the state database cannot be opened.
    """
    with (
        Database.open(home, PACKAGE, STEPS) as database,
        backend(home, root, Records(database), extras, progress) as store,
    ):
        yield store


def refresh(home: str) -> bool:
    """Do for the index what the next question would wait for or do without; for a process that nobody waits for.

    Says whether it was built anew. Raises StoreError.
    """
    with Database.open(home, PACKAGE, STEPS) as database:
        following = Following(home, Records(database))
        try:
            return following.refresh()
        finally:
            following.close()


def renew(home: str) -> None:
    """Have no index that holds what the records do not hold any more; see memory/following.py. Raises StoreError."""
    with Database.open(home, PACKAGE, STEPS) as database:
        following = Following(home, Records(database))
        try:
            following.renew()
        finally:
            following.close()


@contextmanager
def backend(
    home: str, root: str, records: Records, extras: Extras | None = None, progress: Progress = unseen
) -> Generator[SemanticMemoryStore]:
    """The backend over these records: the default one, unless ``extras`` are wanted and there."""
    following = Following(home, records, progress)
    try:
        if extras is None:
            yield SemanticMemoryStore(records, following, DEFAULT)
        else:
            from mind_skills.memory.vector_store import open_best

            with open_best(home, root, extras, records, following) as store:
                yield store
    finally:
        following.close()
