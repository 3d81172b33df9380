"""The index of the default backend: full text (BM25), trigrams for identifiers, concepts and hashed pieces of each text
of a record. A separate file that can be deleted; it is updated with the changes since its version, and rebuilt if
damaged.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from math import log
from pathlib import Path
from typing import TypeVar

from mind_skills.errors.records import UnusableIndexError
from mind_skills.memory.concepts import extract_concepts
from mind_skills.memory.features import (
    LAYOUT_VERSION,
    compute_concept_shares,
    compute_fingerprint,
    hash_pieces,
    split_unspaced_words,
)
from mind_skills.memory.model import Record
from mind_skills.memory.records import MAX_QUERY_RECORDS, PURGE_NOTE, Records
from mind_skills.store.database import get_error_code
from mind_skills.store.home import FILE_MODE, ensure_folder
from mind_skills.store.processes import Lock
from mind_skills.store.project import digest_text

Result = TypeVar("Result")

PREFIX, SUFFIX = "memory-index-", ".db"
_SETUP_STATEMENTS = (
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
MAX_PARAMETERS = 500
"""Maximum number of parameters per statement; SQLite allows 999 or more by default."""
QUARANTINE_MARK = "mquarantined"
"""The word that marks the entries of quarantined records."""
SHARE_SCALE = 1_000
"""Factor for storing a concept's share of an entry as an integer."""
RecordCallback = Callable[[], None]
Progress = Callable[[int], AbstractContextManager[RecordCallback]]
"""Takes the number of records to index; returns a context manager that yields a callback to call after each."""

FOLDER_NAME = "memory"
"""Name of the folder of the index in the state folder."""
INDEX_NOTE = "index"
"""Name of the note in the state database that contains the current index's file name and its fingerprint (features.py)."""
MAX_BACKGROUND_RECORDS = 200_000
"""Maximum number of records that a hook's background process indexes: it has five minutes; 100,000 took 41 s of CPU."""
MAX_ATTEMPTS = 3
"""Maximum number of attempts to open an index that is damaged or that other processes delete."""
_NON_CORRUPTION_CODES = (5, 6, 8, 9, 10, 13, 14)
"""SQLite's codes for errors other than a damaged file: busy, locked, read-only, interrupted, I/O, full, cannot open."""


