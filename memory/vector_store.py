"""The memory with a model, LanceDB or both, on top of the default backend. A model's similarities are combined with the
default's, as each finds what the other misses (docs/memory.md). If an extra fails, queries are answered without it.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from mind_skills.errors import StoreError
from mind_skills.errors.records import ModelUnavailableError
from mind_skills.memory.encoders import (
    MAX_ENCODED_PER_QUERY,
    REBUILD_HINT,
    Encoder,
    Extras,
    HashEncoder,
    Model,
    compute_digest,
    is_library_installed,
)
from mind_skills.memory.features import build_searchable_text
from mind_skills.memory.index import IndexManager, RecordCallback, do_nothing
from mind_skills.memory.lance import LanceIndexManager, Registry, TableLocation, is_lancedb_installed, locate_table
from mind_skills.memory.model import Health, Hit
from mind_skills.memory.records import Records
from mind_skills.memory.store import MAX_RESULTS, SemanticMemoryStore, Trust, trust_all
from mind_skills.store.database import Database, Schema
from mind_skills.store.home import ensure_folder
from mind_skills.store.processes import Lock

SCHEMA = Schema(
    "memory_vectors",
    (
        (
            """CREATE TABLE memory_encoders (
            e INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, dimension INTEGER NOT NULL,
            followed INTEGER NOT NULL)""",
            """CREATE TABLE memory_vectors (
            e INTEGER NOT NULL, n INTEGER NOT NULL, digest TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (e, n))""",
            """CREATE TABLE memory_indexes (
            path BLOB PRIMARY KEY, root BLOB NOT NULL, git BLOB NOT NULL, mark TEXT NOT NULL, encoder TEXT NOT NULL,
            followed INTEGER NOT NULL, written INTEGER NOT NULL)""",
        ),
    ),
)

_BATCH_SIZE = 64
"""Number of texts that are encoded and stored at once; an interruption loses at most these."""
_READ_SIZE = 4_096
"""Number of vectors that are in main memory at once: 12 MB with 768 dimensions."""


class Vectors:
    """The stored vectors of one encoder. Every method may raise StoreError, because of the database or the model."""

    def __init__(self, database: Database, records: Records, encoder: Encoder) -> None:
        """``database`` contains ``records``; the migrations of this module must have been applied to it."""
        self._database = database
        self._records = records
        self._encoder = encoder

    def count_pending(self) -> int:
        """Return the number of records that are new or have changed since all records were last encoded."""
        with self._database.reading() as sql:
            row = sql.execute("SELECT followed FROM memory_encoders WHERE name = ?", (self._encoder.name,)).fetchone()
            since = int(row[0]) if row else 0
            return int(sql.execute("SELECT count(*) FROM memory_records WHERE version > ?", (since,)).fetchone()[0])

    def encode_pending(self, step: RecordCallback = do_nothing) -> int:
        """Encode new and changed records, and delete others' vectors when complete; return how many texts. Resumes
        after an interruption.
        """
        encoder_id = self._get_encoder_id()
        version = self._records.read_version()
        with self._database.reading() as sql:
            row = sql.execute("SELECT followed FROM memory_encoders WHERE e = ?", (encoder_id,)).fetchone()
            query = "SELECT n FROM memory_records WHERE version > ? ORDER BY n"
            numbers = [int(number) for (number,) in sql.execute(query, (int(row[0]) if row else 0,))]
        encoded = 0
        for start in range(0, len(numbers), _BATCH_SIZE):
            batch = numbers[start : start + _BATCH_SIZE]
            encoded += self._encode_batch(encoder_id, batch)
            for _ in batch:
                step()
        self._finish_encoding(encoder_id, version)
        return encoded

    def read_vectors(self, numbers: Iterable[int]) -> dict[int, tuple[str, bytes]]:
        """Return (digest of the text, vector) for each of these records, by number; records without a vector are omitted."""
        wanted_numbers = list(numbers)
        query = f"SELECT n, digest, vector FROM memory_vectors WHERE e = ? AND n IN ({', '.join('?' * len(wanted_numbers))})"  # noqa: S608
        encoder_id = self._get_encoder_id()
        with self._database.reading() as sql:
            rows = sql.execute(query, (encoder_id, *wanted_numbers)).fetchall()
        return {int(number): (str(text_digest), bytes(vector)) for number, text_digest, vector in rows}

    def compute_similarities(self, query: bytes, numbers: Iterable[int]) -> dict[int, float]:
        """Return the cosine of each record's vector with a query; records without a vector of the same length are omitted."""
        numpy: Any = importlib.import_module("numpy")
        query_vector = numpy.frombuffer(query, dtype="<f4")
        vectors = {
            number: vector for number, (_, vector) in self.read_vectors(numbers).items() if len(vector) == len(query)
        }
        return {
            number: float(numpy.frombuffer(vector, dtype="<f4") @ query_vector) for number, vector in vectors.items()
        }

    def find_nearest(self, query: bytes, project_id: str, limit: int) -> list[tuple[int, float]]:
        """Return (number, cosine) of the ``limit`` nearest records of ``project_id`` and of no project, or of all, best
        first.
        """
        numpy: Any = importlib.import_module("numpy")
        query_vector = numpy.frombuffer(query, dtype="<f4")
        best: list[tuple[int, float]] = []
        for numbers, vectors in self._read_batches(project_id, len(query)):
            similarities = numpy.frombuffer(vectors, dtype="<f4").reshape(len(numbers), -1) @ query_vector
            top = numpy.argsort(-similarities, kind="stable")[:limit]
            best += [(numbers[int(index)], float(similarities[index])) for index in top]
            best = sorted(best, key=lambda each: (-each[1], each[0]))[:limit]
        return best

    def _read_batches(self, project_id: str, size: int) -> Iterator[tuple[list[int], bytes]]:
        """Yield the numbers and the joined vectors of records in scope, leaving out vectors that are not ``size`` bytes long."""
        statement = (
            "SELECT v.n, v.vector FROM memory_vectors v JOIN memory_records r ON r.n = v.n"
            " WHERE v.e = ? AND v.n > ? AND length(v.vector) = ? AND (? = '' OR r.project IN (?, ''))"
            " ORDER BY v.n LIMIT ?"
        )
        encoder_id, last = self._get_encoder_id(), 0
        while True:
            with self._database.reading() as sql:
                rows = sql.execute(statement, (encoder_id, last, size, project_id, project_id, _READ_SIZE)).fetchall()
            if rows:
                yield [int(number) for number, _ in rows], b"".join(vector for _, vector in rows)
            if len(rows) < _READ_SIZE:
                return
            last = int(rows[-1][0])

    def _encode_batch(self, encoder_id: int, numbers: Sequence[int]) -> int:
        texts = {
            number: build_searchable_text(record) for number, record in self._records.get_by_number(numbers).items()
        }
        digests = {number: compute_digest(text) for number, text in texts.items()}
        stored = {number: stored_digest for number, (stored_digest, _) in self.read_vectors(texts).items()}
        new = [number for number in texts if stored.get(number) != digests[number]]
        if new:
            vectors = self._encoder.encode_documents([texts[number] for number in new])
            rows = [(encoder_id, number, digests[number], vector) for number, vector in zip(new, vectors, strict=True)]
            with self._database.writing() as sql:
                sql.executemany("INSERT OR REPLACE INTO memory_vectors VALUES (?, ?, ?, ?)", rows)
        return len(new)

    def _finish_encoding(self, encoder_id: int, version: int) -> None:
        with self._database.writing() as sql:
            sql.execute("UPDATE memory_encoders SET followed = max(followed, ?) WHERE e = ?", (version, encoder_id))
            sql.execute("DELETE FROM memory_vectors WHERE e != ?", (encoder_id,))
            sql.execute("DELETE FROM memory_encoders WHERE e != ?", (encoder_id,))
            sql.execute("DELETE FROM memory_vectors WHERE n NOT IN (SELECT n FROM memory_records)")

    def _get_encoder_id(self) -> int:
        """Return the encoder's id. Registers the encoder if it is new or if another process has deleted it."""
        query = "SELECT e FROM memory_encoders WHERE name = ?"
        with self._database.reading() as sql:
            row = sql.execute(query, (self._encoder.name,)).fetchone()
        if row is None:
            values = (self._encoder.name, self._encoder.dimension)
            with self._database.writing() as sql:
                insert = "INSERT OR IGNORE INTO memory_encoders (name, dimension, followed) VALUES (?, ?, 0)"
                sql.execute(insert, values)
                row = sql.execute(query, values[:1]).fetchone()
        return int(row[0])


