from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.cli import demo


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def test_the_demo_offers_one_block_to_session_two_and_nothing_to_session_three(mind_skills: Callable[..., Any]) -> None:
    done = mind_skills("demo", "--json")
    steps = {step["title"]: step["block"] for step in done.json["steps"]}
    block = steps.pop("Session two: the learning is offered, once")
    assert (done.code, done.err) == (0, "")
    assert (
        block.startswith("<openception-skill-extraction>\n"),
        block.endswith("\n</openception-skill-extraction>"),
    ) == (True, True)
    assert ("pytest test_invoice.py: AssertionError twice" in block, len(block) <= 1_500) == (True, True)
    assert steps == {
        "Session one: a test fails, then passes": None,
        "The session ends: a learning is noticed": None,
        "The agent reads what happened, and judges": None,
        "The agent writes a skill": None,
        "Session three: nothing is offered": None,
    }


def test_the_demo_prints_the_offered_learning_and_the_skill_verbatim(mind_skills: Callable[..., Any]) -> None:
    steps = mind_skills("demo", "--json").json["steps"]
    (block,) = [step["block"] for step in steps if step["block"]]
    (skill,) = [step["skill"] for step in steps if step["skill"]]
    text = mind_skills("demo").out
    for shown in (block.partition("\n\nThe user's own")[0], skill):
        assert "\n".join(f"   | {line}" for line in shown.splitlines()) in text
    assert "candidate: sc_" in skill


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        (".venv/bin/mind-skills", ".venv/bin/mind-skills"),
        ("my venv/mind-skills", "'my venv/mind-skills'"),
        ("-c", "mind-skills"),
    ],
)
def test_the_next_step_names_the_program_as_the_user_called_it(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, program: str, printed: str
) -> None:
    monkeypatch.setattr(sys, "argv", [program, "demo"])
    assert mind_skills("demo").out.splitlines()[-1] == f"  {printed} replay"


def test_the_next_step_uses_the_bare_name_if_the_shell_finds_this_program(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "bin/mind-skills"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    monkeypatch.setattr(sys, "argv", [str(program), "demo"])
    assert mind_skills("demo").out.splitlines()[-1] == "  mind-skills replay"


def test_the_demo_prints_the_same_every_time(mind_skills: Callable[..., Any]) -> None:
    assert mind_skills("demo") == mind_skills("demo")


def test_the_demo_leaves_no_files_and_does_not_touch_the_users_state(
    mind_skills: Callable[..., Any], apart: Path, temporary: Path
) -> None:
    before = sorted(apart.rglob("*"))
    assert mind_skills("demo").code == 0
    assert sorted(apart.rglob("*")) == before


def test_an_interrupted_demo_leaves_no_files(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, temporary: Path
) -> None:
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "_run_third_session", interrupt)
    assert (mind_skills("demo").code, list(temporary.iterdir())) == (130, [])


def test_the_demo_does_not_change_a_repository_around_the_temporary_folder(
    mind_skills: Callable[..., Any], temporary: Path
) -> None:
    exclude = temporary / ".git/info/exclude"
    exclude.parent.mkdir(parents=True)
    exclude.touch()
    assert (mind_skills("demo").code, exclude.read_bytes()) == (0, b"")


def test_the_users_settings_do_not_change_the_demo(mind_skills: Callable[..., Any]) -> None:
    shown = mind_skills("demo")
    assert mind_skills("config", "set", "enabled", "false").code == 0
    assert mind_skills("demo") == shown
