"""Whatever umask a host has, and whoever runs it: none of our files is open to others, or belongs to the wrong user."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugin.adapters.hook_host import Host
from tests.testkit.paths import ROOT

DEMO = ROOT / "fixtures" / "demo" / "session.jsonl"
USER = 65534
COMMAND = "import sys; from mind_skills.plugin.cli import main; main()"


def run_session(host: Host) -> None:
    for event in ("SessionStart", "Stop", "SessionEnd"):
        assert host.hook({**host.payload(event), "transcript_path": str(DEMO)})[0] == 0
        host.settle()


def owned_by_root(folder: Path) -> list[str]:
    return [str(path) for path in (folder, *folder.rglob("*")) if path.lstat().st_uid == 0]


@pytest.mark.process
def test_files_created_under_umask_000_are_not_writable_by_others(tmp_path: Path) -> None:
    host = Host(tmp_path)
    before = {*tmp_path.rglob("*")}
    host.command = ["/bin/sh", "-c", 'umask 000; exec "$@"', "sh", *host.command]
    host.state = tmp_path / ".local/state/mind-skills"
    host.environment["MIND_SKILLS_HOME"] = str(host.state)
    run_session(host)
    line = ["/bin/sh", "-c", 'umask 000; exec "$@"', "sh", sys.executable, "-c", COMMAND]
    for words in (["config", "set", "enabled", "true"], ["pause"], ["install", "gemini", "--yes"]):
        subprocess.run([*line, *words], env=host.environment, cwd=host.project, check=True, capture_output=True)
    made = [path for path in tmp_path.rglob("*") if path not in before]
    assert (host.project / ".claude/mind-skills-pending.json") in made
    assert [str(path) for path in made if path.lstat().st_mode & 0o022] == []
    assert [str(path) for path in (host.state, *host.state.rglob("*")) if path.lstat().st_mode & 0o077] == []


@pytest.mark.process
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_root_with_the_home_of_a_user_leaves_nothing_of_its_own_there(tmp_path: Path) -> None:
    host = Host(tmp_path)
    host.state = tmp_path / ".local/state/mind-skills"
    host.environment["MIND_SKILLS_HOME"] = str(host.state)
    for path in (tmp_path, *tmp_path.rglob("*")):
        os.chown(path, USER, USER)
    run_silent_session(host)
    for command, code in (("status", 0), ("pause", 1)):
        line = [sys.executable, "-c", COMMAND, command, "--json"]
        done = subprocess.run(line, env=host.environment, cwd=host.project, check=False, capture_output=True, text=True)
        assert (done.returncode, '"state_folder"' in done.stdout) == (code, code == 1), done
    assert owned_by_root(tmp_path) == []


def run_silent_session(host: Host) -> None:
    for event in ("SessionStart", "Stop", "SessionEnd"):
        assert host.hook({**host.payload(event), "transcript_path": str(DEMO)}) == (0, b"", b"")
        host.settle()


@pytest.mark.process
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_files_that_root_writes_into_the_project_of_a_user_belong_to_that_user(tmp_path: Path) -> None:
    host = Host(tmp_path)
    for path in (host.project, *host.project.rglob("*")):
        os.chown(path, USER, USER)
    run_session(host)
    assert (host.project / ".claude/mind-skills-pending.json").stat().st_mode & 0o777 == 0o600
    assert owned_by_root(host.project) == []
