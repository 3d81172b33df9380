from __future__ import annotations

import io
import json
import os
import pty
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mind_skills.cli import replay
from mind_skills.observations.find_logs import Log
from mind_skills.observations.open_file import describe_compressed
from mind_skills.output.document import to_json
from mind_skills.staging.analyse import Analysis, analyse
from tests.testkit.examples import examples
from tests.testkit.paths import DEMO

TOTALS_OF_ONE = {"sessions": 1, "observations": 24, "candidates": 1, "failed": 0}


def listing(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file under a folder with its time of change and content."""
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in sorted(folder.rglob("*"))
    }


def test_replay_writes_no_file(mind_skills: Callable[..., Any], apart: Path) -> None:
    log = apart / "project/session.jsonl"
    shutil.copy(DEMO, log)
    before = listing(apart)
    assert mind_skills("replay", log, apart).code == 0
    assert listing(apart) == before


def test_a_compressed_log_is_named_by_every_command_that_reads_logs(
    mind_skills: Callable[..., Any], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("observations.find_logs", "observations.read", "watch.watched_files"):
        monkeypatch.setattr(f"mind_skills.{module}.can_decompress", lambda: False)
    log = home / ".codex/sessions/2026/01/02/rollout-a.jsonl.zst"
    log.parent.mkdir(parents=True)
    log.write_bytes(b"\x28\xb5\x2f\xfd\x00")
    told = describe_compressed([str(log)])
    replayed, watched = mind_skills("replay", "--json"), mind_skills("watch", "--once", "--json")
    assert (replayed.json["compressed"], watched.json["problems"]) == ([str(log)], [told])
    for command in (("replay",), ("replay", home / ".codex"), ("watch", "--once")):
        assert mind_skills(*command).err.splitlines()[:1] == [told], command


def test_a_broken_line_is_a_warning_of_its_session(mind_skills: Callable[..., Any], tmp_path: Path) -> None:
    lines = DEMO.read_bytes().splitlines()
    log = tmp_path / "session.jsonl"
    log.write_bytes(b"\n".join([*lines[:5], b"{broken", *lines[5:]]))
    document = mind_skills("replay", log, "--json").json
    assert ([warning["line"] for warning in document["sessions"][0]["warnings"]], document["errors"]) == ([6], [])


def test_up_to_ten_learnings_of_paths_are_printed_whole_and_more_as_a_table(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = str(DEMO)
    (session,) = mind_skills("replay", log, "--json").json["sessions"]
    (learning,) = session["candidates"]
    head = f"{log}\n  claude-code, 24 observations; helpful 0.86; {session['outcome']['reasoning']}\n"
    shown = mind_skills("replay", log).out
    assert shown.startswith(f"{head}\n  {learning['title']}\n    failed: run pytest tests/test_invoice.py: failed E ")
    assert f"\n    {learning['probability']:.0%} of such episodes are learnings; error and fix; lines 3-21\n" in shown
    end = "\n1 session, 24 observations, 1 candidate, 0 unreadable\n"
    assert shown.endswith(end)
    monkeypatch.setattr(replay, "MAX_DETAILED", 0)
    row = f"{learning['confidence']}\t{learning['probability']:.2f}\terror and fix\t3-21\t{learning['title']}\n"
    table = f"confidence\tprobability\tkind\tlines\ttitle\n{row}"
    assert mind_skills("replay", log) == (0, f"{head}{table}{end}", "")


def test_a_log_that_vanishes_before_it_is_read_is_a_not_found_error(tmp_path: Path) -> None:
    result = replay.read_log(Log(tmp_path / "gone.jsonl", "claude-code"))
    assert (result.report, result.error and result.error.code) == (None, "not_found")


def test_a_path_that_is_not_utf8_is_reported_with_replacement_characters(
    mind_skills: Callable[..., Any], tmp_path: Path
) -> None:
    log = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jsonl"))
    shutil.copy(DEMO, log)
    done = mind_skills("replay", log, "--json")
    assert (done.code, done.json["sessions"][0]["path"]) == (0, f"{tmp_path}/caf\ufffd.jsonl")


def test_escape_sequences_in_a_file_name_are_not_printed(mind_skills: Callable[..., Any], tmp_path: Path) -> None:
    log = tmp_path / "\x1b[2J\x1b]0;owned\x07.jsonl"
    shutil.copy(DEMO, log)
    assert "\x1b" not in mind_skills("replay", log).out


def test_a_bug_in_reading_one_log_exits_with_code_three_and_the_others_are_reported(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copy(DEMO, tmp_path / "bad.jsonl")
    sound = analyse

    def faulty(path: Path, **more: Any) -> Analysis:
        if path.name == "bad.jsonl":
            raise ZeroDivisionError
        return sound(path, **more)

    monkeypatch.setattr(replay, "analyse", faulty)
    done = mind_skills("replay", tmp_path, DEMO, "--json", "--jobs", "1")
    (error,) = done.json["errors"]
    assert (done.code, error["code"], done.json["totals"]) == (3, "bug", TOTALS_OF_ONE | {"failed": 1})
    assert "paste these lines" in error["hint"]


@pytest.mark.process
def test_several_jobs_give_the_same_document_as_one(mind_skills: Callable[..., Any], tmp_path: Path) -> None:
    for number in range(7):
        shutil.copy(DEMO, tmp_path / f"{number}.jsonl")
    (tmp_path / "3.jsonl").write_bytes(b"")
    assert mind_skills("replay", tmp_path, "--json", "--jobs", "3") == mind_skills(
        "replay", tmp_path, "--json", "--jobs", "1"
    )


def test_every_session_of_an_opencode_database_is_read(mind_skills: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE session (id, directory, parent_id, time_created, time_updated)")
        database.execute("CREATE TABLE message (id, session_id, data)")
        database.execute("CREATE TABLE part (id, message_id, data)")
        rows = [("ses_a", "/p", None, 1, 2), ("ses_b", "/p", None, 1, 3), ("ses_c", "/p", "ses_a", 1, 4)]
        database.executemany("INSERT INTO session VALUES (?, ?, ?, ?, ?)", rows)
        database.commit()
    document = mind_skills("replay", tmp_path, "--json").json
    assert [session["sessionId"] for session in document["sessions"]] == ["ses_b", "ses_a"]
    one = mind_skills("replay", f"{path}?session=ses_a", "--json").json
    assert ([session["sessionId"] for session in one["sessions"]], one["errors"]) == (["ses_a"], [])
    gone = mind_skills("replay", f"{path}?session=ses_z", "--json")
    assert (gone.code, [error["code"] for error in gone.json["errors"]]) == (1, ["not_found"])


def test_progress_is_shown_on_a_terminal_only_and_never_on_stdout(tmp_path: Path) -> None:
    for number in range(3):
        shutil.copy(DEMO, tmp_path / f"{number}.jsonl")
    program = "from mind_skills.plugin.cli import main; main()"
    command = [sys.executable, "-c", program, "replay", str(tmp_path), "--json", "--jobs", "1"]
    leader, follower = pty.openpty()
    with os.fdopen(leader, "rb", buffering=0) as screen:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=follower, check=True, env={"TERM": "xterm"})
        os.write(follower, b"\nEND\n")
        os.close(follower)
        shown = b""
        while b"END" not in shown:
            shown += screen.read(65536)
    assert b"Reading" in shown
    assert json.loads(done.stdout)["totals"]["sessions"] == 3
    quiet = subprocess.run(command, capture_output=True, check=True)
    assert (quiet.stderr, quiet.stdout) == (b"", done.stdout)


LINES = st.one_of(st.binary(max_size=60), st.sampled_from(DEMO.read_bytes().splitlines()))


@given(st.lists(LINES, max_size=12), st.integers(0, 40))
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_file_yields_either_a_report_or_an_error_but_no_bug(tmp_path: Path, lines: list[bytes], cut: int) -> None:
    log = tmp_path / "any.jsonl"
    data = b"\n".join(lines)
    log.write_bytes(data[: len(data) - cut] if cut else data)
    result = replay.read_log(Log(log, "claude-code"))
    document = replay.make_report([result])
    assert (result.report is None) != (result.error is None)
    assert result.error is None or result.error.code != "bug"
    assert document.totals.sessions + document.totals.failed == 1
    json.loads(to_json(document))


def test_a_hyphen_reads_a_log_from_stdin_and_leaves_no_copy(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = list(tmp_path.iterdir())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(DEMO.read_bytes())))
    report = mind_skills("replay", "-", "--json").json
    expected = mind_skills("replay", DEMO, "--json").json
    assert report["sessions"] == [{**expected["sessions"][0], "path": "-"}]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"no log")))
    assert [error["path"] for error in mind_skills("replay", "-", "--json").json["errors"]] == ["-"]
    assert list(tmp_path.iterdir()) == before


def test_the_copy_of_stdin_is_not_named_by_notes_and_commands(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(DEMO.read_bytes())))
    done = mind_skills("replay", "-", "--stage", "--html", "-")
    assert "<p>Show: <code>mind-skills replay -</code></p>" in done.out
    assert done.err.startswith("-: not staged, its project is ")
