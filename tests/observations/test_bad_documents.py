"""A document that cannot be parsed is a warning; one that cannot be read, or an invalid database, is an error."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from mind_skills.errors import LogError
from mind_skills.observations.logfile import MAX_DOCUMENT_BYTES
from mind_skills.observations.read import detect_format, open_log, read_session
from tests.testkit.paths import FIXTURES

WriteLog = Callable[[bytes], Path]
DOCUMENTS = {
    "opencode-export": "opencode/export-1.18.json",
    "swe-agent-traj": "swe_agent/session.traj",
    "mini-swe-traj": "mini_swe_agent/session.traj.json",
    "gemini": "gemini/chat-document.json",
}


@pytest.mark.parametrize("format_name", DOCUMENTS)
def test_a_byte_order_mark_before_a_document_is_ignored(write_log: WriteLog, format_name: str) -> None:
    good = FIXTURES / DOCUMENTS[format_name]
    path = write_log(b"\xef\xbb\xbf" + good.read_bytes())
    assert detect_format(path) == format_name
    assert read_session(path, format_name).observations == read_session(good).observations


@pytest.mark.parametrize("format_name", DOCUMENTS)
def test_comments_before_a_document_are_ignored(write_log: WriteLog, format_name: str) -> None:
    good = FIXTURES / DOCUMENTS[format_name]
    read = read_session(write_log(b"// where it is from\n\n# what it shows\n" + good.read_bytes()))
    assert (read.format, read.observations, read.warnings) == (format_name, read_session(good).observations, [])


@pytest.mark.parametrize("format_name", ["opencode-export", "swe-agent-traj", "mini-swe-traj"])
def test_a_document_over_the_size_limit_is_an_error(tmp_path: Path, format_name: str) -> None:
    path = tmp_path / "log"
    with path.open("wb") as handle:
        handle.truncate(MAX_DOCUMENT_BYTES + 1)
    with pytest.raises(LogError, match=r"^larger than 48 MB, which is the limit for a single JSON document$") as caught:
        read_session(path, format_name)
    assert (caught.value.code, "eight times its size in memory" in caught.value.hint) == ("too_large", True)
    assert ("opencode.db" in caught.value.hint) == (format_name == "opencode-export")


@pytest.mark.parametrize("format_name", ["opencode-export", "swe-agent-traj", "mini-swe-traj", "gemini"])
def test_a_deeply_nested_document_is_a_warning(write_log: WriteLog, format_name: str) -> None:
    session = read_session(write_log(b'{\n"messages":' + b"[" * 100_000 + b"]" * 100_000 + b"\n}"), format_name)
    assert session.observations == []
    assert session.warnings


@pytest.mark.parametrize("format_name", DOCUMENTS)
def test_a_truncated_document_is_a_warning(write_log: WriteLog, format_name: str) -> None:
    data = (FIXTURES / DOCUMENTS[format_name]).read_bytes()
    session = read_session(write_log(data[: len(data) // 2]), format_name)
    assert session.observations == []
    assert session.warnings


def test_a_file_that_is_not_a_database_is_an_error(write_log: WriteLog) -> None:
    for data in (b"SQLite format 3\x00", b"SQLite format 3\x00" + b"\xff" * 5000, b"text"):
        with pytest.raises(LogError) as caught:
            read_session(write_log(data), "opencode-db")
        assert caught.value.code == "unreadable"


def test_a_database_of_another_program_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE session (id)")
    with pytest.raises(LogError, match="not a readable OpenCode database"):
        read_session(path)


def test_an_unknown_session_of_a_database_is_an_error(database: Path) -> None:
    with pytest.raises(LogError, match="no session ses_none in this database"):
        list(open_log(database.with_name("opencode.db?session=ses_none"), "opencode-db").observations)


def test_a_database_row_that_is_not_json_is_a_warning(database: Path) -> None:
    whole = read_session(database).observations
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE part SET data = '{broken' WHERE data LIKE '%thinking 3%'")
        connection.execute("UPDATE part SET data = '[]' WHERE data LIKE '%thinking 5%'")
        connection.execute("UPDATE part SET data = x'ff' WHERE data LIKE '%thinking 6%'")
    session = read_session(database)
    assert session.observations == [o for o in whole if o.text not in ("thinking 3", "thinking 5", "thinking 6")]
    assert [w.line for w in session.warnings] == [5, 7, 8]
