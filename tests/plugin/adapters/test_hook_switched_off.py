"""A hook in a project where mind-skills is switched off, or where nobody can tell."""

from __future__ import annotations

import os

import pytest

from mind_skills.staging.ledger import Ledger
from tests.plugin.adapters.hook_host import Host

SILENT = (0, b"", b"")


def test_a_disabled_project_is_not_touched(host: Host) -> None:
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
def test_settings_that_cannot_be_read_switch_off_and_one_line_of_the_log_says_so(host: Host, what: str) -> None:
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


def test_a_repository_that_is_switched_off_is_off_in_its_folders(host: Host) -> None:
    host.stage()
    (host.project / ".claude" / "mind-skills.toml").write_text("enabled = false\n")
    (host.project / "shop").mkdir()
    host.environment["CLAUDE_PROJECT_DIR"] = str(host.project / "shop")
    for event in ("SessionStart", "Stop", "SessionEnd"):
        assert host.hook(host.payload(event)) == SILENT
    host.settle()
    with Ledger.open(host.state) as ledger:
        assert ledger.list_unfinished() == []
