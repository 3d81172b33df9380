"""What OpenCode's plugin file left in the spool is imported once, whatever it is."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.hooks.recover import IDLE_TIMEOUT_MS, is_over
from mind_skills.hooks.session_state import HookCall, SessionMarkers
from mind_skills.plugin import pausing
from mind_skills.plugin.opencode import SPOOL_FOLDER
from mind_skills.plugin.opencode.spool import (
    UNREADABLE_SETTINGS_SECONDS,
    drain_spool,
    parse_calls,
    parse_writer,
)
from mind_skills.staging.ledger import Ledger
from mind_skills.store import processes
from tests.plugin.adapters.hook_host import Host
from tests.testkit.paths import ROOT

FIXTURES = ROOT / "fixtures" / "opencode"
GONE = 2**22 + 1
"""A number that Linux gives to no process."""


def payload(**more: Any) -> dict[str, Any]:
    base = {"event": "idle", "sessionID": "ses_0001", "directory": str(ROOT), "database": "/x/opencode.db", "pid": 4242}
    return {**base, "at": 5, **more}


def spooled(home: Path, pid: int, *lines: dict[str, Any] | str) -> Path:
    folder = home / SPOOL_FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{pid}.jsonl"
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def test_the_recorded_spool_is_read() -> None:
    assert [(found.source, found.at) for found in parse_calls((FIXTURES / "spool.jsonl").read_bytes())] == [
        ("startup", 1795230000000),
        ("idle", 1795230000000),
    ]


def test_the_sessions_of_a_dead_process_are_registered_once_and_its_file_is_removed(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    home = str(tmp_path / "state")
    lines: list[dict[str, Any] | str] = [
        payload(event="start", pid=GONE, at=5),
        payload(pid=GONE, at=9),
        '{"event": "idle", "sess',
    ]
    path = spooled(tmp_path / "state", GONE, *lines, payload(sessionID="ses_0002", pid=GONE, at=7))
    (path.parent / f"{GONE}-3.json").write_text("{}")  # a payload that no reader took
    assert drain_spool(home) == []
    assert list(path.parent.iterdir()) == []
    with Ledger.open(home) as ledger:
        found = [(seen.session_id, seen.seen_at, seen.log) for seen in ledger.list_unfinished()]
    assert found == [
        ("ses_0001", 9, "/x/opencode.db?session=ses_0001"),
        ("ses_0002", 7, "/x/opencode.db?session=ses_0002"),
    ]
    assert drain_spool(home) == []


def test_the_file_of_a_running_process_stays(tmp_path: Path) -> None:
    path = spooled(tmp_path, os.getpid(), payload(pid=os.getpid()))
    assert drain_spool(str(tmp_path)) == []
    assert path.exists()
    assert SessionMarkers(str(tmp_path), "ses_0001").running.read() == processes.describe_process(os.getpid())


def spool_name(words: str) -> str:
    pid, start, boot, space = words.split(" ")
    return f"{pid}.{start}.{boot}.{space[5:-1]}.jsonl"


def rename(path: Path, words: str) -> Path:
    return path.rename(path.with_name(spool_name(words)))


OURS = processes.describe_process(os.getpid())
needs_proc = pytest.mark.skipif(
    len(OURS.split(" ")) != 4 or "  " in OURS, reason="this system says little of processes"
)


@needs_proc
def test_a_file_that_describes_its_process_fully_stays_while_that_process_runs(tmp_path: Path) -> None:
    path = rename(spooled(tmp_path, os.getpid(), payload(pid=os.getpid())), OURS)
    assert drain_spool(str(tmp_path)) == []
    assert path.exists()
    assert SessionMarkers(str(tmp_path), "ses_0001").running.read() == OURS


@needs_proc
def test_a_file_whose_process_number_was_reused_is_imported_and_removed(tmp_path: Path) -> None:
    pid, _, boot, space = OURS.split(" ")
    words = f"{pid} 1 {boot} {space}"
    path = rename(spooled(tmp_path, os.getpid(), payload(pid=os.getpid())), words)
    payload_left = path.with_name(path.name.replace(".jsonl", "-7.json"))
    payload_left.write_text("{}")
    assert drain_spool(str(tmp_path)) == []
    assert list(path.parent.iterdir()) == []
    with Ledger.open(str(tmp_path)) as ledger:
        (seen,) = ledger.list_unfinished()
    assert is_over(str(tmp_path), seen, seen.seen_at)


@needs_proc
@pytest.mark.parametrize("pid", [os.getpid(), GONE], ids=["runs", "gone"])
def test_a_file_of_another_container_stays_until_it_is_old_and_silence_ends_its_session(
    tmp_path: Path, pid: int
) -> None:
    words = f"{pid} 1 {OURS.split(' ')[2]} pid:[1]"
    path = rename(spooled(tmp_path, pid, payload(event="start", pid=pid)), words)
    assert drain_spool(str(tmp_path)) == []
    with Ledger.open(str(tmp_path)) as ledger:
        (seen,) = ledger.list_unfinished()
    assert path.exists()
    assert [
        is_over(str(tmp_path), seen, seen.seen_at + silent) for silent in (IDLE_TIMEOUT_MS, IDLE_TIMEOUT_MS + 1)
    ] == [False, True]
    os.utime(path, (1, 1))
    assert drain_spool(str(tmp_path)) == []
    assert not path.exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("42.jsonl", "42"),
        ("42-3.json", "42"),
        ("42.8.0-1.402.jsonl", "42 8 0-1 pid:[402]"),
        ("42.8.0-1.402-12.json", "42 8 0-1 pid:[402]"),
        ("42..0-1.402.jsonl", "42"),
        (".jsonl", ""),
        ("notes.txt", ""),
    ],
)
def test_the_name_of_a_spool_file_describes_its_process(name: str, words: str) -> None:
    assert parse_writer(name) == words


def write_unreadable_settings(project: Path) -> Path:
    """Writes settings of the project that may disable it, and cannot be read."""
    path = project / ".claude" / "mind-skills.toml"
    path.parent.mkdir(parents=True)
    path.write_text("enabled = \n")
    return path


def list_registered(home: Path) -> list[str]:
    with Ledger.open(str(home)) as ledger:
        return [seen.session_id for seen in ledger.list_unfinished()]


def test_a_file_waits_a_week_for_unreadable_settings_and_is_then_removed(tmp_path: Path) -> None:
    state, project = tmp_path / "state", tmp_path / "project"
    state.mkdir()
    settings = write_unreadable_settings(project)
    path = spooled(state, GONE, payload(event="start", pid=GONE, directory=str(project)))
    os.utime(path, (time.time() - UNREADABLE_SETTINGS_SECONDS + 3600,) * 2)
    (problem,) = drain_spool(str(state))
    assert (problem.startswith(f"{path} has not been imported yet: "), str(settings) in problem, path.exists()) == (
        True,
        True,
        True,
    )
    os.utime(path, (time.time() - UNREADABLE_SETTINGS_SECONDS - 1,) * 2)
    assert (drain_spool(str(state)), path.exists(), list_registered(state)) == ([], False, [])


def test_the_file_of_a_running_process_stays_however_long_settings_are_unreadable(tmp_path: Path) -> None:
    state, project = tmp_path / "state", tmp_path / "project"
    state.mkdir()
    settings = write_unreadable_settings(project)
    path = spooled(state, os.getpid(), payload(event="start", pid=os.getpid(), directory=str(project)))
    os.utime(path, (1, 1))
    assert (drain_spool(str(state)), path.exists(), list_registered(state)) == ([], True, [])
    settings.unlink()
    assert (drain_spool(str(state)), path.exists(), list_registered(state)) == ([], True, ["ses_0001"])


def test_unreadable_settings_of_one_project_do_not_delay_another(tmp_path: Path) -> None:
    state, project = tmp_path / "state", tmp_path / "project"
    state.mkdir()
    settings = write_unreadable_settings(project)
    mine = payload(event="start", pid=GONE, directory=str(project))
    path = spooled(state, GONE, mine, payload(sessionID="ses_0002", pid=GONE))
    waits = [problem.partition(" has not been imported yet: ")[0] for problem in drain_spool(str(state))]
    assert (waits, list_registered(state)) == ([str(path)], ["ses_0002"])
    settings.unlink()
    assert (drain_spool(str(state)), sorted(list_registered(state)), path.exists()) == (
        [],
        ["ses_0001", "ses_0002"],
        False,
    )


@given(st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=40))
def test_no_file_name_makes_the_check_of_its_process_raise(name: str) -> None:
    assert processes.is_running(parse_writer(name)) in (True, False, None)
    assert processes.is_alive(int("9" * 30)) is False


def test_a_session_that_was_resumed_belongs_to_the_process_that_resumed_it(tmp_path: Path) -> None:
    home = str(tmp_path)
    spooled(tmp_path, os.getpid(), payload(event="start", pid=os.getpid(), at=20))
    drain_spool(home)
    spooled(tmp_path, GONE, payload(pid=GONE, at=10))
    drain_spool(home)
    assert SessionMarkers(home, "ses_0001").running.read() == processes.describe_process(os.getpid())


def test_an_older_line_of_a_dead_process_does_not_reopen_a_finished_session(tmp_path: Path) -> None:
    home = str(tmp_path)
    spooled(tmp_path, GONE, payload(event="start", pid=GONE, at=10))
    drain_spool(home)
    with Ledger.open(home) as ledger:
        ledger.finish_session("ses_0001", 15)
    spooled(tmp_path, GONE, payload(pid=GONE, at=12))
    drain_spool(home)
    with Ledger.open(home) as ledger:
        assert ledger.list_unfinished() == []


def test_malformed_lines_of_the_spool_are_skipped(tmp_path: Path) -> None:
    path = spooled(tmp_path, GONE, "[]", "null", "{}", "\x00", '{"event": "start"}', payload(directory=3))
    assert list(parse_calls(path.read_bytes())) == []


@given(st.binary(max_size=300))
def test_no_content_of_the_spool_makes_reading_it_raise(content: bytes) -> None:
    assert all(isinstance(found, HookCall) for found in parse_calls(content))


def test_a_folder_or_symlink_in_the_spool_is_reported_and_the_other_files_are_imported(tmp_path: Path) -> None:
    path = spooled(tmp_path, GONE, payload(pid=GONE))
    (path.parent / "1.jsonl").mkdir()
    (path.parent / "2.jsonl").symlink_to("/etc/passwd")
    assert drain_spool(str(tmp_path)) == [
        f"{path.parent}/1.jsonl was skipped: Is a directory",
        f"{path.parent}/2.jsonl was skipped: Too many levels of symbolic links",
    ]
    assert not path.exists()


def test_a_recover_event_imports_the_spool_prints_nothing_and_leaves_nothing(host: Host) -> None:
    host.command = [sys.executable, "-I", "-S", str(ROOT / "plugin" / "entry.py"), "opencode"]
    given = payload(event="recover", sessionID="", directory=str(host.project), pid=os.getpid())
    spooled(host.state, GONE, payload(event="start", pid=GONE, directory=str(host.project)))
    assert host.hook(given) == (0, b"", b"")
    host.settle()
    with Ledger.open(host.state) as ledger:
        assert (ledger.list_unfinished(), ledger.find_session("ses_0001") is not None) == ([], True)
    assert (host.log(), list((host.state / SPOOL_FOLDER).iterdir())) == ("", [])
    assert [path for path in (host.state / "ending").rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("off", ["paused", "disabled"])
@pytest.mark.parametrize("event", ["start", "idle", "end"])
def test_a_hook_removes_the_spool_of_its_own_process_while_mind_skills_is_off(host: Host, off: str, event: str) -> None:
    host.command = [sys.executable, "-I", "-S", str(ROOT / "plugin" / "entry.py"), "opencode"]
    noted = payload(event="start", pid=os.getpid(), directory=str(host.project))
    mine = rename(spooled(host.state, os.getpid(), noted), OURS)
    others = spooled(host.state, int(f"{os.getpid()}1"), payload())
    if off == "paused":
        pausing.pause(str(host.state))
    else:
        (host.project / ".claude").mkdir()
        (host.project / ".claude" / "mind-skills.toml").write_text("enabled = false\n")
    assert host.hook(payload(event=event, pid=os.getpid(), directory=str(host.project))) == (0, b"", b"")
    host.settle()
    assert (mine.exists(), others.exists(), host.log()) == (False, True, "")