DEFAULT_BACKEND_WEIGHT = 0.75
"""Weight of the default similarity relative to a model's cosine; from the development half of the benchmark, with two
models."""
_EXTRA_CANDIDATES = 64
"""Number of records that are requested in addition to the limit, since some may be quarantined or not trusted."""
_loaded_models: dict[str, Model] = {}
"""Models by name, so that a long-running process loads each once. The name of a model changes with its files."""


@contextmanager
def open_best_store(
    home: str, root: str, extras: Extras, records: Records, index: IndexManager
) -> Generator[SemanticMemoryStore]:
    """Open the memory with the usable ``extras``, without importing them. Raises StoreError."""
    model, no_model_reason = _find_model(extras.model)
    location, no_lance_reason = _find_location(root, extras.index)
    reasons = [reason for reason in (no_model_reason, no_lance_reason) if reason]
    if model is None and location is None:
        yield SemanticMemoryStore(records, index, f"the default: {'; '.join(reasons)}")
        return
    with Database.open(home, SCHEMA) as database:
        encoder: Encoder = model or HashEncoder()
        vectors = Vectors(database, records, encoder) if model else None
        lance = None
        if location is not None:
            encode = partial(encode_texts, encoder, vectors)
            lance = LanceIndexManager(home, location, records, Registry(database), encoder, encode)
        parts = [f"the model is {model.model}" if model else "", "LanceDB is installed" if location else ""]
        reason = "; ".join([part for part in parts if part] + reasons)
        yield VectorMemoryStore(home, records, index, reason, encoder, vectors, lance)


