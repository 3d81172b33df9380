"""The vectors of a model, kept in the state database: made once, and made anew only where a text or the model changed.

They are compared one by one, which is exact: 1e5 of them take less time than loading the model that asks.

The tables of the extras: a step that has been released is never changed; a new one is added behind it.
``memory_vectors`` holds what a model made of each record, by the record's number; ``followed`` of an encoder is the
version of the records (memory/records.py) up to which that is complete. ``memory_indexes`` knows the LanceDB tables that
this state folder made: nothing else is ever read as one of ours, and an uninstall finds them here. ``mark`` is a random
name that the table itself carries, ``written`` LanceDB's own number of its last state that we left behind.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from mind_skills.memory.encoders import Encoder, digest
from mind_skills.memory.features import searchable_text
from mind_skills.memory.following import Step, count_nothing
from mind_skills.memory.records import Records
from mind_skills.store.database import Database

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
