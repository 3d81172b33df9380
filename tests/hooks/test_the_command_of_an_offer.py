"""How an offer names mind-skills, so that the agent's shell can run it, and who decides what is written."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks.moment import Moment
from mind_skills.hooks.start import find_command, handle_session_start
from mind_skills.staging.offer_text import CLOSING, OPENING
from mind_skills.staging.start_files import write_advice
from mind_skills.store.project import resolve_project
from tests.testkit.paths import DEMO


def place(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "mind-skills").touch(0o755)
    return folder / "mind-skills"


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine that has mind-skills nowhere."""
    monkeypatch.setenv("PATH", f"relative:{tmp_path}/empty")
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    monkeypatch.delenv("CLAUDE_PLUGIN_ROOT", raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "venv/bin/python"))
    monkeypatch.setattr("mind_skills.hooks.start.__file__", str(tmp_path / "checkout/hooks/start.py"))
    return tmp_path


def test_it_is_named_where_the_path_has_it_and_by_its_place_elsewhere(
    alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_command() == "mind-skills"  # nowhere: `mind-skills doctor` says so
    for folder in ("me/.local/bin", "checkout/bin", "venv/bin"):
        there = place(alone / folder)
        assert find_command() == str(there)
    place(alone / "on the path")
    monkeypatch.setenv("PATH", f"{alone}/on the path")
    assert find_command() == "mind-skills"


def test_a_path_that_needs_it_stands_in_quotation_marks_and_an_odd_one_nowhere(
    alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = place(alone / "my venv")
    monkeypatch.setattr(sys, "executable", str(there.with_name("python")))
    assert find_command() == f"'{there}'"
    odd = place(alone / "`id` <b>")
    monkeypatch.setattr(sys, "executable", str(odd.with_name("python")))
    assert find_command() == "mind-skills"


def test_of_a_plugin_claude_code_knows_the_name(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place(alone / "checkout/bin")
    monkeypatch.setenv("CLAUDE_PLUGIN_ROOT", str(alone / "checkout"))
    assert find_command() == "mind-skills"


@pytest.mark.parametrize(
    ("wanted", "entrypoint", "asks"),
    [("ask", "cli", True), ("ask", "sdk-cli", False), ("auto", "cli", False), ("never", "cli", None)],
)
def test_the_setting_and_who_is_there_decide_what_the_agent_is_asked(
    state: Path, project: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, wanted: str,
    entrypoint: str, asks: bool | None,
) -> None:  # fmt: skip
    (project / ".git").mkdir()
    mind_skills("replay", DEMO, "--stage", "--project", project)
    mind_skills("config", "set", "write_skills", wanted)
    write_advice(str(state), resolve_project(named=str(project)).id, "AVOID: that")
    monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", entrypoint)
    text = handle_session_start(str(state), Moment("claude-code", "s", str(project), "", 1_772_500_000_000))
    assert text is not None
    if asks is None:
        assert text == f"{OPENING}\nAVOID: that\n{CLOSING}"
    else:
        assert ("Then ask which of these to keep" in text) == asks
    assert len(mind_skills("pending", "--json").json["candidates"]) == 1