def _find_model(name: str) -> tuple[Model | None, str]:
    if not name:
        return None, "no model is configured"
    if not is_library_installed():
        return None, "sentence-transformers is not installed"
    try:
        model = Model(name)
    except StoreError as error:
        return None, _describe_error(error)
    return _loaded_models.setdefault(model.name, model), ""


def _find_location(root: str, relative_path: str) -> tuple[TableLocation | None, str]:
    if not relative_path:
        return None, "no index is configured"
    if not is_lancedb_installed():
        return None, "LanceDB is not installed"
    try:
        return locate_table(root, relative_path), ""
    except StoreError as error:
        return None, _describe_error(error)


class VectorMemoryStore(SemanticMemoryStore):
    """Also finds records by the similarity of vectors. Needs ``vectors`` (for a model), ``lance`` or both."""

    def __init__(
        self,
        home: str,
        records: Records,
        index: IndexManager,
        reason: str,
        encoder: Encoder,
        vectors: Vectors | None,
        lance: LanceIndexManager | None,
    ) -> None:
        """``reason`` explains the choice of this backend; ``check_health`` reports it."""
        super().__init__(records, index, reason)
        self._home, self._encoder, self._vectors, self._lance = home, encoder, vectors, lance

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
        limit = min(limit, MAX_RESULTS)
        if limit < 1:
            return []
        query_default = partial(super().query, text, limit, project_id=project_id, trust=trust, untrusted=untrusted)
        hits = query_default() if not self._encoder.captures_meaning or not text.strip() else None
        if hits is None or (len(hits) < limit and text.strip()):
            find = partial(self._find_by_vectors, text, project_id, untrusted=untrusted)
            try:
                count = limit + _EXTRA_CANDIDATES
                near = self._collect_hits(find, limit, count, 0.0, project_id, trust, untrusted=untrusted)
                hits = _append_hits(hits or (), near)
            except StoreError:  # ``check_health`` reports it
                hits = query_default() if hits is None else hits
        return [hit for hit in hits[:limit] if hit.score >= threshold]

    def _find_by_vectors(self, text: str, project_id: str, count: int, *, untrusted: bool) -> Mapping[int, float]:
        """Return the nearest records; with a model, weighted with what the default backend finds."""
        if self._vectors is None:
            if self._lance is None or project_id != self._lance.location.project:
                return {}
            return dict(self._lance.find_nearest(self._encoder.encode_query(text), count))
        self._encode_few_pending(self._vectors)
        query = self._encoder.encode_query(text)
        near = dict(self._search_vectors(self._vectors, query, project_id, count))
        similarities = self.find_similar(text, project_id, untrusted=untrusted, count=count)
        near |= self._vectors.compute_similarities(query, [number for number in similarities if number not in near])
        return {
            number: (max(0.0, near[number]) + DEFAULT_BACKEND_WEIGHT * similarities.get(number, 0.0))
            / (1 + DEFAULT_BACKEND_WEIGHT)
            for number in near
        }

    def _search_vectors(
        self, vectors: Vectors, query: bytes, project_id: str, count: int
    ) -> Sequence[tuple[int, float]]:
        if self._lance is not None and project_id == self._lance.location.project:
            try:
                return self._lance.find_nearest(query, count)
            except StoreError:  # the state database has the same vectors; ``check_health`` reports the error
                pass
        return vectors.find_nearest(query, project_id, count)

    def _encode_few_pending(self, vectors: Vectors) -> None:
        """Encode new and changed records. Raises ModelUnavailableError if there are too many for a query."""
        pending = vectors.count_pending()
        if pending > MAX_ENCODED_PER_QUERY:
            raise ModelUnavailableError(f"{pending} records are not encoded by {self._encoder.name} yet", REBUILD_HINT)
        if pending:
            vectors.encode_pending()

    def check_health(self) -> Health:
        """See SemanticMemoryStore. Loads the model and opens the LanceDB table, as a query would."""
        default = super().check_health()
        if not default.healthy:
            return default
        encoder, location, reason = self._encoder.name, default.location, self._reason
        try:
            self._encoder.encode_query("healthy")
            if self._vectors is not None:
                self._encode_few_pending(self._vectors)
        except StoreError as error:
            return Health(
                True, default.count, location, default.encoder, f"the default, because {_describe_error(error)}"
            )
        if self._lance is not None:
            try:
                if self._lance.count_records():
                    self._lance.open_current()
                location = self._lance.location.path
            except StoreError as error:
                reason = f"{reason}; without LanceDB, because {_describe_error(error)}"
        if not self._encoder.captures_meaning:
            encoder = default.encoder
        return Health(True, default.count, location, encoder, reason)

    @property
    def steps_per_record(self) -> int:
        return 1 + (self._vectors is not None) + (self._lance is not None)

    def rebuild(self, step: RecordCallback | None = None) -> int:
        """Rebuild every index and encode pending records; ``step`` is called for each record of each stage."""
        step = step or do_nothing
        count = super().rebuild(step)
        if self._vectors is not None:
            with Lock(os.path.join(ensure_folder(os.path.join(ensure_folder(self._home), "locks")), "memory-vectors")):
                self._vectors.encode_pending(step)
        if self._lance is not None and self._lance.count_records():
            self._lance.rebuild(step)
        return count


def encode_texts(encoder: Encoder, vectors: Vectors | None, texts: Mapping[int, str]) -> dict[int, bytes]:
    """Return the vectors of texts, both keyed by record number; only texts without a stored vector are encoded."""
    stored = vectors.read_vectors(texts) if vectors is not None else {}
    vectors_by_number = {
        number: stored[number][1]
        for number, text in texts.items()
        if number in stored and stored[number][0] == compute_digest(text)
    }
    new = [number for number in texts if number not in vectors_by_number]
    vectors_by_number.update(zip(new, encoder.encode_documents([texts[number] for number in new]), strict=True))
    return vectors_by_number


def _append_hits(first: Sequence[Hit], others: Sequence[Hit]) -> list[Hit]:
    """Append the hits in ``others`` that are not in ``first``, with scores no higher than the lowest in ``first``."""
    ids = {hit.record.id for hit in first}
    lowest = min((hit.score for hit in first), default=1.0)
    return [*first, *(Hit(hit.record, min(hit.score, lowest)) for hit in others if hit.record.id not in ids)]


def _describe_error(error: StoreError) -> str:
    return f"{error}. {error.hint}".rstrip(". ")
