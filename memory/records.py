"""Stores the records in the state database; every index is built from them. ``n`` is never reused. ``memory_state``
counts the transactions that changed records; an index of a version has all changes up to it, and perhaps later ones.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence

from mind_skills.memory.model import Record, clean_name, clean_record
from mind_skills.store.database import Database, Schema
from mind_skills.store.light_dataclasses import dataclass

SCHEMA = Schema(
    "memory",
    (
        (
            """CREATE TABLE memory_records (
            n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, kind TEXT NOT NULL,
            content TEXT NOT NULL, task TEXT NOT NULL, project TEXT NOT NULL, reference TEXT NOT NULL,
            task_id TEXT NOT NULL, success INTEGER, failure_rate REAL, at INTEGER NOT NULL, source TEXT NOT NULL,
            taint TEXT NOT NULL)""",
            "CREATE INDEX memory_records_changed ON memory_records (version)",
            "CREATE INDEX memory_records_of_kind ON memory_records (kind, at)",
            "CREATE INDEX memory_records_of_project ON memory_records (project, kind)",
            "CREATE TABLE memory_removed (n INTEGER PRIMARY KEY, version INTEGER NOT NULL)",
            "CREATE INDEX memory_removed_since ON memory_removed (version)",
            "CREATE TABLE memory_state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
            "INSERT INTO memory_state VALUES ('clock', '0')",
        ),
    ),
)

MAX_REMOVED = 10_000
"""Maximum number of removals that are stored for indexes that have not applied them yet."""
PURGE_NOTE = "purge"
"""Name of the note that requires the next process that opens the index to purge the files; its value is a version."""
HORIZON_NOTE = "horizon"
"""Name of the note that contains the version up to which removals have been discarded."""
_FIELDS = Record.__match_args__
_COLUMNS = ", ".join(_FIELDS)
_UPSERT = (
    f"INSERT INTO memory_records (version, {_COLUMNS}) VALUES (?, {', '.join('?' * len(_FIELDS))})"  # noqa: S608
    f" ON CONFLICT (id) DO UPDATE SET version = excluded.version,"
    f" {', '.join(f'{each} = excluded.{each}' for each in _FIELDS if each != 'id')}"
)
_BATCH_SIZE = 500
MAX_QUERY_RECORDS = 2_000
"""How many records a query indexes again for a new lexicon: a second of CPU. With more, the older index is used meanwhile."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes that bring an index to ``version``: ``count`` records in ``changed`` (read in batches), and the numbers
    ``removed``.
    """

    version: int
    count: int
    changed: Iterable[tuple[int, Record]]
    removed: Sequence[int]


class Records:
    """Records in the state database; each method, or batch of an iterator, is one transaction. Every method may raise
    StoreError.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def path(self) -> str:
        return self._database.path

    def put(self, records: Iterable[Record]) -> int:
        """Store records, replacing those with the same ids, and return the number of records given."""
        rows = [clean_record(record) for record in records]
        if rows:
            with self._database.writing() as sql:
                version = increment_version(sql)
                sql.executemany(_UPSERT, ((version, *(getattr(row, name) for name in _FIELDS)) for row in rows))
        return len(rows)

    def remove(self, record_ids: Iterable[str]) -> int:
        """Delete the records with these ids, and return how many were deleted."""
        with self._database.writing() as sql:
            ids = dict.fromkeys(clean_name(each) for each in record_ids)
            return delete_records(sql, [number for each in ids for number, _ in _select_rows(sql, "id = ?", [each])])

    def purge(self, record_ids: Iterable[str]) -> None:
        """Delete the records with these ids, and require a purge of their texts from the files."""
        with self._database.writing():
            self.remove(record_ids)
            self.require_purge()

    def require_purge(self) -> None:
        """Require a purge of the files, whether by this process or, if this is interrupted, by the next that opens the index."""
        with self._database.writing() as sql:
            sql.execute("INSERT OR REPLACE INTO memory_state VALUES (?, ?)", (PURGE_NOTE, str(_read_version(sql))))

    def finish_purge(self, note: str) -> None:
        """Purge the files, and record that the purge ``note`` required is done; one that was required later is not."""
        self._database.shrink()
        with self._database.writing() as sql:
            sql.execute("DELETE FROM memory_state WHERE name = ? AND value = ?", (PURGE_NOTE, note))

    def keep_newest(self, kind: str, limit: int) -> int:
        """Delete the oldest records of a kind until at most ``limit`` remain, and return how many were deleted."""
        with self._database.writing() as sql:
            query = "SELECT n FROM memory_records WHERE kind = ? ORDER BY at DESC, n DESC LIMIT -1 OFFSET ?"
            return delete_records(sql, [number for (number,) in sql.execute(query, (kind, max(0, limit)))])

    def get(self, record_id: str) -> Record | None:
        with self._database.reading() as sql:
            rows = _select_rows(sql, "id = ?", [clean_name(record_id)])
        return rows[0][1] if rows else None

    def get_by_number(self, numbers: Iterable[int]) -> dict[int, Record]:
        """Return the records with these numbers; missing ones are omitted."""
        wanted_numbers, records = list(numbers), dict[int, Record]()
        with self._database.reading() as sql:
            for start in range(0, len(wanted_numbers), _BATCH_SIZE):
                chunk = wanted_numbers[start : start + _BATCH_SIZE]
                records.update(_select_rows(sql, f"n IN ({', '.join('?' * len(chunk))})", chunk))
        return records

    def list_by_kinds(self, project_id: str, kinds: Sequence[str]) -> list[Record]:
        """Return a project's records of these kinds, in the order in which they were first inserted."""
        with self._database.reading() as sql:
            where = f"project = ? AND kind IN ({', '.join('?' * len(kinds))})"
            return [record for _, record in _select_rows(sql, where, [project_id, *kinds])]

    def list_by_source(self, source: str) -> list[Record]:
        """Return the records of any project that have this source."""
        with self._database.reading() as sql:
            return [record for _, record in _select_rows(sql, "source = ?", [source])]

    def iterate_numbered(self) -> Iterator[tuple[int, Record]]:
        """Iterate over all records, as pairs of number and record, in the order in which they were first inserted."""
        last = 0
        while True:
            with self._database.reading() as sql:
                batch = _select_rows(sql, "n > ?", [last], _BATCH_SIZE)
            yield from batch
            if len(batch) < _BATCH_SIZE:
                return
            last = batch[-1][0]

    def count(self) -> int:
        with self._database.reading() as sql:
            return int(sql.execute("SELECT count(*) FROM memory_records").fetchone()[0])

    def read_version(self) -> int:
        """Return the version of the newest change."""
        with self._database.reading() as sql:
            return _read_version(sql)

    def collect_changes(self, since: int) -> Changes:
        """Return all changes after the version ``since``."""
        with self._database.reading() as sql:
            removed = [number for (number,) in sql.execute("SELECT n FROM memory_removed WHERE version > ?", (since,))]
            [count] = sql.execute("SELECT count(*) FROM memory_records WHERE version > ?", (since,)).fetchone()
            until = _read_version(sql)
        return Changes(until, count, self._iterate_changed(since, until), removed)

    def has_all_removals(self, since: int) -> bool:
        """Return whether all removals after version ``since`` are stored. If not, ``collect_changes`` omits some."""
        horizon = self.read_note(HORIZON_NOTE)
        return not horizon.isdecimal() or since >= int(horizon)

    def _iterate_changed(self, since: int, until: int) -> Iterator[tuple[int, Record]]:
        last = (since, sys.maxsize)
        while True:
            with self._database.reading() as sql:
                batch = _select_rows(
                    sql, "(version, n) > (?, ?) AND version <= ?", [*last, until], _BATCH_SIZE, order="version, n"
                )
                last_version = sql.execute(
                    "SELECT version FROM memory_records WHERE n = ?", [batch[-1][0] if batch else 0]
                ).fetchone()
            yield from batch
            if len(batch) < _BATCH_SIZE:
                return
            last = last_version[0], batch[-1][0]

    def read_note(self, name: str) -> str:
        """Return the note that is stored under ``name``, or an empty string."""
        with self._database.reading() as sql:
            row = sql.execute("SELECT value FROM memory_state WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def write_note(self, name: str, value: str) -> None:
        """Store a note under ``name``, replacing the previous one. An index stores the name of its file, for example."""
        with self._database.writing() as sql:
            sql.execute("INSERT OR REPLACE INTO memory_state VALUES (?, ?)", (name, value))


def _select_rows(
    sql: sqlite3.Connection, where: str, values: Sequence[object], limit: int = -1, order: str = "n"
) -> list[tuple[int, Record]]:
    query = f"SELECT n, {_COLUMNS} FROM memory_records WHERE {where} ORDER BY {order} LIMIT {limit:d}"  # noqa: S608
    return [(int(row[0]), _decode_record(row[1:])) for row in sql.execute(query, values)]


def _decode_record(row: Sequence[object]) -> Record:
    values = dict(zip(_FIELDS, row, strict=True))
    values["success"] = None if values["success"] is None else bool(values["success"])
    return Record(**values)  # type: ignore[arg-type]


def _read_version(sql: sqlite3.Connection) -> int:
    row = sql.execute("SELECT value FROM memory_state WHERE name = 'clock'").fetchone()
    if row is not None and str(row[0]).isdecimal():
        return int(row[0])
    # The row of the clock is lost or damaged.
    queries = "SELECT max(version) FROM memory_records", "SELECT max(version) FROM memory_removed"
    return max(int(sql.execute(query).fetchone()[0] or 0) for query in queries)


def increment_version(sql: sqlite3.Connection) -> int:
    """Increment the counter of changes in the caller's transaction and return the new version."""
    version = _read_version(sql) + 1
    sql.execute("INSERT OR REPLACE INTO memory_state VALUES ('clock', ?)", (str(version),))
    return version


def delete_records(sql: sqlite3.Connection, numbers: Sequence[int]) -> int:
    """Delete records by number in the caller's transaction, and store the removals for the indexes; return how many
    were given.
    """
    if numbers:
        version = increment_version(sql)
        for number in numbers:
            sql.execute("DELETE FROM memory_records WHERE n = ?", (number,))
            sql.execute("INSERT INTO memory_removed VALUES (?, ?)", (number, version))
        query = "SELECT version FROM memory_removed ORDER BY version DESC LIMIT 1 OFFSET ?"
        for (horizon,) in sql.execute(query, (MAX_REMOVED,)).fetchall():
            sql.execute("DELETE FROM memory_removed WHERE version <= ?", (horizon,))
            sql.execute("INSERT OR REPLACE INTO memory_state VALUES (?, ?)", (HORIZON_NOTE, str(horizon)))
    return len(numbers)


def delete_expired(sql: sqlite3.Connection, before: int) -> dict[str, int]:
    """Delete dated episodes older than ``before`` (UTC ms) in the caller's transaction; return {"episodes": count}.

    One remains if an episode among the 100 preceding records is not older: then the clock was probably wrong.
    """
    query = (
        "SELECT n FROM memory_records AS old WHERE kind = 'episode' AND at > 0 AND at < :before AND NOT EXISTS"
        " (SELECT 1 FROM memory_records AS prior WHERE prior.n < old.n AND prior.n >= old.n - 100"
        " AND prior.kind = 'episode' AND prior.at >= :before)"
    )
    return {"episodes": delete_records(sql, [number for (number,) in sql.execute(query, {"before": before})])}
