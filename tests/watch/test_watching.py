"""What a watch does, in this process and on a clock on which waiting takes no time."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.watch.machine import HOSTS, OTHER, Machine

FIRST, SECOND = "00000000-0000-4000-8000-0000000000a1", "00000000-0000-4000-8000-0000000000a2"
DAY_MS = 86_400_000


def test_an_existing_log_is_inspected_at_the_start_unless_it_is_old(machine: Machine) -> None:
    old, new = machine.write("claude-code", FIRST), machine.write("claude-code", SECOND, OTHER)
    os.utime(old, (1_600_000_000, 1_600_000_000))
    started = machine.watch()
    machine.wait_for_inspection(SECOND)
    machine.append(new, "\n")
    machine.append(old, "\n")
    machine.wait_for_inspection(FIRST)
    assert started["files"] == 2
    assert [event["session"] for event in machine.seen if event["event"] == "looked"][:1] == [SECOND]


def test_sessions_of_a_paused_or_switched_off_project_are_not_inspected(machine: Machine) -> None:
    other = machine.home / "other"
    (other / ".git").mkdir(parents=True)
    (other / ".claude").mkdir()
    (other / ".claude" / "mind-skills.toml").write_text("enabled = false\n")
    machine.run("pause", "--project", ".")
    machine.watch()
    path = machine.write("claude-code", FIRST)
    off = path.with_name(f"{SECOND}.jsonl")
    off.write_text(machine.render_story("claude-code", SECOND).replace(str(machine.project), str(other)))
    codex = "00000000-0000-7000-8000-0000000000a3"
    free = machine.home / "free"
    (free / ".git").mkdir(parents=True)
    machine.find_log_path("codex", codex).parent.mkdir(parents=True)
    machine.find_log_path("codex", codex).write_text(
        machine.render_story("codex", codex).replace(str(machine.project), str(free))
    )
    machine.wait_for_inspection(codex)
    machine.run("resume", "--project", ".")
    machine.stop()
    assert [event["session"] for event in machine.seen if event["event"] == "looked"] == [codex]
    assert (machine.pending(), machine.is_finished(FIRST)) == ([], False)


def test_a_candidate_is_accepted_when_a_skill_that_names_it_is_written(machine: Machine) -> None:
    machine.watch()
    machine.write("claude-code", FIRST)
    machine.wait_for_inspection(FIRST)
    (candidate,) = machine.pending()
    skill = machine.project / ".claude" / "skills" / "entropy" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(
        f"---\nname: entropy\ndescription: When a test hangs.\nmetadata:\n  source: {candidate.id}\n---\nMount it.\n"
    )
    linked = machine.until(lambda event: event["event"] == "linked")
    assert (linked["candidate"], linked["path"]) == (candidate.id, str(skill))
    assert (machine.pending(), machine.counts()["accepted"]) == ([], 1)
    assert (
        "\n  accepted as a skill, " in machine.run("undo", "--dry-run").stdout
    )  # by no session, and by no person either


def test_a_candidate_deleted_from_the_pending_file_is_written_to_it_again(machine: Machine) -> None:
    machine.watch()
    machine.write("claude-code", FIRST)
    machine.wait_for_inspection(FIRST)
    path = machine.project / ".claude" / "mind-skills-pending.json"
    form = json.loads(path.read_text())
    path.write_text(json.dumps({**form, "candidates": []}))
    machine.eventually(lambda: json.loads(path.read_text())["candidates"] == form["candidates"])
    assert machine.counts().get("dismissed", 0) == 0


def test_watch_once_inspects_only_logs_that_changed_since_the_last_run(machine: Machine) -> None:
    machine.write("claude-code", FIRST)
    first = machine.json("watch", "--once")
    machine.write("gemini", SECOND, OTHER)
    second, third = machine.json("watch", "--once"), machine.json("watch", "--once")
    done = {"version": 1, "watching": None, "looked": 1, "candidates": 1, "ended": 0, "linked": 0, "failed": 0}
    assert first == second == {**done, "problems": []}
    assert third == {**done, "looked": 0, "candidates": 0, "problems": []}


def test_all_new_sessions_of_a_database_are_inspected_and_on_the_first_run_none_older_than_a_day(
    machine: Machine,
) -> None:
    path = machine.write("opencode", "ses_old")
    change_times(path, -2 * DAY_MS)
    machine.write("opencode", "ses_new", OTHER)
    first = machine.json("watch", "--once")["looked"]
    for number in range(60):
        machine.write("opencode", f"ses_{number}", OTHER)
    assert (first, machine.json("watch", "--once")["looked"], machine.json("watch", "--once")["looked"]) == (1, 60, 0)


def test_a_session_with_a_time_in_the_future_hides_no_later_session_of_its_database(machine: Machine) -> None:
    change_times(machine.write("opencode", FIRST), 365 * DAY_MS)
    machine.json("watch", "--once")
    machine.write("opencode", SECOND, OTHER)
    assert machine.json("watch", "--once")["looked"] == 1


def change_times(database: Path, milliseconds: int) -> None:
    """Move all times of OpenCode's database."""
    with closing(sqlite3.connect(database)) as sql:
        for table in ("session", "message", "part"):
            moved = "time_created = time_created + ?, time_updated = time_updated + ?"
            sql.execute(f"UPDATE {table} SET {moved}", (milliseconds, milliseconds))
        sql.commit()


