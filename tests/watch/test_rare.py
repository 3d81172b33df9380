"""What happens seldom: captured sessions, skills that cover, a state folder that moves, looks that die, many formats."""

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


def test_a_session_that_is_captured_alone_is_learned_from(machine: Machine) -> None:
    spool = machine.state / "spool" / "capture"
    spool.mkdir(parents=True, mode=0o700)
    machine.state.chmod(0o700)
    machine.watch()
    text = (ROOT / "fixtures" / "claude_code" / "capture.jsonl").read_text()
    line = json.loads(next(filter(None, text.splitlines())))
    session = line["event"]["session_id"]
    path = spool / f"claude-code-{'0' * 16}.jsonl"
    path.write_text(text.replace(json.dumps(line["project"]), json.dumps(str(machine.project))))
    assert machine.looked(session)["host"] == "claude-code"


def test_what_an_installed_skill_covers_is_set_aside_when_the_skill_comes(machine: Machine) -> None:
    machine.watch()
    machine.write("claude-code", FIRST)
    machine.looked(FIRST)
    (candidate,) = machine.pending()
    skill = machine.project / ".agents" / "skills" / "entropy" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    words = " ".join([candidate.title, candidate.reason, *(each.summary for each in candidate.evidence)])
    skill.write_text(f"---\nname: entropy\ndescription: When a handshake hangs.\n---\n{words}\n")
    machine.eventually(lambda: machine.pending() == [])
    with Ledger.open(machine.state) as ledger:
        (record,) = ledger.list_covered(resolve_project(named=str(machine.project)))
    assert (record.candidate.id, record.detail) == (candidate.id, str(skill))


@pytest.mark.process
def test_a_session_whose_process_is_gone_has_ended(real: Machine) -> None:
    process = subprocess.Popen(["sleep", "600"])
    path = real.write("claude-code", FIRST)
    payload = {"session_id": FIRST, "transcript_path": str(path), "cwd": str(real.project), "hook_event_name": "Stop"}
    real.environment["CLAUDE_PID"] = str(process.pid)
    real.run("hook", "claude-code", stdin=json.dumps(payload))
    real.eventually(lambda: bool(list_markers(str(real.state), RUNNING)))
    del real.environment["CLAUDE_PID"]
    real.watch()
    real.eventually(lambda: _known(real))
    assert not real.finished(FIRST)
    process.kill()
    process.wait()
    real.until(lambda event: event["event"] == "ended")
    assert real.finished(FIRST)


def _known(real: Machine) -> bool:
    with Ledger.open(real.state) as ledger:
        return ledger.find_session(FIRST) is not None


def test_a_state_folder_that_is_moved_away_is_made_anew(machine: Machine) -> None:
    machine.watch()
    machine.write("claude-code", FIRST)
    machine.looked(FIRST)
    machine.state.rename(machine.state.with_name("moved"))
    machine.eventually((machine.state / "watch" / "running").exists)
    machine.write("claude-code", SECOND, OTHER)
    machine.looked(SECOND)
    assert machine.stop() == 0


def test_a_log_that_ends_its_reader_keeps_no_other_from_being_read(
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
    assert (len(schedule.queue), schedule.states.get(str(log))) == (1, None)  # it waits for another try


def test_the_log_of_a_run_that_says_its_own_end_is_finished_at_once(machine: Machine, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    source = ROOT / "fixtures" / "mini_swe_agent" / "session.traj.json"
    run = json.loads(source.read_text())
    run["info"].setdefault("config", {}).setdefault("environment", {})["cwd"] = str(machine.project)
    machine.watch(str(runs))
    (runs / "one.traj.json").write_text(json.dumps(run))
    look = machine.until(lambda event: event["event"] == "looked")
    machine.until(lambda event: event["event"] == "ended")
    assert (look["project"], machine.finished(look["session"])) == (str(machine.project), True)


def test_the_project_of_a_chat_of_gemini_that_names_none_is_the_one_beside_it(machine: Machine) -> None:
    path = machine.place("gemini", FIRST)
    path.parent.mkdir(parents=True)
    header = {"sessionId": FIRST, "projectHash": "0" * 64, "startTime": "2026-06-18T02:00:00.000Z", "kind": "main"}
    said = {"id": "1", "timestamp": "2026-06-18T02:00:01.000Z", "type": "user", "content": [{"text": "fix it"}]}
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, said)))
    nobodys = identify_log(path)
    (path.parent.parent / ".project_root").write_text(f"{machine.project}\n")
    assert (nobodys, identify_log(path)) == (None, ("gemini", FIRST, str(machine.project)))
