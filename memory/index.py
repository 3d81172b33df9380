"""The index of the default backend: full text (BM25 over stemmed words and concepts; trigrams for identifiers), and the
features by which what that finds is put in order.

A file of its own, which can be thrown away: it is built from the records, follows them by their versions, and is built
anew when it proves damaged. A new one has a new name, and takes the place of the old one when it is whole.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log
from pathlib import Path
from typing import TypeVar

from mind_skills.errors.records import UnusableIndexError
from mind_skills.memory.concepts import concepts
from mind_skills.memory.features import concept_shares, piece_bits
from mind_skills.memory.model import Record
from mind_skills.store.home import FILE_MODE
from mind_skills.store.project import digest

Answer = TypeVar("Answer")

PREFIX, SUFFIX = "memory-index-", ".db"
_TABLES = (
    "CREATE VIRTUAL TABLE found USING fts5(text, marks, tokenize = 'porter unicode61')",
    "CREATE VIRTUAL TABLE pieces USING fts5(text, tokenize = 'trigram', detail = 'none', columnsize = 0)",
    """CREATE TABLE features (
        entry INTEGER PRIMARY KEY, pieces BLOB NOT NULL, concepts TEXT NOT NULL, project TEXT NOT NULL,
        quarantined INTEGER NOT NULL)""",
    "CREATE TABLE concepts (c INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, count INTEGER NOT NULL)",
    "CREATE TABLE touches (c INTEGER, entry INTEGER, share INTEGER NOT NULL, PRIMARY KEY (c, entry)) WITHOUT ROWID",
    "CREATE TABLE state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
    "INSERT INTO state VALUES ('version', -1)",
    "INSERT INTO state VALUES ('count', 0)",
)
CHUNK = 500
"""So many numbers are asked for in one statement: builds of SQLite differ in how many they take."""
QUARANTINED = "mquarantined"
"""The mark of what nobody has vouched for."""
SHARES = 1_000
"""A concept's share of a record is kept as a whole number of so many parts."""