@contextmanager
def _convert_damage() -> Generator[None]:
    """Convert the errors that a missing or unexpected row causes into sqlite3.DatabaseError."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise sqlite3.DatabaseError(f"unexpected content: {error}") from error


class Index:
    """An open index. Every method may raise sqlite3.Error if it is damaged; the caller then rebuilds it."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Open the index at ``path``, or create it with ``create``. Raises sqlite3.Error, UnusableIndexError."""
        self.path = path
        try:
            if create:
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), FILE_MODE))
            elif not path.is_file():
                raise FileNotFoundError(str(path))
        except OSError as error:
            raise UnusableIndexError(
                f"{path}: {error.strerror or 'the index does not exist'}", "Run: mind-skills memory rebuild"
            ) from error
        self._sql = sqlite3.connect(path, timeout=10.0, isolation_level=None)
        try:
            self._sql.execute("PRAGMA synchronous=NORMAL")
            if create:
                self._sql.execute("PRAGMA journal_mode=WAL")
                for statement in _SETUP_STATEMENTS:
                    self._sql.execute(statement)
        except BaseException:
            self._sql.close()
            raise

    def close(self) -> None:
        """Close the index, unless it is already closed."""
        self._sql.close()

    def read(self, work: Callable[[Index], Result]) -> Result:
        """Run ``work`` on a consistent snapshot of the index and return its result."""
        self._sql.execute("BEGIN")
        try:
            return work(self)
        finally:
            if self._sql.in_transaction:
                self._sql.execute("COMMIT")

    def read_version(self) -> int:
        """Return the version of the records (memory/records.py) up to which the index contains all changes."""
        return self._read_state("version")

    def count(self) -> int:
        """Return the number of entries: one or two per record."""
        return self._read_state("count")

    def apply_changes(
        self, records: Iterable[tuple[int, Record]], removed: Sequence[int], version: int, step: RecordCallback
    ) -> int:
        """Apply changes and set the version, in one transaction; return how many records. 0 if the index is not older."""
        added = 0
        sql = self._sql
        sql.execute("BEGIN IMMEDIATE")
        try:
            if self.read_version() < version:  # otherwise another process has already done this
                for number in removed:
                    self._remove_record(number)
                for number, record in records:
                    self._remove_record(number)
                    self._add_record(number, record)
                    added += 1
                    step()
                sql.execute("UPDATE state SET value = ? WHERE name = 'version'", (version,))
                sql.execute("UPDATE state SET value = (SELECT count(*) FROM features) WHERE name = 'count'")
            sql.execute("COMMIT")
        except BaseException:
            if sql.in_transaction:
                sql.execute("ROLLBACK")
            raise
        return added

    def purge(self) -> bool:
        """Rewrite the file without removed texts; return False if another process was reading for too long."""
        for table in ("found", "pieces"):
            self._sql.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608
        self._sql.execute("VACUUM")
        [busy, *_] = self._sql.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def _add_record(self, number: int, record: Record) -> None:
        for entry, text in zip(list_entry_numbers(number), (record.content, record.task), strict=True):
            if text:
                self._add_entry(entry, text, record)

    def _add_entry(self, entry: int, text: str, record: Record) -> None:
        sql = self._sql
        marks = f"{build_project_mark(record.project)} {QUARANTINE_MARK if record.is_quarantined else ''}"
        words = split_unspaced_words(text)
        sql.execute("INSERT INTO found (rowid, text, marks) VALUES (?, ?, ?)", (entry, words, marks))
        sql.execute("INSERT INTO pieces (rowid, text) VALUES (?, ?)", (entry, text))
        concept_ids: list[int] = []
        for name, share in compute_concept_shares(extract_concepts(text)).items():
            upsert = (
                "INSERT INTO concepts (name, count) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET count = count + 1"
            )
            [c] = sql.execute(f"{upsert} RETURNING c", (name,)).fetchone()
            sql.execute("INSERT INTO touches VALUES (?, ?, ?)", (c, entry, round(SHARE_SCALE * share)))
            concept_ids.append(c)
        values = (json.dumps(concept_ids), record.project, record.is_quarantined)
        sql.execute("INSERT INTO features VALUES (?, ?, ?, ?, ?)", (entry, hash_pieces(text), *values))

    @_convert_damage()
    def _remove_record(self, number: int) -> None:
        sql = self._sql
        for entry in list_entry_numbers(number):
            row = sql.execute("SELECT concepts FROM features WHERE entry = ?", (entry,)).fetchone()
            if row is None:
                continue
            for c in json.loads(row[0]):
                sql.execute("UPDATE concepts SET count = count - 1 WHERE c = ?", (c,))
                sql.execute("DELETE FROM touches WHERE c = ? AND entry = ?", (c, entry))
            sql.execute("DELETE FROM features WHERE entry = ?", (entry,))
            sql.execute("DELETE FROM found WHERE rowid = ?", (entry,))
            sql.execute("DELETE FROM pieces WHERE rowid = ?", (entry,))

    def count_entries_with(self, word: str) -> int:
        """Return the number of entries that contain a word, in any project."""
        query = "SELECT count(*) FROM found WHERE found MATCH ?"
        return int(self._sql.execute(query, (quote_term(word),)).fetchone()[0])

    @_convert_damage()
    def search_text(self, terms: Sequence[str], scope: str, limit: int) -> list[tuple[int, float]]:
        """Return the ``limit`` best entries with any of ``terms`` and their BM25 scores; ``scope`` is from
        ``build_scope_filter``.
        """
        query = f"text : ({' OR '.join(map(quote_term, terms))}){scope}"
        statement = (
            "SELECT rowid, -bm25(found, 1.0, 0.0) AS worth FROM found WHERE found MATCH ? ORDER BY worth DESC LIMIT ?"
        )
        return [(int(number), float(score)) for number, score in self._sql.execute(statement, (query, limit))]

    @_convert_damage()
    def compute_rarities(self, names: Iterable[str]) -> dict[str, float]:
        """Return the rarity of each concept: the fewer entries have it, the higher. A concept in no entry counts as if it were in one."""
        listed = list(names)
        statement = f"SELECT name, count FROM concepts WHERE name IN ({', '.join('?' * len(listed))})"  # noqa: S608
        counts: dict[str, int] = dict(self._sql.execute(statement, listed).fetchall())
        total = self.count()
        return {name: log(1 + total / max(1, counts.get(name, 1))) for name in listed}

    @_convert_damage()
    def search_concepts(self, weights: Mapping[str, float], limit: int) -> dict[int, float]:
        """Return the entries with any concept in ``weights``, each with its weighted sum; stops after reading ``limit``
        rows.
        """
        scores: dict[int, float] = {}
        for name, weight in sorted(weights.items(), key=lambda each: (-each[1], each[0])):
            statement = "SELECT entry, share FROM touches WHERE c = (SELECT c FROM concepts WHERE name = ?) LIMIT ?"
            rows = self._sql.execute(statement, (name, limit)).fetchall()
            scale = weight / SHARE_SCALE
            for entry, share in rows:
                scores[entry] = scores.get(entry, 0.0) + scale * share
            limit -= len(rows)
            if limit <= 0:
                break
        return scores

    @_convert_damage()
    def search_identifiers(self, names: Sequence[str], project_id: str, limit: int, *, untrusted: bool) -> list[int]:
        """Return at most ``limit`` entries in scope with all trigrams of any of ``names`` (3 characters or more),
        newest first.
        """
        if not names:
            return []
        query = " OR ".join(
            f"({' AND '.join(map(quote_term, list(dict.fromkeys(name[at : at + 3] for at in range(len(name) - 2)))))})"
            for name in names
        )
        condition, values = _restrict_to_scope(project_id, untrusted=untrusted)
        # CROSS JOIN, so that SQLite starts with the matches, which are already in this order.
        statement = (
            "SELECT entry FROM pieces CROSS JOIN features ON entry = pieces.rowid"  # noqa: S608
            f" WHERE pieces.pieces MATCH ?{condition} ORDER BY pieces.rowid DESC LIMIT ?"
        )
        return [int(number) for (number,) in self._sql.execute(statement, (query, *values, limit))]

    @_convert_damage()
    def read_pieces(self, entries: Iterable[int], project_id: str, *, untrusted: bool) -> dict[int, int]:
        """Return the hashed pieces, as a set of bits, of the ``entries`` of ``project_id`` ("": any) or of no project."""
        condition, values = _restrict_to_scope(project_id, untrusted=untrusted)
        wanted_entries, pieces = list(entries), dict[int, int]()
        for start in range(0, len(wanted_entries), MAX_PARAMETERS):
            chunk = wanted_entries[start : start + MAX_PARAMETERS]
            query = f"SELECT entry, pieces FROM features WHERE entry IN ({', '.join('?' * len(chunk))}){condition}"  # noqa: S608
            rows = self._sql.execute(query, [*chunk, *values])
            pieces.update((entry, int.from_bytes(data, "little")) for entry, data in rows)
        return pieces

    def check(self) -> None:
        """Check the whole file. Raises sqlite3.DatabaseError if it is damaged."""
        for table in ("found", "pieces"):
            self._sql.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")  # noqa: S608
        verdict = self._sql.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise sqlite3.DatabaseError(str(verdict))

    @_convert_damage()
    def _read_state(self, name: str) -> int:
        return int(self._sql.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()[0])


