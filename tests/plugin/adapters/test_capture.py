"""Sessions whose own log cannot be read are learned from what capture recorded: recorded events, real processes."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks import spool
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from tests.plugin.adapters.hook_host import WAITED, Host
from tests.testkit.paths import ROOT

HOSTS = {"claude-code": "claude_code", "codex": "codex", "gemini": "gemini"}
MOMENTS = {"SessionStart", "Stop", "AfterAgent", "SessionEnd", "BeforeAgent"}
"""Events for which the installed hooks run as well."""
HOUR = 3_600_000_000_000

PASTED = "Why does the prices test fail? It says:\nAssertionError: Decimal('2.67') != Decimal('2.68')"
"""Replaces the prompt that was recorded: the detector is more certain of an error that the user pasted."""


class Captured:
    """A host that runs capture at every event, and with ``lifecycle`` also the installed hooks at their events."""

    def __init__(self, host: Host, name: str, *, lifecycle: bool = True) -> None:
        self.host = host
        self.name = name
        self.lifecycle = lifecycle
        host.environment |= {"GEMINI_PROJECT_DIR": str(host.project)}
        text = (ROOT / "fixtures" / HOSTS[name] / "capture.jsonl").read_text()
        self.events = [self.moved(json.loads(line)["event"]) for line in text.split("\n") if line]
        for event in self.events:
            if "prompt" in event:
                event["prompt"] = PASTED
        self.session: str = self.events[0]["session_id"]

    def moved(self, event: dict[str, Any]) -> dict[str, Any]:
        """The event in this project; its transcript does not exist."""
        moved: dict[str, Any] = json.loads(json.dumps(event).replace("/home/user/project", str(self.host.project)))
        return {**moved, "transcript_path": str(self.host.project / "nowhere.jsonl")}

    def run(self, script: str, event: dict[str, Any]) -> bytes:
        line = [sys.executable, "-I", "-S", str(ROOT / script), self.name]
        done = subprocess.run(
            line,
            input=json.dumps(event).encode(),
            capture_output=True,
            env=self.host.environment,
            cwd=self.host.project,
            timeout=WAITED,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout

    def run_hooks(self, event: dict[str, Any]) -> None:
        assert self.run("hooks/capture.py", event) == b""
        if self.lifecycle and event["hook_event_name"] in MOMENTS:
            assert self.run("plugin/entry.py", event) == b""
            self.host.settle()

    def start(self, session: str) -> bytes:
        """Another session starts."""
        event = {**self.events[-1], "hook_event_name": "SessionStart", "session_id": session, "source": "startup"}
        reply = self.run("plugin/entry.py", {**event, "transcript_path": ""})
        self.host.settle()
        return reply

    def titles(self) -> list[str]:
        with Ledger.open(self.host.state) as ledger:
            return [candidate.title for candidate in ledger.list_pending(resolve_project(str(self.host.project)))]

    def unfinished(self) -> list[str]:
        with Ledger.open(self.host.state) as ledger:
            return [seen.session_id for seen in ledger.list_unfinished()]

    def spools(self) -> list[Path]:
        return list((self.host.state / spool.FOLDER).glob("*"))


@pytest.mark.process
@pytest.mark.parametrize("name", HOSTS)
def test_a_captured_session_is_learned_from_at_its_end_and_its_spool_is_removed(host: Host, name: str) -> None:
    here = Captured(host, name)
    here.run("plugin/entry.py", {**here.events[-1], "hook_event_name": "SessionStart", "source": "startup"})
    host.settle()
    for event in here.events[:-1]:
        here.run_hooks(event)
    assert [path.stat().st_mode & 0o777 for path in here.spools()] == [0o600]
    here.run_hooks(here.events[-1])
    assert (len(here.titles()), here.unfinished(), here.spools(), host.log()) == (1, [], [], "")
    assert here.titles() == ["unittest test_prices: AssertionError once, passes after a change in prices.py"]


@pytest.mark.process
def test_a_captured_session_that_was_killed_is_learned_from_when_the_next_one_starts(host: Host) -> None:
    here = Captured(host, "claude-code")
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE) as process:
        host.environment["CLAUDE_PID"] = str(process.pid)
        here.run("plugin/entry.py", {**here.events[-1], "hook_event_name": "SessionStart", "source": "startup"})
        host.settle()
        for event in [event for event in here.events if event["hook_event_name"] not in MOMENTS]:
            here.run_hooks(event)
        process.kill()
    host.environment["CLAUDE_PID"] = str(os.getpid())
    here.start("next")
    assert (len(here.titles()), here.unfinished(), here.spools(), host.log()) == (1, ["next"], [], "")


@pytest.mark.process
@pytest.mark.parametrize("name", HOSTS)
def test_a_session_that_only_capture_recorded_is_learned_from_once_it_is_silent(host: Host, name: str) -> None:
    here = Captured(host, name, lifecycle=False)
    for event in here.events:
        here.run_hooks(event)
    here.start("next")
    assert (here.titles(), len(here.spools())) == ([], 1)
    (path,) = here.spools()
    os.utime(path, ns=(time.time_ns() - HOUR, time.time_ns() - HOUR))
    with closing(sqlite3.connect(host.state / "mind-skills.db")) as sql, sql:
        sql.execute("UPDATE sessions SET seen_at = seen_at - 3600000 WHERE session = ?", (here.session,))
    here.start("later")
    assert (len(here.titles()), here.spools(), host.log()) == (1, [], "")
    assert here.session not in here.unfinished()


def test_the_spool_of_a_session_with_a_readable_log_is_removed_unused(host: Host) -> None:
    here = Captured(host, "claude-code")
    log = host.project.parent / "own.jsonl"
    log.write_text('{"type":"user","uuid":"u","sessionId":"x","message":{"role":"user","content":"hello"}}\n')
    for event in here.events:
        here.run_hooks({**event, "transcript_path": str(log)})
    with Ledger.open(host.state) as ledger:
        seen = ledger.find_session(here.session)
    assert seen is not None
    assert (seen.log, here.titles(), here.spools(), host.log()) == (str(log), [], [], "")


def test_the_spool_of_a_disabled_project_is_removed_unread(host: Host) -> None:
    here = Captured(host, "claude-code", lifecycle=False)
    for event in here.events:
        here.run_hooks(event)
    (host.project / ".claude").mkdir(exist_ok=True)
    (host.project / ".claude" / "mind-skills.toml").write_text("enabled = false\n")
    other = host.project.parent / "other"
    (other / ".git").mkdir(parents=True)
    host.environment["CLAUDE_PROJECT_DIR"] = str(other)
    here.start("next")
    assert (here.spools(), here.unfinished(), host.log()) == ([], ["next"], "")


def test_a_malformed_spool_is_removed_only_after_a_week(host: Host) -> None:
    here = Captured(host, "claude-code")
    folder = host.state / spool.FOLDER
    folder.mkdir(parents=True, mode=0o700)
    (folder / "claude-code-0.jsonl").write_bytes(b"\n{half")
    (folder / "claude-code-1.jsonl").symlink_to("/etc/passwd")
    (folder / "claude-code-2.jsonl").mkdir()
    here.start("next")
    assert len(here.spools()) == 3
    week = time.time_ns() - 8 * 24 * HOUR
    os.utime(folder / "claude-code-0.jsonl", ns=(week, week))
    here.start("later")
    assert (len(here.spools()), host.log()) == (2, "")
