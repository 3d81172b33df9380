"""A hook in a project where mind-skills is disabled, or whose settings cannot be read."""

from __future__ import annotations

import os

import pytest

from mind_skills.staging.ledger import Ledger
from tests.plugin.adapters.hook_host import Host

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
