"""What the child process does with one file, and when it ends. These tests need no extra."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from mind_skills.errors import LogError
from mind_skills.fleet.child import LogReader, Task, read_file
from mind_skills.fleet.listing import Entry
from mind_skills.fleet.rows import name_week
from tests.fleet.poison import read_poisoned
from tests.testkit.paths import DEMO, FIXTURES

KEY = b"k" * 32


def make_task(path: Path, *, seconds: float = 60.0, with_titles: bool = False, is_named: bool = False) -> Task:
    size = path.stat().st_size if path.exists() else 0
    return Task(Entry(str(path), size, 1, is_named), str(path), seconds, KEY, with_titles=with_titles)


def test_a_session_becomes_a_row_without_its_texts() -> None:
    (row,) = read_file(make_task(DEMO))
    assert (row["status"], row["host"], row["week"], row["findings"][0]["kind"]) == (
        "read", "claude-code", "2026-W10", "error_fix",
    )  # fmt: skip
    texts = json.dumps(row)
    assert [name for name in ("/home/dev", "shop", "invoice", "5d0c3f6e", str(DEMO)) if name in texts] == []
    (row,) = read_file(make_task(DEMO, with_titles=True))
    assert row["uri"] == str(DEMO)
    assert row["findings"][0]["title"]


def test_two_attempts_at_one_task_are_two_sessions_and_two_copies_of_a_log_are_one(tmp_path: Path) -> None:
    sessions: list[str] = []
    for source in (DEMO, FIXTURES / "swe_agent" / "session.traj", FIXTURES / "mini_swe_agent" / "session.traj.json"):
        for folder in (tmp_path / "1", tmp_path / "2"):
            folder.mkdir(exist_ok=True)
            (row,) = read_file(make_task(Path(shutil.copy(source, folder))))
            sessions.append(row["session"])
    assert [len({*sessions[start : start + 2]}) for start in (0, 2, 4)] == [1, 2, 2]


@pytest.mark.parametrize(
    ("name", "text", "is_named", "expected"),
    [
        ("settings.json", '{"theme": "dark"}', False, ("passed_over", "unknown_format")),
        ("settings.json", '{"theme": "dark"}', True, ("set_aside", "unknown_format")),
        ("empty.jsonl", "", False, ("set_aside", "empty")),
    ],
)
def test_a_file_without_a_session_has_a_row_with_the_reason(
    tmp_path: Path, name: str, text: str, is_named: bool, expected: tuple[str, str]
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    (row,) = read_file(make_task(tmp_path / name, is_named=is_named))
    assert (row["status"], row["reason"]) == expected


def test_weeks_are_named_as_in_iso_8601() -> None:
    assert [name_week(at) for at in (1_772_442_845_000, 0, None, -5, 10**20)] == ["2026-W10", "", "", "", ""]


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_the_reader_continues_with_a_new_child_after_one_has_died(tmp_path: Path) -> None:
    reader = LogReader(1_000_000_000)
    names = ("segfault", "first", "exit", "memory", "second", "loop", "third")
    try:
        for name in names:
            path = tmp_path / f"{name}.jsonl"
            shutil.copy(DEMO, path)
            reader.send(read_poisoned, make_task(path, seconds=1.0 if name == "loop" else 60.0))
        answers = [receive(reader) for _ in names]
    finally:
        reader.stop()
    assert answers == ["worker_died", 1, "worker_died", "memory", 1, "timeout", 1]


def receive(reader: LogReader) -> int | str:
    """Return the number of rows, or the code of the error."""
    try:
        return len(reader.receive())
    except LogError as failure:
        return failure.code
