"""A hook in a project where mind-skills is disabled, or whose settings cannot be read."""

from __future__ import annotations

import os
import shutil

import pytest

from mind_skills.plugin import pausing
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import Project, resolve_project
from tests.plugin.adapters.hook_host import Host
from tests.testkit.paths import ROOT

SILENT = (0, b"", b"")


def test_hooks_in_a_disabled_project_are_silent_and_add_nothing_to_the_state_folder(host: Host) -> None:
    host.stage()
    (host.project / ".claude" / "mind-skills.toml").write_text("enabled = false\n")
    before = sorted(path for path in host.state.rglob("*") if "-wal" not in path.name and "-shm" not in path.name)
    for event in ("SessionStart", "Stop", "SessionEnd"):
        assert host.hook(host.payload(event)) == SILENT
    host.settle()
    assert (
        sorted(path for path in host.state.rglob("*") if "-wal" not in path.name and "-shm" not in path.name) == before
    )


@pytest.mark.parametrize("what", ["pipe", "link to an endless device", "not TOML"])
def test_unreadable_settings_disable_the_hooks_and_cause_one_line_in_the_log(host: Host, what: str) -> None:
    host.stage()
    path = host.project / ".claude" / "mind-skills.toml"
    if what == "pipe":
        os.mkfifo(path)
    elif what == "not TOML":
        path.write_text("enabled = false\nidle_seconds = \n")
    else:
        path.symlink_to("/dev/zero")
    for event in ("SessionStart", "Stop", "SessionEnd"):
        assert host.hook(host.payload(event)) == SILENT
    host.settle()
    assert (
        host.log().count("\n"),
        f"claude-code start s: mind-skills is disabled here until {path} is corrected: " in host.log(),
    ) == (1, True)


def test_a_disabled_repository_is_disabled_in_its_folders(host: Host) -> None:
    host.stage()
    (host.project / ".claude" / "mind-skills.toml").write_text("enabled = false\n")
    (host.project / "shop").mkdir()
    host.environment["CLAUDE_PROJECT_DIR"] = str(host.project / "shop")
    for event in ("SessionStart", "Stop", "SessionEnd"):
        assert host.hook(host.payload(event)) == SILENT
    host.settle()
    with Ledger.open(host.state) as ledger:
        assert ledger.list_unfinished() == []


@pytest.mark.parametrize("event", ["Stop", "SessionEnd"])
def test_nothing_is_learned_in_a_worktree_of_a_disabled_repository_even_once_it_was_removed(
    host: Host, event: str
) -> None:
    host.stage()
    (host.project / ".claude" / "mind-skills.toml").write_text("enabled = false\n")
    host.environment["CLAUDE_PROJECT_DIR"] = str(host.project.parent / "removed worktree")
    (host.project.parent / "s.jsonl").write_bytes((ROOT / "fixtures" / "demo" / "session.jsonl").read_bytes())
    assert host.hook(host.payload(event)) == SILENT
    host.settle()
    with Ledger.open(host.state) as ledger:
        assert ledger.find_session("s") is None


def start_and_deactivate(host: Host, off: str) -> Project:
    """Start a session that looks as if its process was killed long ago, and pause or disable the host's project."""
    host.hook(host.payload("SessionStart"))
    host.settle()
    with Ledger.open(host.state) as ledger:  # its process cannot be checked, and its last sign of life is old
        ledger.database.sql.execute("UPDATE sessions SET seen_at = 1")
    log = host.project.parent / "s.jsonl"
    log.write_bytes((ROOT / "fixtures" / "claude_code" / "transcript.jsonl").read_bytes())
    os.utime(log, (1, 1))
    project = resolve_project(str(host.project))
    if off == "paused":
        pausing.pause(str(host.state), project.id)
    else:
        (host.project / ".claude" / "mind-skills.toml").write_text("enabled = false\n")
    return project


@pytest.mark.parametrize("off", ["paused", "disabled"])
def test_a_killed_session_of_an_inactive_project_waits_until_the_project_is_active_again(host: Host, off: str) -> None:
    first, other = host.project, host.project.parent / "other"
    (other / ".git" / "info").mkdir(parents=True)
    (first / ".claude").mkdir()
    project = start_and_deactivate(host, off)
    unfinished: list[list[str]] = []
    for session in ("t", "u"):
        host.environment["CLAUDE_PROJECT_DIR"] = str(other)
        host.hook(host.payload("SessionStart", session))
        host.settle()
        with Ledger.open(host.state) as ledger:
            sessions = [each for each in ledger.list_unfinished() if each.project.id == project.id]
            unfinished.append([each.session_id for each in sessions])
        pausing.resume(str(host.state), project.id)
        (first / ".claude" / "mind-skills.toml").unlink(missing_ok=True)
    assert (unfinished, host.log()) == ([["s"], []], "")


@pytest.mark.parametrize("off", ["paused", "disabled"])
@pytest.mark.parametrize("event", ["SessionStart of another", "Stop", "SessionEnd"])
def test_a_session_of_an_inactive_repository_waits_even_if_its_worktree_was_removed(
    host: Host, off: str, event: str
) -> None:
    first, other, tree = host.project, host.project.parent / "other", host.project.parent / "tree"
    git = first / ".git" / "worktrees" / "tree"
    for folder in (git, first / ".claude", other / ".git" / "info", tree):
        folder.mkdir(parents=True)
    (git / "gitdir").write_text(f"{tree}/.git\n")
    (git / "commondir").write_text("../..\n")
    (tree / ".git").write_text(f"gitdir: {git}\n")
    host.environment["CLAUDE_PROJECT_DIR"] = str(tree)
    project = start_and_deactivate(host, off)
    shutil.rmtree(tree)
    if event == "SessionStart of another":
        host.environment["CLAUDE_PROJECT_DIR"] = str(other)
        host.hook(host.payload("SessionStart", "t"))
    else:
        host.hook(host.payload(event))
    host.settle()
    with Ledger.open(host.state) as ledger:
        session = ledger.find_session("s")
    assert session is not None
    assert (session.project.id, session.finished_at, session.checkpoint_at, host.log()) == (project.id, None, None, "")
