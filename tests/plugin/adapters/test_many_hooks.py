"""Many hooks at once, as real processes; and which interpreter runs them."""

from __future__ import annotations

import json
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from tests.plugin.adapters.hook_host import Host
from tests.testkit.paths import ROOT

DEMO = ROOT / "fixtures" / "demo" / "session.jsonl"


@pytest.mark.process
def test_one_of_many_sessions_that_start_at_once_receives_the_offer(host: Host) -> None:
    candidate = host.stage()
    with ThreadPoolExecutor(8) as pool:
        ran = list(pool.map(lambda n: host.hook(host.payload("SessionStart", f"s{n}", source="startup")), range(16)))
    outputs = [out for _, out, _ in ran if out]
    assert [(code, err) for code, _, err in ran] == [(0, b"")] * 16
    assert [candidate.id in json.loads(out)["hookSpecificOutput"]["additionalContext"] for out in outputs] == [True]
    host.settle()
    assert host.log() == ""


@pytest.mark.process
def test_sessions_that_end_at_once_stage_one_candidate_that_names_all_of_them(host: Host) -> None:
    # Without a user: otherwise a Stop that is slower than the worker of its session's first Stop shows what was learned.
    host.environment["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cli"
    names = [f"s{n}" for n in range(12)]
    for name in names:
        shutil.copy(DEMO, host.project.parent / f"{name}.jsonl")
    with ThreadPoolExecutor(8) as pool:
        for event in ("Stop", "SessionEnd"):  # a turn's end after the session's end would mean that it goes on
            assert set(pool.map(host.hook, [host.payload(event, name) for name in names * 2])) == {(0, b"", b"")}
    host.settle()
    with Ledger.open(host.state) as ledger:
        assert ledger.list_unfinished() == []
        pending = ledger.list_pending(resolve_project(str(host.project)))
    listed = json.loads((host.project / ".claude" / "mind-skills-pending.json").read_text())["candidates"]
    assert [sorted(candidate.sessions) for candidate in pending] == [sorted(names)]
    assert [item["id"] for item in listed] == [candidate.id for candidate in pending]
    assert host.log() == ""


def test_the_plugins_own_environment_comes_before_every_other_interpreter(host: Host, tmp_path: Path) -> None:
    python = tmp_path / "data" / "venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\necho "$@" >"{tmp_path}/arguments"\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    host.environment |= {"CLAUDE_PLUGIN_DATA": str(tmp_path / "data")}
    host.command = ["/bin/sh", str(ROOT / "plugin" / "hook.sh"), "claude-code", "start"]
    host.stage()
    assert host.hook(host.payload("SessionStart", source="startup"))[1] != b""
    host.settle()
    assert (tmp_path / "arguments").read_text() == f"-I -S {ROOT}/plugin/entry.py claude-code start\n"


@pytest.mark.process
def test_going_idle_again_within_a_minute_starts_no_process(host: Host) -> None:
    log = host.project.parent / "s.jsonl"
    shutil.copy(DEMO, log)
    host.environment["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cli"  # no user, and so no line about what was learned
    assert host.hook(host.payload("Stop"))[0] == 0
    host.settle()
    with Ledger.open(host.state) as ledger:
        before = ledger.find_session("s")
    os.mkfifo(host.project / "trap")
    assert host.hook(host.payload("Stop", transcript_path=str(host.project / "trap"))) == (0, b"", b"")
    host.settle()
    with Ledger.open(host.state) as ledger:
        assert ledger.find_session("s") == before
    assert host.hook(host.payload("SessionEnd")) == (0, b"", b"")
    host.settle()
    assert host.hook(host.payload("Stop")) == (0, b"", b"")
    host.settle()
    with Ledger.open(host.state) as ledger:
        assert [seen.session_id for seen in ledger.list_unfinished()] == ["s"]
