"""The memory with a model, with LanceDB, or with both, over the default backend; and which of them are used, and why.

With a model, what it says and what the default says count together: each finds what the other does not (docs/memory.md).
Without one the default's order stands, and the vectors add what it does not find. Whatever fails, the default answers,
and ``health`` says why.
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
from mind_skills.memory import lance_table, model_encoder
from mind_skills.memory.encoders import AT_ONCE, REBUILD, Encoder, Extras, Hashed, digest
from mind_skills.memory.features import searchable_text
from mind_skills.memory.following import IndexFollower, Step, count_nothing
from mind_skills.memory.lance_following import LanceFollower
from mind_skills.memory.lance_place import Place, Registry, locate_table
from mind_skills.memory.model import Health, Hit
from mind_skills.memory.model_encoder import Model
from mind_skills.memory.records import Records
from mind_skills.memory.store import MOST, SemanticMemoryStore, Trust, trust_all
from mind_skills.store.database import Database
from mind_skills.store.home import ensure
from mind_skills.store.lock import Lock

PACKAGE = "memory_vectors"

STEPS: tuple[tuple[str, ...], ...] = (
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
)

_BATCH = 64
"""Texts that are encoded, and then kept, at a time: what an interruption costs."""
_ROWS = 4_096
"""Vectors that are held in memory at a time: 12 MB of 768 dimensions."""


class Vectors:
    """The vectors of one encoder. Every method may raise StoreError, of the database or of the model."""

    def __init__(self, database: Database, records: Records, encoder: Encoder) -> None:
        """``database`` is open with the tables of this module, and has those of the records."""
        self._database = database
        self._records = records
        self._encoder = encoder

    def behind(self) -> int:
        """How many records have no vector, or one of an older text."""
        with self._database.reading() as sql:
            row = sql.execute("SELECT followed FROM memory_encoders WHERE name = ?", (self._encoder.name,)).fetchone()
            since = int(row[0]) if row else 0
            return int(sql.execute("SELECT count(*) FROM memory_records WHERE version > ?", (since,)).fetchone()[0])

    def follow(self, step: Step = count_nothing) -> int:
        """Encode what is new or changed, and forget what is gone; says how many texts were encoded.

        What was encoded before an interruption stays, and is not encoded again. The vectors of another encoder go when
        those of this one are complete. ``step`` is called for each record that was looked at.
        """
        e = self._e()
        version = self._records.version()
        with self._database.reading() as sql:
            row = sql.execute("SELECT followed FROM memory_encoders WHERE e = ?", (e,)).fetchone()
            asked = "SELECT n FROM memory_records WHERE version > ? ORDER BY n"
            numbers = [int(n) for (n,) in sql.execute(asked, (int(row[0]) if row else 0,))]
        encoded = 0
        for at in range(0, len(numbers), _BATCH):
            batch = numbers[at : at + _BATCH]
            encoded += self._encode(e, batch)
            for _ in batch:
                step()
        self._settle(e, version)
        return encoded

    def of(self, numbers: Iterable[int]) -> dict[int, tuple[str, bytes]]:
        """The vectors of records, as (digest of the text, vector), as far as they are there."""
        wanted = list(numbers)
        asked = f"SELECT n, digest, vector FROM memory_vectors WHERE e = ? AND n IN ({', '.join('?' * len(wanted))})"  # noqa: S608
        e = self._e()
        with self._database.reading() as sql:
            rows = sql.execute(asked, (e, *wanted)).fetchall()
        return {int(n): (str(known), bytes(vector)) for n, known, vector in rows}

    def likeness(self, question: bytes, numbers: Iterable[int]) -> dict[int, float]:
        """How near records are to a question: their cosines, as far as they have vectors of its length."""
        numpy: Any = importlib.import_module("numpy")
        asked = numpy.frombuffer(question, dtype="<f4")
        kept = {n: vector for n, (_, vector) in self.of(numbers).items() if len(vector) == len(question)}
        return {n: float(numpy.frombuffer(vector, dtype="<f4") @ asked) for n, vector in kept.items()}

    def nearest(self, question: bytes, project: str, most: int) -> list[tuple[int, float]]:
        """The ``most`` records nearest to a question, of a project and of none, or of all: (number, cosine), best first."""
        numpy: Any = importlib.import_module("numpy")
        asked = numpy.frombuffer(question, dtype="<f4")
        best: list[tuple[int, float]] = []
        for numbers, vectors in self._scan(project, len(question)):
            likeness = numpy.frombuffer(vectors, dtype="<f4").reshape(len(numbers), -1) @ asked
            top = numpy.argsort(-likeness, kind="stable")[:most]
            best += [(numbers[int(at)], float(likeness[at])) for at in top]
            best = sorted(best, key=lambda each: (-each[1], each[0]))[:most]
        return best

    def _scan(self, project: str, size: int) -> Iterator[tuple[list[int], bytes]]:
        asked = (
            "SELECT v.n, v.vector FROM memory_vectors v JOIN memory_records r ON r.n = v.n"
            " WHERE v.e = ? AND v.n > ? AND length(v.vector) = ? AND (? = '' OR r.project IN (?, ''))"
            " ORDER BY v.n LIMIT ?"
        )
        e, last = self._e(), 0
        while True:
            with self._database.reading() as sql:
                rows = sql.execute(asked, (e, last, size, project, project, _ROWS)).fetchall()
            if rows:
                yield [int(n) for n, _ in rows], b"".join(vector for _, vector in rows)
            if len(rows) < _ROWS:
                return
            last = int(rows[-1][0])

    def _encode(self, e: int, numbers: Sequence[int]) -> int:
        found = {n: searchable_text(record) for n, record in self._records.by_number(numbers).items()}
        digests = {n: digest(text) for n, text in found.items()}
        known = {n: before for n, (before, _) in self.of(found).items()}
        new = [n for n in found if known.get(n) != digests[n]]
        if new:
            vectors = self._encoder.documents([found[n] for n in new])
            rows = [(e, n, digests[n], vector) for n, vector in zip(new, vectors, strict=True)]
            with self._database.writing() as sql:
                sql.executemany("INSERT OR REPLACE INTO memory_vectors VALUES (?, ?, ?, ?)", rows)
        return len(new)

    def _settle(self, e: int, version: int) -> None:
        with self._database.writing() as sql:
            sql.execute("UPDATE memory_encoders SET followed = max(followed, ?) WHERE e = ?", (version, e))
            sql.execute("DELETE FROM memory_vectors WHERE e != ?", (e,))
            sql.execute("DELETE FROM memory_encoders WHERE e != ?", (e,))
            sql.execute("DELETE FROM memory_vectors WHERE n NOT IN (SELECT n FROM memory_records)")

    def _e(self) -> int:
        """The encoder's number. Another process may have made another one the only one since it was last asked for."""
        asked = "SELECT e FROM memory_encoders WHERE name = ?"
        with self._database.reading() as sql:
            row = sql.execute(asked, (self._encoder.name,)).fetchone()
        if row is None:
            named = (self._encoder.name, self._encoder.dimension)
            with self._database.writing() as sql:
                sql.execute("INSERT OR IGNORE INTO memory_encoders (name, dimension, followed) VALUES (?, ?, 0)", named)
                row = sql.execute(asked, named[:1]).fetchone()
        return int(row[0])


