from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mind_skills.observations.find_logs import find_logs
from tests.testkit.paths import DEMO


def copy_demo_log(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(DEMO, path)
    return path


def find(*paths: Path) -> tuple[list[Path], list[tuple[Path, str]], int]:
    found = find_logs([str(path) for path in paths])
    return [log.path for log in found.logs], [(path, error.code) for path, error in found.errors], found.skipped_files


def test_a_name_that_is_too_long_is_an_error_of_that_name(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 300)
    assert find(path) == ([], [(path, "unreadable")], 0)


def test_all_logs_in_a_folder_are_found_in_order(tmp_path: Path) -> None:
    logs = [copy_demo_log(tmp_path / name) for name in ("a/1.jsonl", "b/2.traj", "b/c/3.json", "z.jsonl")]
    (tmp_path / "notes.txt").write_text("not a log by its suffix", encoding="utf-8")
    assert sorted(find(tmp_path)[0]) == logs
    assert find(tmp_path)[1:] == ([], 0)
    assert find_logs([str(tmp_path)]).other_files == 1


def test_a_named_file_is_tried_whatever_it_is_called(tmp_path: Path) -> None:
    log = copy_demo_log(tmp_path / "log.of-today")
    assert find(log) == ([log], [], 0)


def test_a_log_that_is_named_twice_or_symlinked_is_found_once(tmp_path: Path) -> None:
    log = copy_demo_log(tmp_path / "a.jsonl")
    (tmp_path / "b.jsonl").symlink_to(log)
    assert find(log, log, tmp_path)[0] == [log]


def test_a_session_that_is_named_together_with_its_database_is_found_once(database: Path) -> None:
    sessions = find(database)[0]
    assert sessions
    assert find(database, sessions[0])[0] == sessions
    assert find(sessions[-1], database)[0] == [sessions[-1], *sessions[:-1]]


def test_a_folder_with_a_symlink_to_itself_is_searched_once(tmp_path: Path) -> None:
    log = copy_demo_log(tmp_path / "a.jsonl")
    (tmp_path / "again").symlink_to(tmp_path)
    assert find(tmp_path)[0] == [log]


def test_a_subagent_log_is_found_only_if_the_log_of_its_session_is_missing(tmp_path: Path) -> None:
    log = copy_demo_log(tmp_path / "one.jsonl")
    copy_demo_log(tmp_path / "one/subagents/agent-1.jsonl")
    alone = copy_demo_log(tmp_path / "two/subagents/agent-2.jsonl")
    assert sorted(find(tmp_path)[0]) == [log, alone]


def test_a_chat_that_a_newer_version_copied_is_found_once(tmp_path: Path) -> None:
    chats = tmp_path / "chats"
    copied = copy_demo_log(chats / "session-2026-01-02T03-04-0a1b2c3d.json")
    logs = [copy_demo_log(path) for path in (copied.with_suffix(".jsonl"), chats / "session-2026-01-03.json")]
    assert sorted(find(tmp_path)[0]) == sorted(logs)
    assert find(copied)[0] == [copied]


def test_foreign_files_are_skipped_in_a_folder_but_reported_when_named(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "shop"}', encoding="utf-8")
    with closing(sqlite3.connect(tmp_path / "other.db")) as database:
        database.execute("CREATE TABLE t (x)")
        database.commit()
    assert find(tmp_path) == ([], [], 2)
    assert find(tmp_path / "package.json") == ([], [(tmp_path / "package.json", "unknown_format")], 0)


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("empty.jsonl", b"", "empty"),
        ("empty.json", b"", "empty"),
        ("zeros.jsonl", b"\0" * 5000, "broken"),
        ("zeros.db", b"\0" * 4096, "broken"),
        ("zeros.json", b"\n" + b"\0" * 100_000, "broken"),
        ("binary.jsonl", bytes(range(256)) * 20, "unknown_format"),
        ("binary.json", bytes(range(256)) * 20, "unknown_format"),
        ("binary.db", bytes(range(256)) * 20, "unknown_format"),
        ("prose.traj", b"once upon a time", "unknown_format"),
    ],
)
def test_unreadable_files_are_reported_and_the_rest_is_read(tmp_path: Path, name: str, data: bytes, code: str) -> None:
    log = copy_demo_log(tmp_path / "good.jsonl")
    bad = tmp_path / name
    bad.write_bytes(data)
    assert find(tmp_path) == ([log], [(bad, code)], 0)


def test_a_missing_path_is_reported(tmp_path: Path) -> None:
    assert find(tmp_path / "gone") == ([], [(tmp_path / "gone", "not_found")], 0)
    (tmp_path / "dangling.jsonl").symlink_to(tmp_path / "gone")
    assert find(tmp_path) == ([], [(tmp_path / "dangling.jsonl", "not_found")], 0)


def test_an_empty_folder_is_not_an_error(tmp_path: Path) -> None:
    assert find(tmp_path) == ([], [], 0)


def test_a_pipe_without_a_writer_does_not_block(tmp_path: Path) -> None:
    log = copy_demo_log(tmp_path / "good.jsonl")
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert find(tmp_path) == ([log], [(tmp_path / "pipe.jsonl", "not_a_file")], 0)
    assert find(tmp_path / "pipe.jsonl") == ([], [(tmp_path / "pipe.jsonl", "not_a_file")], 0)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_folder_is_reported(tmp_path: Path) -> None:
    log = copy_demo_log(tmp_path / "good.jsonl")
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    assert find(tmp_path) == ([log], [(closed, "unreadable")], 0)


def test_with_a_format_the_content_is_not_checked(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"once upon a time")
    assert find_logs([str(path)], "claude-code").logs == [(path, "claude-code")]
