"""The settings are checked at little cost where they are right, and in full where they may not be."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mind_skills.errors import MindSkillsError
from mind_skills.plugin.config import KEYS, Config, check, flat, put
from mind_skills.plugin.settings_check import problems, vouched

Run = Callable[..., Any]
VALUES = st.one_of(
    st.booleans(),
    st.integers(-5, 100_005),
    st.floats(),
    st.sampled_from([0, 1, 5, 6, 10, 30, 36_500, 36_501, 3600, 0.0, 1.0, 0.3]),
    st.text(alphabet="Avoid: ./-_a", max_size=12),
    st.lists(st.integers(), max_size=1),
    st.dictionaries(st.sampled_from(["per_offer", "x"]), st.integers(1, 5), max_size=1),
)
NAMES = st.sampled_from([*KEYS, "caps", "other", "caps.more", "skills_dir.other", "learning", "memory"])


@given(st.dictionaries(NAMES, VALUES, max_size=3))
def test_what_is_vouched_for_is_right_by_the_strict_reading(said: dict[str, Any]) -> None:
    data: dict[str, Any] = {}
    for key, value in said.items():
        if isinstance(data.get(key.partition(".")[0], {}), dict):
            put(data, key, value)
    if vouched(data):
        check(data, "f")


@given(st.sampled_from(KEYS), VALUES)
def test_of_single_settings_all_that_are_right_are_vouched_for_but_texts_of_the_memory(key: str, value: object) -> None:
    data: dict[str, Any] = {}
    put(data, key, value)  # type: ignore[arg-type]
    try:
        check(data, "f")
        right = True
    except MindSkillsError:
        right = False
    if key in ("memory.index", "memory.model"):
        assert not vouched(data)
    else:
        assert vouched(data) == right


def test_the_defaults_are_vouched_for() -> None:
    data: dict[str, Any] = {}
    for key, value in flat(Config()).items():
        if key not in ("memory.index", "memory.model"):
            put(data, key, value)
    assert vouched(data)
    assert vouched({"antiPattern": {"minObservations": 4}})
    assert not vouched({"antiPattern": {"minObservations": 4}, "anti_pattern": {"min_observations": 4}})


def user(apart: Path, text: str) -> Path:
    path = apart / "home/.config/mind-skills/mind-skills.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return path


def test_what_is_wrong_is_said_as_by_the_strict_reading(apart: Path, project: Path) -> None:
    path = project / ".claude/mind-skills.toml"
    path.parent.mkdir()
    wrong = "it is not TOML: Expected '=' after a key in a key/value pair (at end of document)"
    allowed = "a project's file may only switch off, lengthen idle_seconds and lower caps"
    said = {
        "enabled = true\nidle_seconds = 60\n": [],
        "[memory]\nmodel = ''\n": [f"memory.model in {path} is not honoured: {allowed}"],
        "[caps]\nper_ofer = 3\n": [f"caps.per_ofer in {path} is not honoured: {allowed}"],
        "enabled = true\nenabled": [
            f"{path}{wrong.removeprefix('it')}. Correct that line, or move the file away.",
            f"mind-skills is off here until {path} is right: {wrong}",
        ],
    }
    for text, expected in said.items():
        path.write_text(text, encoding="utf-8")
        assert problems(str(project)) == expected
    path.unlink()
    assert problems(str(project)) == []
    own = user(apart, "[caps]\nper_ofer = 3\n")
    assert problems(str(project)) == [f"caps.per_ofer in {own} is not a setting. Did you mean caps.per_offer?"]
    own.write_text(f'[projects."{project}"]\nenabeld = 3\n')
    header = f'[projects."{project}"] of {own}'
    assert problems(str(project)) == [f"enabeld in {header} is not a setting. Did you mean enabled?"]
    assert "pydantic" in sys.modules  # or nothing has been read strictly
