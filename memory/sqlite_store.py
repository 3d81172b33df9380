"""The default backend: records in the state database, an index in a file beside it. Nothing to install, no model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from mind_skills.errors import StoreError
from mind_skills.memory.following import Following
from mind_skills.memory.index import Index
from mind_skills.memory.model import Health, Hit, Record
from mind_skills.memory.ranking import CANDIDATES, likeness
from mind_skills.memory.records import Records
from mind_skills.memory.storage import Trust, neutral

ENCODER = "lexicon and hashed n-grams"
OLDER = (
    "The index knows an older lexicon, and finds less than it could until it is built anew: mind-skills memory rebuild"
)
MOST = 1_000
"""Records that one question brings at most."""


class SqliteMemoryStore:
    """Records found by full text, concepts and the pieces of their words."""

    stages = 1

    def __init__(self, records: Records, following: Following, reason: str) -> None:
        """``reason`` is why this backend was taken, for ``health``."""
        self.records = records
        self._following = following
        self._reason = reason

    def store(self, record: Record) -> None:
        """Keep a record in place of the one that has its id. The index follows at the next question."""
        self.records.put([record])

    def store_all(self, records: Iterable[Record]) -> int:
        """Keep many in one step."""
        return self.records.put(records)

    def query(
        self,
        text: str,
        limit: int = 5,
        threshold: float = 0.0,
        *,
        project: str = "",
        trust: Trust = neutral,
        untrusted: bool = False,
    ) -> Sequence[Hit]:
        """The records nearest in meaning; see storage.py."""
        limit = min(limit, MOST)
        if limit < 1:
            return []
        most = max(CANDIDATES, 2 * limit)
        while True:
            near = self.near(text, project, untrusted=untrusted, most=most)
            hits = self._trusted(near, trust, threshold)
            # Where so much is not trusted that too little is left, there may be more behind it.
            if len(hits) >= limit or len(near) < most or most >= 4 * MOST:
                return hits[:limit]
            most *= 4

    def near(self, text: str, project: str, *, untrusted: bool, most: int) -> dict[int, float]:
        """The records nearest to a question, by number, each with its likeness: above 0, at most 1. Raises StoreError."""
        return self._following.ask(partial(likeness, text=text, project=project, untrusted=untrusted, most=most))

    def _trusted(self, near: dict[int, float], trust: Trust, threshold: float) -> list[Hit]:
        records = self.records.by_number(near)
        hits = [Hit(record, near[n] * trust(record)) for n, record in sorted(records.items())]
        kept = [hit for hit in hits if hit.score > 0 and hit.score >= threshold]
        return sorted(kept, key=lambda hit: -hit.score)

    def get(self, record_id: str) -> Record | None:
        """The record of that id."""
        return self.records.get(record_id)

    def all(self) -> Sequence[Record]:
        """Every record, in the order in which they first came."""
        return list(self.records.all())

    def remove(self, record_id: str) -> None:
        """Forget a record; harmless where there is none."""
        self.records.remove([record_id])

    def health(self) -> Health:
        """Whether it works. Never raises."""
        try:
            count = self.records.count()
            self._following.ask(Index.check)
        except StoreError as error:
            return Health(False, 0, self.records.path, ENCODER, str(error))
        reason = f"{self._reason}; {self.advice}" if self.advice else self._reason
        return Health(True, count, self.records.path, ENCODER, reason)

    @property
    def advice(self) -> str:
        """What would make its answers better; see storage.py."""
        return OLDER if self._following.older else ""

    def rebuild(self, step: Callable[[], None] | None = None) -> int:
        """Build the index anew; ``step`` is called after each record. Says how many it holds."""
        return self._following.rebuild(step)
