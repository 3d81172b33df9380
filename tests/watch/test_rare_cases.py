"""Rare cases: skills that cover candidates, a moved state folder, killed inspections, other formats."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest

from mind_skills.hooks.session_state import RUNNING, list_markers
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from mind_skills.watch.jobs import identify_log
from tests.testkit.paths import ROOT
from tests.watch.machine import OTHER, Machine

FIRST, SECOND = "00000000-0000-4000-8000-0000000000a1", "00000000-0000-4000-8000-0000000000a2"


def test_a_candidate_is_covered_as_soon_as_a_skill_that_teaches_it_is_installed(machine: Machine) -> None:
    machine.watch()
    machine.write("claude-code", FIRST)
    machine.wait_for_inspection(FIRST)
    (candidate,) = machine.pending()
    skill = machine.project / ".agents" / "skills" / "entropy" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    words = " ".join([candidate.title, candidate.reason, *(each.summary for each in candidate.evidence)])
    skill.write_text(f"---\nname: entropy\ndescription: When a handshake hangs.\n---\n{words}\n")
    machine.eventually(lambda: machine.pending() == [])
    with Ledger.open(machine.state) as ledger:
        (record,) = ledger.list_covered(resolve_project(project_folder=str(machine.project)))
    assert (record.candidate.id, record.detail) == (candidate.id, str(skill))


@pytest.mark.process
def test_a_session_is_finished_when_its_process_has_ended(real: Machine) -> None:
    process = subprocess.Popen(["sleep", "600"])
    path = real.write("claude-code", FIRST)
    payload = {"session_id": FIRST, "transcript_path": str(path), "cwd": str(real.project), "hook_event_name": "Stop"}
    real.environment["CLAUDE_PID"] = str(process.pid)
    real.run("hook", "claude-code", stdin=json.dumps(payload))
    real.eventually(lambda: bool(list_markers(str(real.state), RUNNING)))
    del real.environment["CLAUDE_PID"]
    real.watch()
    real.eventually(lambda: _is_known(real))
    assert not real.is_finished(FIRST)
    process.kill()
    process.wait()
    real.until(lambda event: event["event"] == "ended")
    assert real.is_finished(FIRST)


def _is_known(real: Machine) -> bool:
    with Ledger.open(real.state) as ledger:
        return ledger.find_session(FIRST) is not None


def test_a_state_folder_that_is_moved_away_is_created_again(machine: Machine) -> None:
    machine.watch()
    machine.write("claude-code", FIRST)
    machine.wait_for_inspection(FIRST)
    machine.state.rename(machine.state.with_name("moved"))
    machine.eventually((machine.state / "watch" / "running").exists)
    machine.write("claude-code", SECOND, OTHER)
    machine.wait_for_inspection(SECOND)
    assert machine.stop() == 0


def test_an_inspection_whose_worker_is_killed_is_reported_and_queued_again(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mind_skills.watch.schedule import Schedule, Settings
    from mind_skills.watch.watched_files import Root
    from mind_skills.watch.watcher import Clock, inspect_due
    from mind_skills.watch.worker import Worker

    program = Path(machine.home) / "python"
    program.write_text(f"#!/bin/sh\nkill -{int(signal.SIGKILL)} $$\n")
    program.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(program))
    log = machine.home / "one.jsonl"
    log.write_text("{}\n")
    schedule = Schedule(str(machine.state), Settings(0, 0, 1), lambda event: None)
    schedule.roots = (Root("", str(machine.home), str(machine.home), "one.jsonl"),)
    schedule.sweep_logs(schedule.roots, 0.0, log.stat().st_mtime)
    inspect_due(schedule, Worker(str(machine.state), 1000), Clock())
    assert schedule.problems == [f"{log}: the inspection was interrupted"]
    assert (len(schedule.queue), schedule.states.get(str(log))) == (1, None)  # it is queued for another try


def test_a_log_that_records_its_own_end_is_finished_at_once(machine: Machine, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    source = ROOT / "fixtures" / "mini_swe_agent" / "session.traj.json"
    run = json.loads(source.read_text())
    run["info"].setdefault("config", {}).setdefault("environment", {})["cwd"] = str(machine.project)
    machine.watch(str(runs))
    (runs / "one.traj.json").write_text(json.dumps(run))
    look = machine.until(lambda event: event["event"] == "looked")
    machine.until(lambda event: event["event"] == "ended")
    assert (look["project"], machine.is_finished(look["session"])) == (str(machine.project), True)


def test_the_project_of_a_gemini_chat_is_read_from_the_file_in_its_folder(machine: Machine) -> None:
    path = machine.find_log_path("gemini", FIRST)
    path.parent.mkdir(parents=True)
    header = {"sessionId": FIRST, "projectHash": "0" * 64, "startTime": "2026-06-18T02:00:00.000Z", "kind": "main"}
    said = {"id": "1", "timestamp": "2026-06-18T02:00:01.000Z", "type": "user", "content": [{"text": "fix it"}]}
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, said)))
    without_project = identify_log(path)
    (path.parent.parent / ".project_root").write_text(f"{machine.project}\n")
    assert (without_project, identify_log(path)) == (None, ("gemini", FIRST, str(machine.project)))
