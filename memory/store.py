"""The memory: semantic search over records. Implements `SemanticMemoryStore` of the specification, without further packages."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial

from mind_skills.errors import StoreError
from mind_skills.errors.records import UnusableIndexError
from mind_skills.memory.encoders import Extras
from mind_skills.memory.index import Index, IndexManager, Progress, RecordCallback, report_no_progress
from mind_skills.memory.model import Health, Hit, Record
from mind_skills.memory.ranking import MAX_CANDIDATES, score_records
from mind_skills.memory.records import SCHEMA, Records
from mind_skills.store.database import Database

ENCODER = "lexicon and hashed n-grams"
OLD_LEXICON_ADVICE = (
    "The index was built with an older lexicon, so fewer records are found. Rebuild it: mind-skills memory rebuild"
)
MAX_RESULTS = 1_000
"""Maximum number of results of a query."""
Trust = Callable[[Record], float]
"""Returns the factor by which a record's score is multiplied; 0 excludes the record."""


def trust_all(record: Record) -> float:
    """Return 1.0 for every record: by default, similarity alone determines the score."""
    return 1.0


class SemanticMemoryStore:
    """Finds records by full text, concepts and word pieces. Every method but ``check_health`` may raise StoreError."""

    def __init__(self, records: Records, index: IndexManager, reason: str) -> None:
        """``reason`` explains the choice of this backend; ``check_health`` reports it."""
        self.records = records
        self._index = index
        self._reason = reason

    def store(self, record: Record) -> None:
        """Clean and store a record, replacing the record with the same id. The next query updates the indexes."""
        self.records.put([record])

    def store_all(self, records: Iterable[Record]) -> int:
        """Store records in one transaction and return their number."""
        return self.records.put(records)

    def query(
        self,
        text: str,
        limit: int = 5,
        threshold: float = 0.0,
        *,
        project_id: str = "",
        trust: Trust = trust_all,
        untrusted: bool = False,
    ) -> Sequence[Hit]:
        """Return up to ``limit`` records most similar to any ``text``, best first, scored (similarity times trust) at
        least ``threshold``, of ``project_id`` and of no project, or of all if it is "". ``untrusted`` includes
        quarantined ones.
        """
        limit = min(limit, MAX_RESULTS)
        if limit < 1:
            return []
        find = partial(self.find_similar, text, project_id, untrusted=untrusted)
        return self._collect_hits(
            find, limit, max(MAX_CANDIDATES, 2 * limit), threshold, project_id, trust, untrusted=untrusted
        )

    def find_similar(self, text: str, project_id: str, count: int, *, untrusted: bool) -> dict[int, float]:
        """Return the records most similar to a query, by number, with scores above 0 and at most 1."""
        return self._index.query(
            partial(score_records, text=text, project_id=project_id, untrusted=untrusted, limit=count)
        )

    def _collect_hits(
        self,
        find: Callable[[int], Mapping[int, float]],
        limit: int,
        count: int,
        threshold: float,
        project_id: str,
        trust: Trust,
        *,
        untrusted: bool,
    ) -> list[Hit]:
        """Return the ``limit`` best of ``find(count)`` in scope and trusted, with a higher count if too few remain."""
        while True:
            similarities = find(count)
            clamped = {number: min(1.0, score) for number, score in similarities.items() if score > 0}
            hits = [
                Hit(record, clamped[number] * trust(record))
                for number, record in sorted(self.records.get_by_number(clamped).items())
                if (untrusted or not record.is_quarantined) and (not project_id or record.project in ("", project_id))
            ]
            hits = sorted((hit for hit in hits if hit.score > 0 and hit.score >= threshold), key=lambda hit: -hit.score)
            if len(hits) >= limit or len(similarities) < count or count >= 4 * MAX_RESULTS:
                return hits[:limit]
            count *= 4

    def get(self, record_id: str) -> Record | None:
        return self.records.get(record_id)

    def list_all(self) -> Sequence[Record]:
        """Return all records, in the order in which they were first inserted."""
        return [record for _, record in self.records.iterate_numbered()]

    def remove(self, record_id: str) -> None:
        self.records.remove([record_id])

    def purge(self, record_ids: Iterable[str]) -> None:
        """Remove records, and their texts from the files of the database and the index."""
        self.records.purge(record_ids)
        try:
            self._index.finish_purge()
        except StoreError as error:
            raise UnusableIndexError(
                f"the records are deleted, but files contain their texts until the next query: {error}"
            ) from error

    def check_health(self) -> Health:
        """Check the memory and return its state. Never raises."""
        count = 0
        try:
            count = self.records.count()
            self._index.query(Index.check)
        except StoreError as error:
            return Health(False, count, self.records.path, ENCODER, str(error))
        reason = f"{self._reason}; {self.advice}" if self.advice else self._reason
        return Health(True, count, self.records.path, ENCODER, reason)

    @property
    def advice(self) -> str:
        """How to improve the results, according to the last query; usually empty."""
        return OLD_LEXICON_ADVICE if self._index.has_old_lexicon else ""

    @property
    def steps_per_record(self) -> int:
        """Maximum number of times that ``rebuild`` calls its ``step`` for each record."""
        return 1

    def rebuild(self, step: RecordCallback | None = None) -> int:
        """Rebuild the index from the records, and return their number. Until it is complete, the old one is used."""
        return self._index.rebuild(step)


@contextmanager
def open_memory(
    home: str, root: str = "", extras: Extras | None = None, progress: Progress = report_no_progress
) -> Generator[SemanticMemoryStore]:
    """Open the memory for the project at ``root``. ``extras`` take seconds to import, so hooks pass None. Raises StoreError."""
    with _open_index(home, progress) as (records, index):
        if extras is None:
            yield SemanticMemoryStore(records, index, "the default: no extras were requested")
        else:
            from mind_skills.memory.vector_store import open_best_store

            with open_best_store(home, root, extras, records, index) as store:
                yield store  # pyright: ignore[reportReturnType] -- same class, imported under two package names


def refresh_index(home: str) -> bool:
    """Update the index, for a background process (IndexManager.refresh). Return whether it was rebuilt. Raises StoreError."""
    with _open_index(home) as (_, index):
        return index.refresh()


def purge_index(home: str) -> None:
    """Purge the texts of removed records and of earlier versions of records from the index. Raises StoreError."""
    with _open_index(home) as (records, index):
        records.require_purge()
        index.finish_purge()


@contextmanager
def _open_index(home: str, progress: Progress = report_no_progress) -> Generator[tuple[Records, IndexManager]]:
    with Database.open(home, SCHEMA) as database:
        records = Records(database)
        with closing(IndexManager(home, records, progress)) as index:
            yield records, index