DEFAULT = 0.75
"""What the default's likeness counts beside a model's cosine, which counts 1: tried on the half of the benchmark that may
be looked at, with two models. Either alone finds less."""
_AHEAD = 64
"""Records that are looked at beyond those asked for: some are not trusted, some in quarantine."""
_loaded: dict[str, Model] = {}
"""A process that stays loads a model once. By its name, which changes with its files."""


@contextmanager
def open_best(
    home: str, root: str, extras: Extras, records: Records, following: IndexFollower
) -> Generator[SemanticMemoryStore]:
    """The memory with the extras that are installed and usable here; the default backend where none is.

    None of them is imported for that. Raises StoreError where the state database cannot be opened.
    """
    model, without_model = _find_model(extras.model)
    where, without_lance = _find_place(root, extras.index)
    reasons = [reason for reason in (without_model, without_lance) if reason]
    if model is None and where is None:
        yield SemanticMemoryStore(records, following, f"the default: {'; '.join(reasons) or 'asked for'}")
        return
    with Database.open(home, PACKAGE, STEPS) as database:
        encoder: Encoder = model or Hashed()
        vectors = Vectors(database, records, encoder) if model else None
        lance = None
        if where is not None:
            encode = partial(encode_texts, encoder, vectors)
            lance = LanceFollower(home, where, records, Registry(database), encoder, encode)
        used = [f"the model is {model.model}" if model else "", "LanceDB is installed" if where else ""]
        reason = "; ".join([use for use in used if use] + reasons)
        yield VectorMemoryStore(home, records, following, reason, encoder, vectors, lance)


def _find_model(named: str) -> tuple[Model | None, str]:
    if not named:
        return None, "no model is asked for"
    if not model_encoder.installed():
        return None, "no model is installed"
    try:
        model = Model(named)
    except StoreError as error:
        return None, _describe(error)
    return _loaded.setdefault(model.name, model), ""


def _find_place(root: str, inside: str) -> tuple[Place | None, str]:
    if not inside:
        return None, "no index is asked for"
    if not lance_table.installed():
        return None, "LanceDB is not installed"
    try:
        return locate_table(root, inside), ""
    except StoreError as error:
        return None, _describe(error)