def delete_index(path: Path) -> None:
    """Delete an index file and the files that SQLite puts next to it, if they exist."""
    for end in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + end).unlink(missing_ok=True)


def list_entry_numbers(number: int) -> tuple[int, int]:
    """Return the numbers of a record's two entries: its content, and the task that led to it."""
    return 2 * number, 2 * number + 1


def build_scope_filter(project_id: str, *, untrusted: bool) -> str:
    """Return the end of a full-text query for ``project_id`` (empty: for all), with quarantined entries if ``untrusted``."""
    condition = "" if untrusted else f" NOT marks : {QUARANTINE_MARK}"
    marks = f"({build_project_mark(project_id)} OR {build_project_mark('')})"
    return f" AND marks : {marks}{condition}" if project_id else condition


def _restrict_to_scope(project_id: str, *, untrusted: bool) -> tuple[str, list[str]]:
    """Return the end of a condition on ``features`` that restricts it as ``build_scope_filter`` does, and its parameters."""
    condition = "" if untrusted else " AND NOT quarantined"
    return (f"{condition} AND project IN (?, '')", [project_id]) if project_id else (condition, [])


def build_project_mark(project_id: str) -> str:
    """Return the word that marks a project's entries."""
    return f"mp{digest_text(project_id)}" if project_id else "mpnone"


