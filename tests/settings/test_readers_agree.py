"""The lenient reader of hooks and the strict reader agree on every file; and the problems that the strict reader lists."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.errors import MindSkillsError
from mind_skills.learning.rules import list_numeric_settings, load_rules
from mind_skills.settings import lenient
from mind_skills.settings.edit import set_value
from mind_skills.settings.strict import check, list_problems, load
from mind_skills.settings.table import GLOBAL_SETTINGS, PREFIX_KEY, TABLE

VALUES = st.one_of(
    st.booleans(),
    st.integers(-5, 100_005),
    st.floats(),
    st.sampled_from([0, 1, 5, 6, 10, 30, 36_500, 36_501, 3600, 0.0, 1.0, 0.3, "a/b.lance", "docs/skills", "AVOID: "]),
    st.text(alphabet="Avoid: ./-_a\n", max_size=12),
)
NAMES = st.sampled_from([*TABLE, "other", "caps.more", "skills_dir.other", "skills_dir.claude_code"])
SETTINGS = st.dictionaries(NAMES, VALUES, max_size=4)


def nested(settings: dict[str, Any]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, value in settings.items():
        set_value(data, key.split("."), value)
    return data


def as_hooks_read(root: str) -> dict[str, Any]:
    """Every setting, as hooks read it."""
    found = {key: lenient.get_setting(root, key) for key in TABLE} | {"enabled": lenient.is_enabled(root)}
    found |= {key: lenient.get_user_setting(key) for key in GLOBAL_SETTINGS}
    rules = load_rules(root)
    for section in ("learning", "anti_pattern", "maturity"):
        found |= {key: getattr(getattr(rules, section), field) for key, field in list_numeric_settings(section).items()}
    return found | {PREFIX_KEY: rules.anti_pattern.prefix.rstrip()}


@given(SETTINGS, SETTINGS, SETTINGS)
def test_hooks_read_the_same_values_as_the_strict_reader_if_that_accepts_the_files(
    user: dict[str, Any], of_project: dict[str, Any], projects: dict[str, Any]
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        root, own = Path(folder).resolve() / "project", Path(folder) / "own.toml"
        (root / ".claude").mkdir(parents=True)
        patch.setenv("MIND_SKILLS_CONFIG", str(own))
        own.write_text(tomlkit.dumps(nested(user) | {"projects": {str(root): nested(of_project)}}), encoding="utf-8")
        (root / ".claude/mind-skills.toml").write_text(tomlkit.dumps(nested(projects)), encoding="utf-8")
        hooks = as_hooks_read(str(root))  # never raises
        try:
            people = {each.key: each.value for each in load(str(root))}
        except MindSkillsError:
            return  # the next test covers what hooks do with a wrong file
        assert hooks == people | {PREFIX_KEY: str(people[PREFIX_KEY]).rstrip()}


@given(st.sampled_from(list(TABLE)), VALUES)
def test_hooks_use_the_default_for_exactly_the_values_that_the_strict_reader_refuses(key: str, value: object) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        own = Path(folder) / "own.toml"
        patch.setenv("MIND_SKILLS_CONFIG", str(own))
        data = nested({key: value})
        own.write_text(tomlkit.dumps(data), encoding="utf-8")
        found = lenient.get_setting(folder, key)
        try:
            check(data, "f")
        except MindSkillsError:
            assert found == TABLE[key].default
        else:
            assert found == value


def user(apart: Path, text: str) -> Path:
    path = apart / "home/.config/mind-skills/mind-skills.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return path


def test_list_problems_uses_the_words_of_the_strict_reader(apart: Path, project: Path) -> None:
    path = project / ".claude/mind-skills.toml"
    path.parent.mkdir()
    wrong = "it is not valid TOML: Expected '=' after a key in a key/value pair (at end of document)"
    allowed = "a project's file may only set enabled to false, lengthen idle_seconds and lower the caps"
    settings = {
        "enabled = true\nidle_seconds = 60\n": [],
        "[memory]\nmodel = ''\n": [f"memory.model in {path} is not honoured: {allowed}"],
        "[caps]\nper_ofer = 3\n": [f"caps.per_ofer in {path} is not honoured: {allowed}"],
        "enabled = true\nenabled": [
            f"{path}{wrong.removeprefix('it')}, so mind-skills is disabled here. Correct that line, or move the file away.",
        ],
    }
    for text, expected in settings.items():
        path.write_text(text, encoding="utf-8")
        assert list_problems(str(project)) == expected
    path.unlink()
    assert list_problems(str(project)) == []
    own = user(apart, "[caps]\nper_ofer = 3\n")
    assert list_problems(str(project)) == [f"caps.per_ofer in {own} is not a setting. Did you mean caps.per_offer?"]
    own.write_text(f'[projects."{project}"]\nenabeld = 3\n')
    header = f'[projects."{project}"] of {own}'
    assert list_problems(str(project)) == [f"enabeld in {header} is not a setting. Did you mean enabled?"]
    path.write_text("enabled = 1\n", encoding="utf-8")
    assert list_problems(str(project)) == [  # two problems in two files
        f"enabeld in {header} is not a setting. Did you mean enabled?",
        f"mind-skills is disabled here until {path} is corrected: enabled is neither true nor false",
    ]