def test_a_path_argument_is_watched_in_addition_to_the_hosts_folders(machine: Machine, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    machine.watch(str(runs))
    (runs / "log.jsonl").write_text(machine.render_story("claude-code", FIRST))
    assert machine.wait_for_inspection(FIRST)["candidates"] == 1


@pytest.mark.parametrize("once", [[], ["--once"]])
def test_a_watch_of_only_missing_paths_is_an_error(machine: Machine, once: list[str]) -> None:
    done = machine.run("watch", *once, "/nope/a", "/nope/b", "--json")
    alone = machine.run("watch", *once, "/nope/a", "--json")
    hint = "Check the spelling, or create {} first; the folders of all hosts are watched even without a PATH."
    assert (done.returncode, json.loads(done.stdout)["error"]) == (
        1,
        {"code": "not_found", "message": "/nope/a, /nope/b do not exist", "hint": hint.format("one of them")},
    )
    assert (alone.returncode, json.loads(alone.stdout)["error"]) == (
        1,
        {"code": "not_found", "message": "/nope/a does not exist", "hint": hint.format("it")},
    )


def test_watch_once_prints_its_counts_as_sentences(machine: Machine) -> None:
    nothing = machine.run("watch", "--once")
    machine.write("claude-code", FIRST)
    one = machine.run("watch", "--once")
    said = f"claude-code session {FIRST} in {machine.project}: 1 candidate.\n"
    assert nothing.stdout == "0 logs read, 0 candidates, 0 sessions finished.\n"
    assert one.stdout == f"{said}1 log read, 1 candidate, 0 sessions finished.\n"


def test_a_missing_path_is_reported_and_watched_once_it_is_created(machine: Machine, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    machine.watch(str(runs), str(tmp_path))
    (said,) = [event["message"] for event in machine.seen if event["event"] == "problem"]
    runs.mkdir()
    (runs / "log.jsonl").write_text(machine.render_story("claude-code", FIRST))
    assert said == f"{runs} does not exist yet; it is watched as soon as it is created"
    assert machine.wait_for_inspection(FIRST)["candidates"] == 1


@pytest.mark.parametrize("host", HOSTS)
def test_a_session_of_every_host_is_learned_from_and_finished_after_silence(machine: Machine, host: str) -> None:
    machine.watch(ended=60.0)
    machine.write(host, FIRST)
    look = machine.wait_for_inspection(FIRST)
    machine.until(lambda event: event["event"] == "ended")
    assert (look["host"], look["project"], look["candidates"]) == (host, str(machine.project), 1)
    assert [(each.kind, each.sessions) for each in machine.pending()] == [("error_fix", (FIRST,))]
    assert machine.is_finished(FIRST)


def test_a_rotated_log_is_inspected_under_its_name(machine: Machine) -> None:
    machine.watch()
    path = machine.write("claude-code", FIRST)
    machine.wait_for_inspection(FIRST)
    path.rename(path.with_suffix(".old"))
    new = path.with_suffix(".new")
    new.write_text(machine.render_story("claude-code", FIRST, OTHER) + "\n" * 100)
    new.rename(path)
    machine.wait_for_inspection(FIRST)
