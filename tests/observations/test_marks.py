"""Marks: a log is read on from where it was left, and says the same from there as when it is read as a whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.observations import marks
from mind_skills.observations.marks import Mark, needed, resumable
from mind_skills.observations.model import Observation, Session
from mind_skills.observations.read import open_log, read_session, still
from mind_skills.observations.readers import opencode_db

LOGS = ["claude_code/transcript.jsonl", "codex/rollout-0.169.jsonl", "gemini/chat-0.61.jsonl"]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mark at every line or two, and a head that is little more than the header."""
    monkeypatch.setattr(marks, "STRIDE", 600)
    monkeypatch.setattr(marks, "HEAD", 300)
    monkeypatch.setattr(opencode_db, "PART_STRIDE", 1)


def read_on(path: Path, mark: Mark) -> list[Observation]:
    """What is read from a mark on, without what the head says."""
    return [each for each in open_log(path, since=mark).observations if each.line >= mark.line]


def behind(session: Session, mark: Mark) -> list[Observation]:
    return [each for each in session.observations if each.line >= mark.line and each.agent == "main"]


@pytest.mark.parametrize("name", LOGS)
def test_from_every_mark_a_log_says_what_it_says_as_a_whole(log: Callable[[str], Path], name: str) -> None:
    whole = read_session(log(name))
    assert len(whole.marks) > 3
    for mark in whole.marks:
        assert still(log(name), mark)
        told = read_on(log(name), mark)
        assert [each for each in told if each in behind(whole, mark)] == behind(whole, mark)
        repeated = [each for each in told if each not in behind(whole, mark)]
        # Codex says a thing twice, as an item and as an event: a mark may lie between the two.
        assert all(each.text in {other.text for other in whole.observations} for each in repeated)


def test_the_head_is_read_all_the_same(log: Callable[[str], Path]) -> None:
    whole = read_session(log(LOGS[1]))
    resumed = open_log(log(LOGS[1]), since=whole.marks[-1])
    list(resumed.observations)
    header = [(each.session_id, each.project, each.lines) for each in (whole, resumed.session)]
    assert header[0] == header[1]


def test_what_stands_between_the_head_and_the_mark_is_not_read(tmp_path: Path, log: Callable[[str], Path]) -> None:
    text = log(LOGS[0]).read_bytes()
    lines = text.splitlines(keepends=True)
    path = tmp_path / "s.jsonl"
    path.write_bytes(lines[0] + b"not json\n" * 1000 + b"".join(lines[1:]))
    mark = next(each for each in read_session(path).marks if each.line > 1000)
    resumed = open_log(path, since=mark)
    list(resumed.observations)
    assert len([each for each in resumed.session.warnings if each.line > 300]) == 0


def test_a_session_of_the_database_is_read_on_from_its_messages(database: Path) -> None:
    whole = read_session(database)
    assert len(whole.marks) > 2
    for mark in whole.marks:
        assert still(database.with_name(f"opencode.db?session={whole.session_id}"), mark)
        assert read_on(database, mark) == behind(whole, mark)


def test_what_is_added_to_the_database_stands_behind_its_last_mark(database: Path) -> None:
    whole = read_session(database)
    with closing(sqlite3.connect(database)) as connection, connection:
        row = connection.execute("SELECT * FROM message WHERE session_id = ? ORDER BY id DESC", (whole.session_id,))
        last = list(row.fetchone())
        parts = [list(part) for part in connection.execute("SELECT * FROM part WHERE message_id = ?", (last[0],))]
        for values, table in [([f"{last[0]}z", *last[1:]], "message")] + [
            ([f"{part[0]}z", f"{last[0]}z", *part[2:]], "part") for part in parts
        ]:
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)
    grown = read_session(database)
    assert len(grown.observations) > len(whole.observations)
    assert read_on(database, whole.marks[-1]) == behind(grown, whole.marks[-1])


def changed(path: Path) -> Iterator[str]:
    """Every way in which a file stops being the one that was marked."""
    text = path.read_bytes()
    path.write_bytes(text.replace(b"a", b"b"))
    yield "rewritten"
    path.write_bytes(text[: len(text) // 8])
    yield "cut short"
    path.write_bytes(b"")
    yield "emptied"
    path.unlink()
    yield "gone"


def test_a_mark_of_a_file_that_is_another_now_does_not_hold(tmp_path: Path, log: Callable[[str], Path]) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(log(LOGS[0]).read_bytes())
    mark = read_session(path).marks[-1]
    assert still(path, mark)
    assert [(how, still(path, mark)) for how in changed(path)] == [
        ("rewritten", False),
        ("cut short", False),
        ("emptied", False),
        ("gone", False),
    ]


@given(
    st.sets(st.integers(0, 10_000)).map(lambda offsets: [Mark(offset + 1, offset, "x") for offset in sorted(offsets)]),
    st.integers(0, 10_000),
    st.integers(0, 5_000),
    st.integers(0, 5_000),
)
def test_the_marks_that_are_kept_serve_every_later_look(
    every: list[Mark], extent: int, grown: int, context: int
) -> None:
    kept = needed(every, extent, context)
    assert set(kept) <= set(every)
    assert resumable(kept, extent + grown, context) == resumable(every, extent + grown, context)
