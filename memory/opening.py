"""The way to the memory: which backend it is, is decided here."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, contextmanager

from mind_skills.memory.encoders import Extras
from mind_skills.memory.following import IndexFollower, Progress, show_nothing
from mind_skills.memory.records import PACKAGE, STEPS, Records
from mind_skills.memory.store import SemanticMemoryStore
from mind_skills.store.database import Database


@contextmanager
def open_memory(
    home: str, root: str = "", extras: Extras | None = None, progress: Progress = show_nothing
) -> Generator[SemanticMemoryStore]:
    """The memory of the state folder ``home``, as it is used in the project whose folder is ``root``.

    ``extras`` are used where they are installed and usable, which takes seconds to import: hooks name none. ``progress``
    is for what has to be built while a question waits. Raises StoreError where the state database cannot be opened.
    """
    with _open_index(home, progress) as (records, following):
        if extras is None:
            yield SemanticMemoryStore(records, following, "the default: nothing else is asked for")
        else:
            from mind_skills.memory.vector_store import open_best

            with open_best(home, root, extras, records, following) as store:
                yield store


def refresh_index(home: str) -> bool:
    """Do for the index what the next question would wait for or do without; for a process that nobody waits for.

    Says whether it was built anew. Raises StoreError.
    """
    with _open_index(home) as (_, following):
        return following.refresh()


def renew_index(home: str) -> None:
    """Have no index that holds what the records do not hold any more; see IndexFollower.renew. Raises StoreError."""
    with _open_index(home) as (_, following):
        following.renew()


@contextmanager
def _open_index(home: str, progress: Progress = show_nothing) -> Generator[tuple[Records, IndexFollower]]:
    with Database.open(home, PACKAGE, STEPS) as database:
        records = Records(database)
        with closing(IndexFollower(home, records, progress)) as following:
            yield records, following
