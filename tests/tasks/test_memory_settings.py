"""What the settings say of the memory's extras, and who may say it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_skills.errors import MindSkillsError
from mind_skills.memory.encoders import DEFAULT_INDEX, DEFAULT_MODEL, Extras
from mind_skills.settings.strict import check
from mind_skills.tasks.memories import read_memory_settings


@pytest.fixture
def users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MIND_SKILLS_CONFIG", str(tmp_path / "user.toml"))
    return tmp_path / "user.toml"


def project(tmp_path: Path, text: str) -> str:
    (tmp_path / "project/.claude").mkdir(parents=True)
    (tmp_path / "project/.claude/mind-skills.toml").write_text(text)
    return str(tmp_path / "project")


def test_without_a_word_the_documents_place_and_the_documents_model_are_meant(tmp_path: Path, users: Path) -> None:
    assert read_memory_settings(str(tmp_path)) == Extras() == Extras(DEFAULT_INDEX, DEFAULT_MODEL)


def test_the_user_names_a_model_and_an_index_and_a_project_neither(tmp_path: Path, users: Path) -> None:
    root = project(tmp_path, '[memory]\nindex = "vectors/evil.lance"\nmodel = "evil/model"\n')
    assert read_memory_settings(root) == Extras(DEFAULT_INDEX, DEFAULT_MODEL)
    of_it = f'[projects."{root}".memory]\nindex = "vectors/here.lance"\n'
    users.write_text(f'[memory]\nmodel = "~/models/mine"\nindex = ""\n{of_it}')
    assert read_memory_settings(root) == Extras("vectors/here.lance", "~/models/mine")
    assert read_memory_settings(str(tmp_path)) == Extras("", "~/models/mine")
    users.write_text(of_it.replace("index", "model"))
    with pytest.raises(MindSkillsError, match=r"^memory\.model in .*: cannot be set for a single project$"):
        read_memory_settings(root)


@pytest.mark.parametrize(
    "index",
    ["/tmp/x.lance", "../x.lance", "a/../../x.lance", "a//x.lance", "x", "a b.lance", "a\n.lance", f"{'x' * 96}.lance"],
)
def test_an_index_stands_inside_the_project_and_is_a_lance_table(index: str) -> None:
    with pytest.raises(MindSkillsError, match=r"^memory\.index in f") as refused:
        check({"memory": {"index": index}}, "f")
    assert refused.value.hint == f'Write a string such as "{DEFAULT_INDEX}", or an empty string.'


def test_a_model_is_text_on_one_line() -> None:
    with pytest.raises(MindSkillsError, match=r"^memory\.model in f") as refused:
        check({"memory": {"model": "a\nb"}}, "f")
    assert refused.value.hint == f'Write a string such as "{DEFAULT_MODEL}", or an empty string.'
