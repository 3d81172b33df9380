"""OpenCode's database: any bytes in the place of one, or any JSON in the place of its rows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from mind_skills.observations.readers import opencode_db, opencode_file
from tests.fuzz import seeds
from tests.fuzz.log_targets import read
from tests.fuzz.target import Target, chosen, promise, room
from tests.testkit.paths import FIXTURES

_SQLITE = b"SQLite format 3\x00"
NAME = "opencode.db"
ROWS = 400
_SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA page_size = 512;
CREATE TABLE session (id, directory, parent_id, time_created, time_updated);
CREATE TABLE message (id, session_id, data);
CREATE TABLE part (id, message_id, session_id, time_updated, data);
INSERT INTO session VALUES ('s', '/home/dev/project', NULL, 1, 2), ('t', '/home/dev/project', 's', 1, 2);
"""


@contextmanager
def _impatient() -> Iterator[None]:
    """The pauses between two attempts to open one that is being made: nobody else makes this one."""
    before = opencode_file.RETRY_SECONDS
    opencode_file.RETRY_SECONDS = 0.0
    try:
        yield
    finally:
        opencode_file.RETRY_SECONDS = before


def _database(data: bytes) -> None:
    """A session or a LogError; and what is asked of the database as a whole is an answer or an OSError."""
    path = room() / NAME
    for end in ("", "-wal", "-shm", "-journal"):
        (room() / f"{NAME}{end}").unlink(missing_ok=True)
    path.write_bytes(data if data.startswith(_SQLITE) else _built(data))
    with _impatient():
        first = read(path, "opencode-db")
        if chosen(data, 4) == 0:
            promise(read(path, "opencode-db") == first, "the same database is the same session")
        read(room() / f"{NAME}?session=s", "opencode-db")
        _asked(path)


def _asked(path: Path) -> None:
    try:
        promise(all(isinstance(name, str) for name in opencode_db.list_sessions(path)), "a session has a name")
        opencode_file.get_last_change(path)
        for name, _, at in opencode_db.list_changed_sessions(path, 0, 3):
            promise(isinstance(at, int), "a session changed at a time")
            opencode_db.get_extent(path.with_name(f"{NAME}?session={name}"))
    except OSError as error:
        promise(error.strerror, "what cannot be read has a reason")


def _built(data: bytes) -> bytes:
    """A database of these JSON lines: one in brackets is a part of the message before it, any other is a message.

    What stands in braces with ``session`` first replaces the row of a session; it is made in memory, which is cheap.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(_SCHEMA)
        message = 0
        for number, row in enumerate(data.split(b"\n")[:ROWS]):
            text: str | bytes
            try:
                text = row.decode()
            except UnicodeDecodeError:
                text = row
            if row.startswith(b'{"session":'):
                connection.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?)", _columns(row))
            elif row[:1] == b"[" and row[-1:] == b"]":
                values = (number, message, "s", number, text[1:-1])
                connection.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?)", values)
            else:
                message = number
                connection.execute("INSERT INTO message VALUES (?, ?, ?)", (number, "st"[number % 7 == 6], text))
        return connection.serialize()


def _columns(row: bytes) -> list[object]:
    """What stands in the list of ``{"session": [...]}``, as five values that SQLite takes; whatever it is."""
    try:
        given = json.loads(row)["session"]
    except (ValueError, LookupError, RecursionError):
        given = []
    values = [*given, None, None, None, None, None] if isinstance(given, list) else [given, None, None, None, None]
    return [_value(value) for value in values[:5]]


def _value(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    plain = value is None or isinstance(value, float) or (isinstance(value, int) and abs(value) < 2**63)
    return value if plain else repr(value)


def _rows() -> Iterator[bytes]:
    """Exports of OpenCode as ``_built`` takes them, and small databases."""
    for data in (*seeds.fixtures("opencode/export*.json"), *seeds.recorded("opencode-export")):
        try:
            messages = json.loads(data)["messages"]
        except (ValueError, KeyError):
            continue
        rows = []
        for message in messages:
            rows.append(json.dumps(message["info"]))
            rows += [f"[{json.dumps(part)}]" for part in message["parts"]]
        yield "\n".join(rows).encode()
    task = {"type": "tool", "tool": "task", "state": {"status": "completed", "metadata": {"sessionId": "t"}}}
    told = [{"role": "user"}, {"session": ["u", "/home/dev/project", "s", 1, 1781748890278]}, {"role": "assistant"}]
    yield "\n".join([*map(json.dumps, told), f"[{json.dumps(task)}]", "[not JSON]", "[[1]]"]).encode()
    path = room() / "seed.db"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA page_size = 512")
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript((FIXTURES / "opencode/database-1.18.sql").read_text())
    yield path.read_bytes()
    path.unlink()


TARGETS = (
    Target(
        "opencode_db",
        _database,
        _rows,
        ("observations/readers/opencode_db.py", "observations/readers/opencode_file.py"),
        ("session", "sessionId", "task"),
    ),
)
