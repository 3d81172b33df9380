"""How an offer names the command mind-skills, so that the agent's shell can run it, and what it asks the agent to do."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks.session_state import HookCall
from mind_skills.hooks.start import find_command, handle_session_start
from mind_skills.staging.offer import CLOSING, OPENING
from mind_skills.staging.start_files import write_advice
from mind_skills.store.project import resolve_project
from tests.testkit.paths import DEMO


def create_command(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "mind-skills").touch(0o755)
    return folder / "mind-skills"


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without mind-skills."""
    monkeypatch.setenv("PATH", f"relative:{tmp_path}/empty")
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    monkeypatch.delenv("CLAUDE_PLUGIN_ROOT", raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "venv/bin/python"))
    monkeypatch.setattr("mind_skills.hooks.start.__file__", str(tmp_path / "checkout/hooks/start.py"))
    return tmp_path


def test_the_command_is_a_bare_name_if_it_is_on_the_path_and_a_full_path_otherwise(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_command() == "mind-skills"  # not found: `mind-skills doctor` reports it
    for folder in ("me/.local/bin", "checkout/bin", "venv/bin"):
        there = create_command(machine / folder)
        assert find_command() == str(there)
    create_command(machine / "on the path")
    monkeypatch.setenv("PATH", f"{machine}/on the path")
    assert find_command() == "mind-skills"


def test_a_command_path_with_a_blank_is_quoted_and_an_unsafe_path_is_not_shown(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = create_command(machine / "my venv")
    monkeypatch.setattr(sys, "executable", str(there.with_name("python")))
    assert find_command() == f"'{there}'"
    odd = create_command(machine / "`id` <b>")
    monkeypatch.setattr(sys, "executable", str(odd.with_name("python")))
    assert find_command() == "mind-skills"


def test_the_command_of_a_claude_code_plugin_is_a_bare_name(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create_command(machine / "checkout/bin")
    monkeypatch.setenv("CLAUDE_PLUGIN_ROOT", str(machine / "checkout"))
    assert find_command() == "mind-skills"


@pytest.mark.parametrize(
    ("wanted", "entrypoint", "asks"),
    [
        ("ask", "cli", True),
        ("ask", "sdk-cli", False),
        ("auto", "cli", False),
        ("never", "cli", None),
        ("never", "sdk-cli", None),
    ],
)
def test_the_write_skills_setting_and_the_entrypoint_decide_what_an_offer_asks_for(
    state: Path, project: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, wanted: str,
    entrypoint: str, asks: bool | None,
) -> None:  # fmt: skip
    (project / ".git").mkdir()
    mind_skills("replay", DEMO, "--stage", "--project", project)
    mind_skills("config", "set", "write_skills", wanted)
    write_advice(str(state), resolve_project(project_folder=str(project)).id, "AVOID: that")
    monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", entrypoint)
    text = handle_session_start(str(state), HookCall("claude-code", "s", str(project), "", 1_772_500_000_000))
    assert text is not None
    if asks is None:
        assert text == f"{OPENING}\nAVOID: that\n{CLOSING}"
    else:
        assert ("Ask the user which to keep" in text) == asks
    assert len(mind_skills("pending", "--json").json["candidates"]) == 1