class VectorMemoryStore(SemanticMemoryStore):
    """Records found by the nearness of vectors as well. ``vectors`` for a model, ``lance`` for LanceDB; one of them at least."""

    def __init__(
        self,
        home: str,
        records: Records,
        following: IndexFollower,
        reason: str,
        encoder: Encoder,
        vectors: Vectors | None,
        lance: LanceFollower | None,
    ) -> None:
        """``reason`` is why this backend was taken, for ``health``."""
        super().__init__(records, following, reason)
        self._home, self._encoder, self._vectors, self._lance = home, encoder, vectors, lance

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
        """As its base."""
        limit = min(limit, MOST)
        if limit < 1:
            return []
        ask_default = partial(super().query, text, limit, project=project, trust=trust, untrusted=untrusted)
        first = ask_default() if not self._encoder.knows_meaning or not text.strip() else None
        if first is None or (len(first) < limit and text.strip()):
            find = partial(self._find_near, text, project, untrusted=untrusted)
            try:
                near = self._collect(find, limit, limit + _AHEAD, 0.0, project, trust, untrusted=untrusted)
                first = _append(first or (), near)
            except StoreError:  # which ``health`` finds as well, and describes
                first = ask_default() if first is None else first
        return [hit for hit in first[:limit] if hit.score >= threshold]

    def _find_near(self, text: str, project: str, most: int, *, untrusted: bool) -> Mapping[int, float]:
        """The records nearest to a question by their vectors, each with its likeness."""
        if self._vectors is None:
            if self._lance is None or project != self._lance.where.project:
                return {}
            return dict(self._lance.nearest(self._encoder.question(text), most))
        self._encode_new(self._vectors)
        question = self._encoder.question(text)
        near = dict(self._search_vectors(self._vectors, question, project, most))
        known = self.find_similar(text, project, untrusted=untrusted, most=most)
        near |= self._vectors.likeness(question, [n for n in known if n not in near])
        return {n: (max(0.0, near[n]) + DEFAULT * known.get(n, 0.0)) / (1 + DEFAULT) for n in near}

    def _search_vectors(
        self, vectors: Vectors, question: bytes, project: str, most: int
    ) -> Sequence[tuple[int, float]]:
        if self._lance is not None and project == self._lance.where.project:
            try:
                return self._lance.nearest(question, most)
            except StoreError:  # the same vectors stand in the state database; ``health`` says what is wrong
                pass
        return vectors.nearest(question, project, most)

    def _encode_new(self, vectors: Vectors) -> None:
        """Every record has its vector, after a short while at most."""
        behind = vectors.behind()
        if behind > AT_ONCE:
            raise ModelUnavailableError(f"{behind} records are not encoded by {self._encoder.name} yet", REBUILD)
        if behind:
            vectors.follow()

    def health(self) -> Health:
        """As its base, as a question would find out: the model is loaded, the index opened."""
        default = super().health()
        if not default.healthy:
            return default
        encoder, location, reason = self._encoder.name, default.location, self._reason
        try:
            self._encoder.question("healthy")
            if self._vectors is not None:
                self._encode_new(self._vectors)
        except StoreError as error:
            return Health(True, default.count, location, default.encoder, f"the default, because {_describe(error)}")
        if self._lance is not None:
            try:
                if self._lance.count_belonging():
                    self._lance.ready()
                location = self._lance.where.path
            except StoreError as error:
                reason = f"{reason}; without LanceDB, because {_describe(error)}"
        if not self._encoder.knows_meaning:
            encoder = default.encoder
        return Health(True, default.count, location, encoder, reason)

    @property
    def stages(self) -> int:
        """As its base."""
        return 1 + (self._vectors is not None) + (self._lance is not None)

    def rebuild(self, step: Step | None = None) -> int:
        """Build every index anew and encode what is not encoded; ``step`` is called after each record of each stage.

        An interrupted one leaves what was there in use, and encodes no text twice. Two at once wait for each other.
        """
        step = step or count_nothing
        count = super().rebuild(step)
        if self._vectors is not None:
            with Lock(os.path.join(ensure(os.path.join(ensure(self._home), "locks")), "memory-vectors")):
                self._vectors.follow(step)
        if self._lance is not None and self._lance.count_belonging():
            self._lance.rebuild(step)
        return count


def encode_texts(encoder: Encoder, vectors: Vectors | None, texts: Mapping[int, str]) -> dict[int, bytes]:
    """The vectors of texts, by the numbers of their records: those that are kept, and new ones for the others."""
    kept = vectors.of(texts) if vectors is not None else {}
    found = {n: kept[n][1] for n, text in texts.items() if n in kept and kept[n][0] == digest(text)}
    new = [n for n in texts if n not in found]
    found.update(zip(new, encoder.documents([texts[n] for n in new]), strict=True))
    return found


def _append(first: Sequence[Hit], more: Sequence[Hit]) -> list[Hit]:
    """The default's hits as they are; what else is near by its vector comes behind them."""
    known = {hit.record.id for hit in first}
    lowest = min((hit.score for hit in first), default=1.0)
    return [*first, *(Hit(hit.record, min(hit.score, lowest)) for hit in more if hit.record.id not in known)]


def _describe(error: StoreError) -> str:
    return f"{error}. {error.hint}".rstrip(". ")
