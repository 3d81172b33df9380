"""The hook process at the start of a session: a line for the user with the offer, or alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.hooks.start import find_command
from mind_skills.staging.offer import describe_offer
from mind_skills.store.project import resolve_project
from tests.plugin.adapters.hook_host import Host
from tests.testkit.paths import ROOT


@pytest.fixture
def terminal(tmp_path: Path) -> Host:
    """A Claude Code on a terminal."""
    host = Host(tmp_path)
    host.environment["CLAUDE_CODE_ENTRYPOINT"] = "cli"
    return host


def start(host: Host, session: str) -> Any:
    """The reply to the host when a session starts; None for nothing."""
    code, out, err = host.hook(host.payload("SessionStart", session, source="startup"))
    assert (code, err) == (0, b"")
    return json.loads(out) if out else None


def leave_receipt(host: Host) -> None:
    SessionMarkers(str(host.state), "earlier", resolve_project(str(host.project)).id).receipt.write(
        "mind-skills: learned x"
    )


def test_a_receipt_is_shown_once_if_there_is_no_offer(terminal: Host) -> None:
    leave_receipt(terminal)
    answers = [start(terminal, "a"), start(terminal, "b")]
    terminal.settle()
    assert (answers, terminal.log()) == ([{"systemMessage": "mind-skills: learned x"}, None], "")


def test_a_receipt_and_an_offer_are_in_one_reply(terminal: Host) -> None:
    candidate = terminal.stage()
    leave_receipt(terminal)
    answer = start(terminal, "a")
    terminal.settle()
    offer = answer["hookSpecificOutput"].pop("additionalContext")
    assert answer == {
        "systemMessage": f"{describe_offer(offer, find_command())}\nmind-skills: learned x",
        "hookSpecificOutput": {"hookEventName": "SessionStart"},
    }
    assert (candidate.id in offer, "learned x" in offer, terminal.log()) == (True, False, "")


def test_an_unreadable_receipt_does_not_prevent_an_offer(terminal: Host) -> None:
    candidate = terminal.stage()
    leave_receipt(terminal)
    (place,) = (terminal.state / "receipts").rglob("*/*")
    place.unlink()
    place.mkdir()
    answer = start(terminal, "a")
    terminal.settle()
    assert candidate.id in answer["hookSpecificOutput"]["additionalContext"]
    assert "IsADirectoryError" in terminal.log()


def test_only_the_first_start_of_the_plugin_announces_the_installation_of_packages(
    terminal: Host, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    (data / "environment.lock").mkdir(parents=True)  # so that nothing is built here
    terminal.environment |= {"CLAUDE_PLUGIN_ROOT": str(ROOT), "CLAUDE_PLUGIN_DATA": str(data)}
    assert "are being installed into" in start(terminal, "a")["systemMessage"]
    (data / "venv").mkdir()
    assert start(terminal, "b") is None
    terminal.settle()


def test_a_new_learning_is_shown_once_at_the_next_pause_on_a_terminal(terminal: Host) -> None:
    noticed = SessionMarkers(str(terminal.state), "a").noticed
    stop = terminal.payload("Stop", "a", stop_hook_active=False)
    noticed.write("Prices are floats.\nThe port is taken.")
    terminal.environment["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cli"
    assert terminal.hook(stop) == (0, b"", b"")
    terminal.environment["CLAUDE_CODE_ENTRYPOINT"] = "cli"
    code, out, err = terminal.hook(stop)
    terminal.settle()
    line = (
        "mind-skills: 2 new learnings from this session: Prices are floats.; The port is taken. To decide about them, "
    )
    assert (code, json.loads(out), err) == (0, {"systemMessage": f"{line}run `{find_command()} review`."}, b"")
    assert (terminal.hook(stop), noticed.exists(), terminal.log()) == ((0, b"", b""), False, "")
    terminal.settle()
