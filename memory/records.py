"""The records themselves, in the state database: the truth that every index follows.

The tables: a step that has been released is never changed; a new one is added behind it. ``n`` is the number of a record
in every index, never used twice. ``version`` is the value of the clock (in ``memory_state``) at its last change: an index
that has followed up to a version lacks what has a higher one, among what was removed as well. The indexes stand in files
of their own, so that nothing that happens to them can harm what stands here.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields

from mind_skills.memory.model import Record, admit, clean_name
from mind_skills.store.database import Database

PACKAGE = "memory"

STEPS: tuple[tuple[str, ...], ...] = (
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
)

REMOVED = 10_000
"""Records that were forgotten and whose numbers are kept, for indexes that have not followed yet."""
HORIZON = "horizon"
"""The note of the version up to which such numbers are no longer kept."""
_FIELDS = [field.name for field in fields(Record)]
_COLUMNS = ", ".join(_FIELDS)
_PUT = (
    f"INSERT INTO memory_records (version, {_COLUMNS}) VALUES (?, {', '.join('?' * len(_FIELDS))})"  # noqa: S608
    f" ON CONFLICT (id) DO UPDATE SET version = excluded.version,"
    f" {', '.join(f'{each} = excluded.{each}' for each in _FIELDS if each != 'id')}"
)
_BATCH = 500
AT_ONCE = 2_000
"""Records for which a question waits where the lexicon has changed: a second of CPU. Where there are more, the index of the
older lexicon answers until another is built (memory/following.py)."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What an index has to do to be at ``version``: ``changed``, so many as ``count``, to be put in place of what has its
    number, ``removed`` numbers to be forgotten.

    ``changed`` are read while they are gone through, a batch at a time: one that changes meanwhile is of a later version.
    """

    version: int
    count: int
    changed: Iterable[tuple[int, Record]]
    removed: Sequence[int]


class Records:
    """The records of the state database. Each method is one transaction, and may raise StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def path(self) -> str:
        """Where the state database is."""
        return self._database.path

    def put(self, records: Iterable[Record]) -> int:
        """Keep records, each in place of the one that has its id; says how many there were. All or none."""
        rows = [admit(record) for record in records]
        if rows:
            with self._database.writing() as sql:
                version = tick(sql)
                sql.executemany(_PUT, ((version, *astuple(row)) for row in rows))
        return len(rows)

    def change(self, record_id: str, work: Callable[[Record], Record]) -> Record | None:
        """Put what ``work`` makes of a record in its place, and return it; None where there is none of that id."""
        with self._database.writing() as sql:
            found = _rows(sql, "id = ?", [clean_name(record_id)])
            if not found:
                return None
            changed = admit(work(found[0][1]))
            sql.execute(_PUT, (tick(sql), *astuple(changed)))
        return changed

    def remove(self, record_ids: Iterable[str]) -> int:
        """Forget records; says how many there were."""
        with self._database.writing() as sql:
            ids = [clean_name(each) for each in record_ids]
            return forget(sql, [n for each in ids for n, _ in _rows(sql, "id = ?", [each])])

    def keep_newest(self, kind: str, most: int) -> int:
        """Forget the oldest of a kind, until at most ``most`` are left; says how many those were."""
        with self._database.writing() as sql:
            older = "SELECT n FROM memory_records WHERE kind = ? ORDER BY at DESC, n DESC LIMIT -1 OFFSET ?"
            return forget(sql, [n for (n,) in sql.execute(older, (kind, max(0, most)))])

    def get(self, record_id: str) -> Record | None:
        with self._database.reading() as sql:
            found = _rows(sql, "id = ?", [clean_name(record_id)])
        return found[0][1] if found else None

    def by_number(self, numbers: Iterable[int]) -> dict[int, Record]:
        """The records of these numbers, as far as they are there."""
        wanted, found = list(numbers), dict[int, Record]()
        with self._database.reading() as sql:
            for start in range(0, len(wanted), _BATCH):
                some = wanted[start : start + _BATCH]
                found.update(_rows(sql, f"n IN ({', '.join('?' * len(some))})", some))
        return found

    def of(self, project: str, kinds: Sequence[str]) -> list[Record]:
        """The records of a project, of these kinds."""
        with self._database.reading() as sql:
            where = f"project = ? AND kind IN ({', '.join('?' * len(kinds))})"
            return [record for _, record in _rows(sql, where, [project, *kinds])]

    def all(self) -> Iterator[Record]:
        """Every record, in the order in which they first came, a batch at a time."""
        for _, record in self.numbered():
            yield record

    def numbered(self) -> Iterator[tuple[int, Record]]:
        """The same with their numbers."""
        last = 0
        while True:
            with self._database.reading() as sql:
                batch = _rows(sql, "n > ?", [last], _BATCH)
            yield from batch
            if len(batch) < _BATCH:
                return
            last = batch[-1][0]

    def count(self) -> int:
        """How many there are."""
        with self._database.reading() as sql:
            return int(sql.execute("SELECT count(*) FROM memory_records").fetchone()[0])

    def version(self) -> int:
        """The version of the newest change."""
        with self._database.reading() as sql:
            return _version(sql)

    def changes(self, since: int) -> Changes:
        """What has changed after a version."""
        with self._database.reading() as sql:
            removed = [n for (n,) in sql.execute("SELECT n FROM memory_removed WHERE version > ?", (since,))]
            [count] = sql.execute("SELECT count(*) FROM memory_records WHERE version > ?", (since,)).fetchone()
            upto = _version(sql)
        return Changes(upto, count, self._changed(since, upto), removed)

    def remembers_removals(self, since: int) -> bool:
        """Whether all that was removed after a version is still known: an index that is further behind is built anew."""
        horizon = self.state(HORIZON)
        return not horizon.isdecimal() or since >= int(horizon)

    def _changed(self, since: int, upto: int) -> Iterator[tuple[int, Record]]:
        last = (since, sys.maxsize)
        while True:
            with self._database.reading() as sql:
                batch = _rows(sql, "(version, n) > (?, ?) AND version <= ?", [*last, upto], _BATCH, by="version, n")
                at = sql.execute(
                    "SELECT version FROM memory_records WHERE n = ?", [batch[-1][0] if batch else 0]
                ).fetchone()
            yield from batch
            if len(batch) < _BATCH:
                return
            last = at[0], batch[-1][0]

    def state(self, about: str) -> str:
        """A note of an index about itself, empty where there is none."""
        with self._database.reading() as sql:
            row = sql.execute("SELECT value FROM memory_state WHERE name = ?", (about,)).fetchone()
        return str(row[0]) if row else ""

    def note(self, about: str, value: str) -> None:
        """Put down such a note."""
        with self._database.writing() as sql:
            sql.execute("INSERT OR REPLACE INTO memory_state VALUES (?, ?)", (about, value))


