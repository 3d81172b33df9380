"""The memory: the documents' `SemanticMemoryStore`, which finds records by meaning.

The default backend keeps records in the state database and an index in a file beside it: nothing to install, no model.
With the extras it is a vector_store.py over the same records.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial

from mind_skills.errors import StoreError
from mind_skills.memory.encoders import Extras
from mind_skills.memory.following import IndexFollower, Progress, Step, show_nothing
from mind_skills.memory.index import Index
from mind_skills.memory.model import Health, Hit, Record
from mind_skills.memory.ranking import CANDIDATES, score_records
from mind_skills.memory.records import PACKAGE, STEPS, Records
from mind_skills.store.database import Database

ENCODER = "lexicon and hashed n-grams"
OLDER = (
    "The index knows an older lexicon, and finds less than it could until it is built anew: mind-skills memory rebuild"
)
MOST = 1_000
"""Records that one question brings at most."""
Trust = Callable[[Record], float]
"""What maturity and decay make of a record's score; 0 leaves it out (deprecated)."""


def trust_all(record: Record) -> float:
    """The trust where nothing is known of any record."""
    return 1.0


class SemanticMemoryStore:
    """Records found by full text, concepts and the pieces of their words. Every method may raise StoreError."""

    def __init__(self, records: Records, following: IndexFollower, reason: str) -> None:
        """``reason`` is why this backend was taken, for ``health``."""
        self.records = records
        self._following = following
        self._reason = reason

    def store(self, record: Record) -> None:
        """Keep a record in place of the one that has its id, cleaned, redacted and bounded. Indexes follow at the next question."""
        self.records.put([record])

    def store_all(self, records: Iterable[Record]) -> int:
        """Keep many in one step, all or none; says how many."""
        return self.records.put(records)

    def query(
        self,
        text: str,
        limit: int = 5,
        threshold: float = 0.0,
        *,
        project: str = "",
        trust: Trust = trust_all,
        untrusted: bool = False,
    ) -> Sequence[Hit]:
        """The records nearest in meaning to ``text``, best first, at most ``limit``, none that scores below ``threshold``.

        The score that the threshold is held against is the likeness, 0 to 1, times the trust. ``project`` limits them to
        a project's and to those of none; empty asks all. ``untrusted`` brings those in quarantine as well. Any text will
        do: of any length, of control characters, of the syntax of a query language.
        """
        limit = min(limit, MOST)
        if limit < 1:
            return []

        def find(most: int) -> Mapping[int, float]:
            return self.find_similar(text, project, untrusted=untrusted, most=most)

        return self._collect(find, limit, max(CANDIDATES, 2 * limit), threshold, project, trust, untrusted=untrusted)

    def find_similar(self, text: str, project: str, *, untrusted: bool, most: int) -> dict[int, float]:
        """The records nearest to a question, by number, each with its likeness: above 0, at most 1."""
        return self._following.ask(partial(score_records, text=text, project=project, untrusted=untrusted, most=most))

    def _collect(
        self,
        find: Callable[[int], Mapping[int, float]],
        limit: int,
        most: int,
        threshold: float,
        project: str,
        trust: Trust,
        *,
        untrusted: bool,
    ) -> list[Hit]:
        """The best ``limit`` of the ``most`` records that ``find`` brings, as far as they are in scope and trusted.

        Where so much is left out that too few remain, more are looked at.
        """
        while True:
            near = find(most)
            likeness = {n: min(1.0, score) for n, score in near.items() if score > 0}
            hits = [
                Hit(record, likeness[n] * trust(record))
                for n, record in sorted(self.records.by_number(likeness).items())
                if (untrusted or not record.quarantined) and (not project or record.project in ("", project))
            ]
            hits = sorted((hit for hit in hits if hit.score > 0 and hit.score >= threshold), key=lambda hit: -hit.score)
            if len(hits) >= limit or len(near) < most or most >= 4 * MOST:
                return hits[:limit]
            most *= 4

    def get(self, record_id: str) -> Record | None:
        return self.records.get(record_id)

    def all(self) -> Sequence[Record]:
        """Every record, in the order in which they first came."""
        return list(self.records.all())

    def remove(self, record_id: str) -> None:
        """Forget a record; harmless where there is none."""
        self.records.remove([record_id])

    def health(self) -> Health:
        """Whether it works, how much it holds, where, and by which encoder. Never raises."""
        try:
            count = self.records.count()
            self._following.ask(Index.check)
        except StoreError as error:
            return Health(False, 0, self.records.path, ENCODER, str(error))
        reason = f"{self._reason}; {self.advice}" if self.advice else self._reason
        return Health(True, count, self.records.path, ENCODER, reason)

    @property
    def advice(self) -> str:
        """What would make its answers better than the last one was, in a sentence for a person; usually empty."""
        return OLDER if self._following.older else ""

    @property
    def stages(self) -> int:
        """How often ``rebuild`` calls its step for a record, at most."""
        return 1

    def rebuild(self, step: Step | None = None) -> int:
        """Build the index anew from the records; ``step`` is called after each. Says how many it holds.

        Until it is whole, and where it fails or is interrupted, the old one stays in use.
        """
        return self._following.rebuild(step)


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
