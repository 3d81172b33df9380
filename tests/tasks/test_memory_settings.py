"""The settings of the memory's extras, and which settings files may contain them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_skills.errors import MindSkillsError
from mind_skills.memory.encoders import DEFAULT_INDEX, DEFAULT_MODEL, Extras
from mind_skills.settings.strict import check
from mind_skills.tasks.memories import read_memory_settings


@pytest.fixture
def user_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MIND_SKILLS_CONFIG", str(tmp_path / "user.toml"))
    return tmp_path / "user.toml"


def write_project_settings(tmp_path: Path, text: str) -> str:
    (tmp_path / "project/.claude").mkdir(parents=True)
    (tmp_path / "project/.claude/mind-skills.toml").write_text(text)
    return str(tmp_path / "project")


def test_the_default_index_and_model_apply_without_settings(tmp_path: Path, user_settings: Path) -> None:
    assert read_memory_settings(str(tmp_path)) == Extras() == Extras(DEFAULT_INDEX, DEFAULT_MODEL)


def test_the_user_can_set_model_and_index_and_a_project_file_neither(tmp_path: Path, user_settings: Path) -> None:
    root = write_project_settings(tmp_path, '[memory]\nindex = "vectors/evil.lance"\nmodel = "evil/model"\n')
    assert read_memory_settings(root) == Extras(DEFAULT_INDEX, DEFAULT_MODEL)
    project_table = f'[projects."{root}".memory]\nindex = "vectors/here.lance"\n'
    user_settings.write_text(f'[memory]\nmodel = "~/models/mine"\nindex = ""\n{project_table}')
    assert read_memory_settings(root) == Extras("vectors/here.lance", "~/models/mine")
    assert read_memory_settings(str(tmp_path)) == Extras("", "~/models/mine")
    user_settings.write_text(project_table.replace("index", "model"))
    with pytest.raises(MindSkillsError, match=r"^memory\.model in .*: cannot be set for a single project$"):
        read_memory_settings(root)


@pytest.mark.parametrize(
    "index",
    ["/tmp/x.lance", "../x.lance", "a/../../x.lance", "a//x.lance", "x", "a b.lance", "a\n.lance", f"{'x' * 96}.lance"],
)
def test_an_index_must_be_a_lance_table_inside_the_project(index: str) -> None:
    with pytest.raises(MindSkillsError, match=r"^memory\.index in f") as refused:
        check({"memory": {"index": index}}, "f")
    assert refused.value.hint == f'Write a string such as "{DEFAULT_INDEX}", or an empty string.'


def test_a_model_must_be_one_line_of_text() -> None:
    with pytest.raises(MindSkillsError, match=r"^memory\.model in f") as refused:
        check({"memory": {"model": "a\nb"}}, "f")
    assert refused.value.hint == f'Write a string such as "{DEFAULT_MODEL}", or an empty string.'