class Index:
    """An open index. Every method may raise sqlite3.Error; what is damaged is for the caller to build anew."""

    def __init__(self, path: Path, *, make: bool = False, timeout: float = 10.0) -> None:
        """Open the index at ``path``, or ``make`` a new one there. Raises sqlite3.Error, UnusableIndexError."""
        self.path = path
        try:
            if make:
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), FILE_MODE))
            elif not path.is_file():
                raise FileNotFoundError(str(path))
        except OSError as error:
            raise UnusableIndexError(
                f"{path}: {error.strerror or 'there is none'}", "Run: mind-skills memory rebuild"
            ) from error
        self._sql = sqlite3.connect(path, timeout=timeout, isolation_level=None)
        try:
            self._sql.execute("PRAGMA synchronous=NORMAL")
            if make:
                self._sql.execute("PRAGMA journal_mode=WAL")
                for statement in _TABLES:
                    self._sql.execute(statement)
        except BaseException:
            self._sql.close()
            raise

    def close(self) -> None:
        """Close the file; harmless when repeated."""
        self._sql.close()

    def read(self, work: Callable[[Index], Answer]) -> Answer:
        """What ``work`` makes of the index as it is at one moment, whatever other processes write meanwhile."""
        self._sql.execute("BEGIN")
        try:
            return work(self)
        finally:
            if self._sql.in_transaction:
                self._sql.execute("COMMIT")

    def version(self) -> int:
        """The version of the records up to which it has followed."""
        return self._state("version")

    def count(self) -> int:
        """How many entries it holds: one or two a record."""
        return self._state("count")

    def follow(
        self,
        records: Iterable[tuple[int, Record]],
        removed: Sequence[int],
        version: int,
        step: Callable[[], None] = lambda: None,
    ) -> int:
        """Put records in place of what has their numbers, forget ``removed``, and be at ``version``: all or nothing.

        ``step`` is called after each record. Says how many were put.
        """
        put = 0
        sql = self._sql
        sql.execute("BEGIN IMMEDIATE")
        try:
            if self.version() < version:  # else another process was faster
                for n in removed:
                    self._forget(n)
                for n, record in records:
                    self._forget(n)
                    self._put(n, record)
                    put += 1
                    step()
                sql.execute("UPDATE state SET value = ? WHERE name = 'version'", (version,))
                sql.execute("UPDATE state SET value = (SELECT count(*) FROM features) WHERE name = 'count'")
            sql.execute("COMMIT")
        except BaseException:
            if sql.in_transaction:
                sql.execute("ROLLBACK")
            raise
        return put

    def _put(self, n: int, record: Record) -> None:
        for entry, text in zip(entry_numbers(n), (record.content, record.task), strict=True):
            if text:
                self._enter(entry, text, record)

    def _enter(self, entry: int, text: str, record: Record) -> None:
        sql = self._sql
        marks = f"{project_mark(record.project)} {QUARANTINED if record.quarantined else ''}"
        sql.execute("INSERT INTO found (rowid, text, marks) VALUES (?, ?, ?)", (entry, text, marks))
        sql.execute("INSERT INTO pieces (rowid, text) VALUES (?, ?)", (entry, text))
        touched: list[int] = []
        for name, share in concept_shares(concepts(text)).items():
            counted = (
                "INSERT INTO concepts (name, count) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET count = count + 1"
            )
            [c] = sql.execute(f"{counted} RETURNING c", (name,)).fetchone()
            sql.execute("INSERT INTO touches VALUES (?, ?, ?)", (c, entry, round(SHARES * share)))
            touched.append(c)
        place = (json.dumps(touched), record.project, record.quarantined)
        sql.execute("INSERT INTO features VALUES (?, ?, ?, ?, ?)", (entry, piece_bits(text), *place))

    def _forget(self, n: int) -> None:
        sql = self._sql
        for entry in entry_numbers(n):
            known = sql.execute("SELECT concepts FROM features WHERE entry = ?", (entry,)).fetchone()
            if known is None:
                continue
            for c in json.loads(known[0]):
                sql.execute("UPDATE concepts SET count = count - 1 WHERE c = ?", (c,))
                sql.execute("DELETE FROM touches WHERE c = ? AND entry = ?", (c, entry))
            sql.execute("DELETE FROM features WHERE entry = ?", (entry,))
            sql.execute("DELETE FROM found WHERE rowid = ?", (entry,))
            sql.execute("DELETE FROM pieces WHERE rowid = ?", (entry,))

    def frequency(self, word: str) -> int:
        """In how many entries a word stands."""
        asked = "SELECT count(*) FROM found WHERE found MATCH ?"
        return int(self._sql.execute(asked, (quote_term(word),)).fetchone()[0])

    def matching(self, terms: Sequence[str], within: str, most: int) -> list[tuple[int, float]]:
        """The entries in which any of ``terms`` stands, by BM25, the best ``most``, each with that score.

        ``within`` is what ``scope`` gave; the marks are no text.
        """
        asked = f"text : ({' OR '.join(map(quote_term, terms))}){within}"
        best = (
            "SELECT rowid, -bm25(found, 1.0, 0.0) AS worth FROM found WHERE found MATCH ? ORDER BY worth DESC LIMIT ?"
        )
        return [(int(n), float(worth)) for n, worth in self._sql.execute(best, (asked, most))]

    def rarities(self, names: Iterable[str]) -> dict[str, float]:
        """How much each of these concepts tells, by how few entries touch it; those that none touches as one would."""
        wanted = list(names)
        known = f"SELECT name, count FROM concepts WHERE name IN ({', '.join('?' * len(wanted))})"  # noqa: S608
        counts: dict[str, int] = dict(self._sql.execute(known, wanted).fetchall())
        total = self.count()
        return {name: log(1 + total / max(1, counts.get(name, 1))) for name in wanted}

    def touching(self, asked: Mapping[str, float], most: int) -> dict[int, float]:
        """The entries that touch any of the concepts in ``asked``: the sum of what they share, each concept by its weight.

        The heaviest concepts come first, until ``most`` touches have been looked at.
        """
        touched: dict[int, float] = {}
        for name, weight in sorted(asked.items(), key=lambda each: (-each[1], each[0])):
            touches = "SELECT entry, share FROM touches WHERE c = (SELECT c FROM concepts WHERE name = ?) LIMIT ?"
            rows = self._sql.execute(touches, (name, most)).fetchall()
            each = weight / SHARES
            for entry, share in rows:
                touched[entry] = touched.get(entry, 0.0) + each * share
            most -= len(rows)
            if most <= 0:
                break
        return touched

    def holding(self, names: Sequence[str], most: int) -> list[int]:
        """The entries in which all pieces of any of ``names`` (3 characters and more) stand, the newest first."""
        if not names:
            return []
        asked = " OR ".join(
            f"({' AND '.join(map(quote_term, list(dict.fromkeys(name[at : at + 3] for at in range(len(name) - 2)))))})"
            for name in names
        )
        statement = "SELECT rowid FROM pieces WHERE pieces MATCH ? ORDER BY rowid DESC LIMIT ?"
        return [int(n) for (n,) in self._sql.execute(statement, (asked, most))]

    def pieces(self, numbers: Iterable[int], project: str, *, untrusted: bool) -> dict[int, bytes]:
        """The pieces of entries, of those in scope: of the project and of none (of all, where it is empty)."""
        within = "" if untrusted else " AND NOT quarantined"
        if project:
            within += " AND project IN (?, '')"
        places = [project] if project else []
        wanted, kept = list(numbers), dict[int, bytes]()
        for start in range(0, len(wanted), CHUNK):
            some = wanted[start : start + CHUNK]
            asked = f"SELECT entry, pieces FROM features WHERE entry IN ({', '.join('?' * len(some))}){within}"  # noqa: S608
            kept.update(self._sql.execute(asked, [*some, *places]).fetchall())
        return kept

    def check(self) -> None:
        """Look through the whole of it. Raises sqlite3.DatabaseError where it is damaged."""
        for table in ("found", "pieces"):
            self._sql.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")  # noqa: S608
        verdict = self._sql.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise sqlite3.DatabaseError(str(verdict))

    def _state(self, name: str) -> int:
        return int(self._sql.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()[0])


def delete_index(path: Path) -> None:
    """Delete an index and its log files; harmless where there is none."""
    for end in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + end).unlink(missing_ok=True)


def entry_numbers(n: int) -> tuple[int, int]:
    """The entries of a record: its content, and the task that led to it, each found by itself."""
    return 2 * n, 2 * n + 1


def scope_filter(project: str, *, untrusted: bool) -> str:
    """The end of a query that keeps it to a project's records and those of none, and out of the quarantine."""
    limits = "" if untrusted else f" NOT marks : {QUARANTINED}"
    return f" AND marks : ({project_mark(project)} OR {project_mark('')}){limits}" if project else limits


def project_mark(project: str) -> str:
    """The word that stands for a project."""
    return f"mp{digest(project)}" if project else "mpnone"


def quote_term(term: str) -> str:
    """A term as a string of the query language: whatever it holds, it is looked for."""
    return '"' + term.replace('"', '""') + '"'
