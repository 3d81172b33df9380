"""The memory that nothing outlives: for tests, and for trials without a state folder. It compares with every record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from mind_skills.memory.admission import admitted, name
from mind_skills.memory.features import Features, alike, features, whole
from mind_skills.memory.model import Health, Hit, Record
from mind_skills.memory.ranking import CONCEPTS, PIECES
from mind_skills.memory.storage import Trust, neutral


class InMemoryMemoryStore:
    """Records, compared with one by one."""

    stages = 1
    advice = ""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Record, Features]] = {}

    def store(self, record: Record) -> None:
        """Keep a record in place of the one that has its id."""
        self.store_all([record])

    def store_all(self, records: Iterable[Record]) -> int:
        """Keep many in one step."""
        new = [admitted(record) for record in records]
        self._kept.update({record.id: (record, features(whole(record))) for record in new})
        return len(new)

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
        asked = features(text)
        hits: list[Hit] = []
        for record, kept in self._kept.values():
            if (project and record.project not in ("", project)) or (record.quarantined and not untrusted):
                continue
            pieces, shared = alike(asked, kept)
            hits.append(Hit(record, (PIECES * pieces + CONCEPTS * shared) / (PIECES + CONCEPTS) * trust(record)))
        found = [hit for hit in hits if hit.score > 0 and hit.score >= threshold]
        return sorted(found, key=lambda hit: -hit.score)[: max(0, limit)]

    def get(self, record_id: str) -> Record | None:
        """The record of that id."""
        found = self._kept.get(name(record_id))
        return found[0] if found else None

    def all(self) -> Sequence[Record]:
        """Every record, in the order in which they first came."""
        return [record for record, _ in self._kept.values()]

    def remove(self, record_id: str) -> None:
        """Forget a record; harmless where there is none."""
        self._kept.pop(name(record_id), None)

    def rebuild(self, step: Callable[[], None] | None = None) -> int:
        """Compare by what the texts say now."""
        for record in self.all():
            self.store(record)
            if step is not None:
                step()
        return len(self._kept)

    def health(self) -> Health:
        """It works."""
        return Health(True, len(self._kept), "memory of this process", "lexicon and hashed n-grams", "asked for")
