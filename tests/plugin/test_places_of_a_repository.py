"""A project's own environment (.env, or a host's settings in it) selects neither the state folder nor the user's settings."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.errors import HomeError
from mind_skills.hooks import hotpath
from mind_skills.settings import lenient
from mind_skills.store.home import find_work_tree, get_state_folder


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "work"
    (root / ".git").mkdir(parents=True)
    (root / ".state").mkdir()
    (root / ".gemini").mkdir()
    (root / ".gemini/m.toml").write_text("enabled = true\n")
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home/.config/mind-skills").mkdir(parents=True)
    for name in ("MIND_SKILLS_HOME", "MIND_SKILLS_CONFIG", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    return root


def quick(function: Callable[..., Any], *before: str) -> Any:
    """What the first step of a hook finds, or the error because of which it asks the whole handler."""
    try:
        return function(*before, {os.fsencode(name): os.fsencode(value) for name, value in os.environ.items()})
    except (hotpath.UnsureError, OSError) as error:
        return type(error)


NAMES = (".state", "./.state", "{root}/.state", "{root}/.state/deeper", "/proc/self/cwd/.state", "{link}/.state")


@pytest.mark.parametrize("variable", ["MIND_SKILLS_HOME", "XDG_STATE_HOME"])
@pytest.mark.parametrize("name", NAMES)
def test_a_state_folder_in_a_work_tree_is_refused(
    repository: Path, monkeypatch: pytest.MonkeyPatch, variable: str, name: str
) -> None:
    link = repository.parent / "link"
    link.symlink_to(repository)
    monkeypatch.setenv(variable, name.format(root=repository, link=link))
    usual = str(repository.parent / "home/.local/state/mind-skills")
    relative = variable == "XDG_STATE_HOME" and name.startswith(".")  # ignored, as the specification says
    if relative:
        assert (get_state_folder(), quick(hotpath.find_state_folder)) == (usual, usual)
        return
    assert isinstance(quick(hotpath.find_state_folder), type)
    with pytest.raises(HomeError, match=r"in the work tree|not an absolute path"):
        get_state_folder()


@pytest.mark.parametrize("name", [".gemini/m.toml", "{root}/.gemini/m.toml", "/proc/self/cwd/.gemini/m.toml"])
def test_settings_in_a_work_tree_disable_mind_skills_and_the_reason_is_given(
    repository: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("MIND_SKILLS_CONFIG", name.format(root=repository))
    assert not lenient.is_enabled(str(repository))
    assert lenient.should_redact_personal_data()
    assert any(
        found in lenient.explain_disabling_problem(str(repository))
        for found in ("in the work tree", "not an absolute path")
    )
    assert isinstance(quick(hotpath.list_settings_files, str(repository), str(repository), f"{repository}/.git"), type)


def test_a_settings_folder_in_a_work_tree_is_refused_and_a_relative_one_is_ignored(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository.parent / "home/.config/mind-skills/mind-skills.toml").write_text("enabled = false\n")
    (repository / "mind-skills").mkdir()
    (repository / "mind-skills/mind-skills.toml").write_text("enabled = true\n")
    for named in (".", str(repository), "/proc/self/cwd"):
        monkeypatch.setenv("XDG_CONFIG_HOME", named)
        assert not lenient.is_enabled(str(repository)), named
        found = quick(hotpath.list_settings_files, str(repository), str(repository), f"{repository}/.git")
        assert isinstance(found, type) or found[-1] == f"{os.environ['HOME']}/.config/mind-skills/mind-skills.toml"


@pytest.mark.parametrize("own", ["", ".config", ".local/state"])
def test_settings_and_state_may_be_in_a_home_folder_under_version_control(
    repository: Path, monkeypatch: pytest.MonkeyPatch, own: str
) -> None:
    home = repository.parent / "home"
    (home / own / ".git").mkdir(parents=True)
    (home / ".config/mind-skills/mind-skills.toml").write_text("enabled = false\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", f"{home}/.config")
    monkeypatch.setenv("MIND_SKILLS_HOME", f"{home}/.local/state/mind-skills")
    assert get_state_folder() == f"{home}/.local/state/mind-skills"
    assert (lenient.is_enabled(str(repository)), lenient.explain_disabling_problem(str(repository))) == (False, "")


@pytest.mark.parametrize(("variable", "below"), [("MIND_SKILLS_HOME", ""), ("XDG_STATE_HOME", "mind-skills")])
def test_the_first_step_of_a_hook_accepts_a_state_folder_outside_every_repository(
    repository: Path, monkeypatch: pytest.MonkeyPatch, variable: str, below: str
) -> None:
    own = repository.parent / "own" / below
    own.mkdir(parents=True)
    monkeypatch.setenv(variable, str(repository.parent / "own"))
    assert (get_state_folder(), quick(hotpath.find_state_folder), find_work_tree(str(own))) == (str(own), str(own), "")


def test_a_command_names_the_work_tree_that_contains_its_state_folder(
    repository: Path, monkeypatch: pytest.MonkeyPatch, mind_skills: Callable[..., Any]
) -> None:
    monkeypatch.setenv("MIND_SKILLS_HOME", str(repository / ".state"))
    done = mind_skills("pending", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "state_folder")
    assert str(repository) in done.json["error"]["message"]
    assert list((repository / ".state").iterdir()) == []