def _rows(
    sql: sqlite3.Connection, where: str, values: Sequence[object], most: int = -1, by: str = "n"
) -> list[tuple[int, Record]]:
    text = f"SELECT n, {_COLUMNS} FROM memory_records WHERE {where} ORDER BY {by} LIMIT {most:d}"  # noqa: S608
    return [(int(row[0]), _record(row[1:])) for row in sql.execute(text, values)]


def _record(row: Sequence[object]) -> Record:
    values = dict(zip(_FIELDS, row, strict=True))
    values["success"] = None if values["success"] is None else bool(values["success"])
    return Record(**values)  # type: ignore[arg-type]


def _version(sql: sqlite3.Connection) -> int:
    row = sql.execute("SELECT value FROM memory_state WHERE name = 'clock'").fetchone()
    if row is not None and str(row[0]).isdecimal():
        return int(row[0])
    newest = "SELECT max(version) FROM memory_records", "SELECT max(version) FROM memory_removed"
    return max(int(sql.execute(text).fetchone()[0] or 0) for text in newest)  # the row got lost: never behind them


def tick(sql: sqlite3.Connection) -> int:
    """The version of a change that is about to be made, inside the caller's transaction."""
    version = _version(sql) + 1
    sql.execute("INSERT OR REPLACE INTO memory_state VALUES ('clock', ?)", (str(version),))
    return version


def forget(sql: sqlite3.Connection, numbers: Sequence[int]) -> int:
    """Forget the records of these numbers, inside the caller's transaction; says how many there were."""
    if numbers:
        version = tick(sql)
        for n in numbers:
            sql.execute("DELETE FROM memory_records WHERE n = ?", (n,))
            sql.execute("INSERT INTO memory_removed VALUES (?, ?)", (n, version))
        older = "SELECT version FROM memory_removed ORDER BY version DESC LIMIT 1 OFFSET ?"
        for (horizon,) in sql.execute(older, (REMOVED,)).fetchall():
            sql.execute("DELETE FROM memory_removed WHERE version <= ?", (horizon,))
            sql.execute("INSERT OR REPLACE INTO memory_state VALUES (?, ?)", (HORIZON, str(horizon)))
    return len(numbers)


# -- retention: past sessions are forgotten, what was learned in them stays ----------------------------------------

_OLD = (
    "FROM memory_records AS old WHERE kind = 'episode' AND at > 0 AND at < :before AND NOT EXISTS (SELECT 1 FROM"
    " memory_records AS new WHERE new.n < old.n AND new.n >= old.n - 100 AND new.kind = 'episode' AND new.at >= :before)"
)
"""What was put down soon after something new is new: it was done by a clock that was behind."""


def prune(sql: sqlite3.Connection, before: int) -> dict[str, int]:
    """Forget what is older than ``before`` (UTC ms), inside the caller's transaction; how many episodes went."""
    return {"episodes": forget(sql, [n for (n,) in sql.execute(f"SELECT n {_OLD}", {"before": before}).fetchall()])}


def stale(sql: sqlite3.Connection, before: int) -> dict[str, int]:
    """How many ``prune`` would forget."""
    return {"episodes": int(sql.execute(f"SELECT count(*) {_OLD}", {"before": before}).fetchone()[0])}
