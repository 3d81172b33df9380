from __future__ import annotations

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


def test_session_two_is_handed_one_block_and_session_three_gets_nothing(mind_skills: Callable[..., Any]) -> None:
    done = mind_skills("demo", "--json")
    steps = {step["title"]: step["block"] for step in done.json["steps"]}
    block = steps.pop("Session two: it receives the offer, once")
    assert (done.code, done.err) == (0, "")
    assert (
        block.startswith("<openception-skill-extraction>\n"),
        block.endswith("\n</openception-skill-extraction>"),
    ) == (True, True)
    assert ("2.67499" in block, len(block) <= 9500) == (True, True)
    assert steps == {
        "Session one: a test fails": None,
        "The session ends: something was learned": None,
        "The agent writes a skill": None,
        "Session three: nothing": None,
    }


def test_the_text_shows_the_block_word_for_word(mind_skills: Callable[..., Any]) -> None:
    block = next(step["block"] for step in mind_skills("demo", "--json").json["steps"] if step["block"])
    text = mind_skills("demo").out
    assert "\n".join(f"   | {line}".rstrip() for line in block.splitlines()) in text
    assert "The agent receives nothing." in text


def test_it_is_the_same_every_time(mind_skills: Callable[..., Any]) -> None:
    assert mind_skills("demo") == mind_skills("demo")


def test_nothing_is_left_behind_and_the_users_own_state_is_not_touched(
    mind_skills: Callable[..., Any], apart: Path, temporary: Path
) -> None:
    before = sorted(apart.rglob("*"))
    assert mind_skills("demo").code == 0
    assert sorted(apart.rglob("*")) == before


def test_nothing_is_left_behind_when_it_is_interrupted(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, temporary: Path
) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "_run_third_session", interrupted)
    assert (mind_skills("demo").code, list(temporary.iterdir())) == (130, [])


def test_a_repository_around_the_temporary_folder_is_left_alone(
    mind_skills: Callable[..., Any], temporary: Path
) -> None:
    exclude = temporary / ".git/info/exclude"
    exclude.parent.mkdir(parents=True)
    exclude.touch()
    assert (mind_skills("demo").code, exclude.read_bytes()) == (0, b"")


def test_settings_of_the_user_do_not_change_what_is_shown(mind_skills: Callable[..., Any]) -> None:
    shown = mind_skills("demo")
    assert mind_skills("config", "set", "enabled", "false").code == 0
    assert mind_skills("demo") == shown