def quote_term(term: str) -> str:
    """Quote a term for SQLite's full-text query language, so that it is searched literally."""
    return '"' + term.replace('"', '""') + '"'


def do_nothing() -> None:
    """Do nothing: the default callback after a record."""


def report_no_progress(record_count: int) -> AbstractContextManager[RecordCallback]:
    """Report nothing: the default ``Progress``."""
    return nullcontext(do_nothing)


class IndexManager:
    """The index of a state folder, as used by one process; call ``close`` when done."""

    def __init__(self, home: str, records: Records, progress: Progress = report_no_progress) -> None:
        """``progress`` reports the indexing of records during a query, or during a rebuild that is given no ``step``."""
        self.folder = Path(home) / FOLDER_NAME
        self.has_old_lexicon = False
        """Whether the index of the last query was built with another lexicon."""
        self._records = records
        self._progress = progress
        self._index: Index | None = None
        self._opened_note = ""
        """The content of the note in the state database when the index was last opened."""

    def close(self) -> None:
        """Close the index, if it is open."""
        if self._index is not None:
            self._index.close()
            self._index = None

    def query(self, work: Callable[[Index], Result]) -> Result:
        """Run ``work`` on the index, which is updated or rebuilt first. Raises UnusableIndexError, StoreError."""
        for attempts_left in reversed(range(MAX_ATTEMPTS)):
            try:
                return self._open_updated().read(work)
            except sqlite3.Error as error:
                self.close()
                # A changed note means that another process replaced this index and deleted its file.
                replaced = self._records.read_note(INDEX_NOTE) != self._opened_note
                if attempts_left == 0 or (not replaced and get_error_code(error) in _NON_CORRUPTION_CODES):
                    raise _wrap_error(error, self.folder) from error
            if not replaced:
                self.rebuild(expected_note=self._opened_note)
        raise AssertionError("unreachable: the last attempt returns or raises")

    def rebuild(self, step: RecordCallback | None = None, *, expected_note: str | None = None) -> int:
        """Build a new index, replace the current one when complete, and return its number of records. With
        ``expected_note``, do nothing if another process has replaced it. Raises UnusableIndexError, StoreError.
        """
        ensure_folder(self.folder)
        with Lock(str(self.folder / "index.lock")):
            note = self._records.read_note(INDEX_NOTE)
            if expected_note is not None and note != expected_note:
                self.close()
                return self._records.count()
            self._delete_other_indexes(note)
            path = self.folder / f"{PREFIX}{secrets.token_hex(6)}{SUFFIX}"
            try:
                with nullcontext(step) if step else self._progress(self._records.count()) as on_record:
                    count = self._build_index(path, on_record)
            except sqlite3.Error as error:
                raise _wrap_error(error, self.folder) from error
            self.close()
            self._records.write_note(INDEX_NOTE, f"{path.name} {compute_fingerprint()}")
            self._delete_other_indexes(self._records.read_note(INDEX_NOTE))
        return count

    def refresh(self) -> bool:
        """Update the index, or rebuild it for another lexicon, unless the next query can do it or there are too many
        records; return whether it was replaced. Raises UnusableIndexError, StoreError.
        """
        note = self._records.read_note(INDEX_NOTE)
        if not note or not MAX_QUERY_RECORDS < self._records.count() <= MAX_BACKGROUND_RECORDS:
            return False
        self.query(Index.read_version)
        if self.has_old_lexicon:
            self.rebuild(expected_note=note)
        return self._records.read_note(INDEX_NOTE) != note

    def finish_purge(self) -> None:
        """Purge removed texts from database and index, if that is required. Raises UnusableIndexError, StoreError."""
        if self._records.read_note(INDEX_NOTE):
            self.query(Index.read_version)
        elif note := self._records.read_note(PURGE_NOTE):
            self._records.finish_purge(note)

    def _build_index(self, path: Path, step: RecordCallback) -> int:
        try:
            index = Index(path, create=True)
            try:
                version = self._records.read_version()  # changes during the build are applied afterwards
                return index.apply_changes(self._records.iterate_numbered(), (), version, step)
            finally:
                index.close()
        except BaseException:
            delete_index(path)
            raise

    def _open_updated(self) -> Index:
        index = self._index = self._index or self._open_current()
        purge_note = self._records.read_note(PURGE_NOTE)
        index_version = index.read_version()
        version = self._records.read_version()
        # Either the state database is an older copy than the index, or it has discarded removals that the index lacks.
        if index_version > version or not self._records.has_all_removals(index_version):
            self.rebuild(expected_note=self._records.read_note(INDEX_NOTE))
            return self._open_updated()
        if index_version < version:
            changes = self._records.collect_changes(index_version)
            with self._progress(changes.count) as step:
                index.apply_changes(changes.changed, changes.removed, changes.version, step)
        if purge_note:
            with Lock(str(self.folder / "index.lock")):  # no process is building another index
                note = self._records.read_note(INDEX_NOTE)
                self._delete_other_indexes(note)
                is_current = note == self._opened_note
                if is_current and index.purge():
                    self._records.finish_purge(purge_note)
            if not is_current:
                self.close()
                return self._open_updated()
        return index

    def _open_current(self) -> Index:
        for _ in range(MAX_ATTEMPTS):
            note = self._opened_note = self._records.read_note(INDEX_NOTE)
            name, _, fingerprint = note.partition(" ")
            path = self.folder / name
            self.has_old_lexicon = fingerprint != compute_fingerprint()
            is_usable = not self.has_old_lexicon or self._can_defer_rebuild(fingerprint)
            if is_usable and _is_index_name(name) and path.is_file():
                return Index(path)
            self.rebuild(expected_note=note)
        raise UnusableIndexError(f"the index in {self.folder} keeps being deleted", "Try again.")

    def _can_defer_rebuild(self, fingerprint: str) -> bool:
        """Return whether an index with another lexicon can be used for now: its format is current, and a rebuild would take long."""
        return fingerprint.partition("-")[0] == str(LAYOUT_VERSION) and self._records.count() > MAX_QUERY_RECORDS

    def _delete_other_indexes(self, note: str) -> None:
        """Delete the files of all indexes except the one in ``note``: old indexes, and those whose build was killed."""
        current_name = note.partition(" ")[0]
        for path in self.folder.glob(f"{PREFIX}*{SUFFIX}"):
            if path.name != current_name and not path.is_dir():
                delete_index(path)


def _is_index_name(name: str) -> bool:
    return name.startswith(PREFIX) and name.endswith(SUFFIX) and Path(name).name == name


def _wrap_error(error: sqlite3.Error, folder: Path) -> UnusableIndexError:
    hint = "Check that the folder can be written and the disk has free space. Then run: mind-skills memory rebuild"
    return UnusableIndexError(f"the index in {folder} cannot be used: {error}", hint)
