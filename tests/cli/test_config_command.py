from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.settings.table import TABLE


def test_get_set_and_list_agree(mind_skills: Callable[..., Any], apart: Path) -> None:
    path = apart / "home/.config/mind-skills/mind-skills.toml"
    assert mind_skills("config", "get", "caps.per_offer") == (0, "5\n", "")
    assert mind_skills("config", "set", "caps.per_offer", "3") == (
        0,
        f"caps.per_offer = 3 for all projects (in {path})\n",
        "",
    )
    assert mind_skills("config", "get", "caps.per_offer", "--json").json == {
        "version": 1,
        "settings": [{"key": "caps.per_offer", "value": 3, "origin": str(path)}],
    }
    listed = [line.split("\t") for line in mind_skills("config", "list").out.splitlines()]
    assert listed[0] == ["setting", "value", "from"]
    assert [row for row in listed if row[0] == "caps.per_offer"] == [["caps.per_offer", "3", str(path)]]


def test_config_list_shows_common_and_changed_settings_and_all_settings_with_all(
    mind_skills: Callable[..., Any], apart: Path
) -> None:
    path = apart / "home/.config/mind-skills/mind-skills.toml"
    mind_skills("config", "set", "memory.episodes", "30")
    mind_skills("config", "set", "write_skills", "auto")
    assert mind_skills("config", "list") == (
        0,
        (
            "setting\tvalue\tfrom\n"
            "enabled\ttrue\tdefault\n"
            "retention_days\t365\tdefault\n"
            f'write_skills\t"auto"\t{path}\n'
            "caps.per_session\t5\tdefault\n"
            "caps.per_offer\t5\tdefault\n"
            f"memory.episodes\t30\t{path}\n"
        ),
        f"Run `mind-skills config list --all` to show {len(TABLE) - 6} more.\n",
    )
    everything = mind_skills("config", "list", "--all")
    assert (len(everything.out.splitlines()), everything.err) == (len(TABLE) + 1, "")


def test_a_setting_is_unset_for_all_projects_or_for_one(
    mind_skills: Callable[..., Any], apart: Path, project: Path
) -> None:
    path = apart / "home/.config/mind-skills/mind-skills.toml"
    path.parent.mkdir(parents=True)
    before = f'# mine\nidle_seconds = 30  # often\n\n[caps]\nper_offer = 4\n\n[projects."{project}"]\nenabled = false\n'
    path.write_text(before)
    unset = "idle_seconds is no longer set for all projects; here it is 60, from default.\n"
    assert mind_skills("config", "unset", "idle_seconds") == (0, unset, "")
    assert path.read_text() == before.replace("idle_seconds = 30  # often\n", "")
    again = "idle_seconds was not set for all projects; here it is 60, from default.\n"
    assert mind_skills("config", "unset", "idle_seconds").out == again
    for words in (["--project"], ["--project", project], [f"--project={project}"]):
        mind_skills("config", "set", "caps.per_offer", "3", "--project")
        (setting,) = mind_skills("config", "unset", "caps.per_offer", *words, "--json").json["settings"]
        assert (setting["value"], setting["origin"]) == (4, str(path))
    assert mind_skills("config", "get", "enabled", "--project").out == "false\n"
    assert mind_skills("config", "unset", "enabled", "--project").code == 0
    assert mind_skills("config", "get", "enabled", "--project").out == "true\n"
    assert (
        mind_skills("config", "unset", "enabeld").code,
        mind_skills("config", "unset", "enabled", "--in", project).code,
    ) == (1, 2)


def test_switching_a_project_off_writes_to_the_users_own_file(
    mind_skills: Callable[..., Any], apart: Path, project: Path
) -> None:
    (project / ".git").mkdir()
    (project / "deep/er").mkdir(parents=True)
    path = apart / "home/.config/mind-skills/mind-skills.toml"
    done = mind_skills("config", "set", "enabled", "false", "--project", "--in", project)
    assert (done, path.read_text(encoding="utf-8"), (project / ".claude").exists()) == (
        (0, f"enabled = false for {project}; other projects are unchanged (in {path})\n", ""),
        f'[projects."{project}"]\nenabled = false\n',
        False,
    )
    assert mind_skills("config", "get", "enabled", "--project", project).out == "false\n"
    for words in (["--project", project], [f"--project={project}"], ["--project", "--in", project]):
        assert mind_skills("config", "set", "enabled", "false", *words) == done
    before = mind_skills("config", "set", "--project", "--in", project, "enabled", "false")
    assert (before, mind_skills("config", "set", "--project", project, "enabled", "false")) == (done, done)
    assert path.read_text(encoding="utf-8") == f'[projects."{project}"]\nenabled = false\n'
    assert mind_skills("config", "get", "enabled", "--project", apart).out == "true\n"
    for words in (["enabled", "--project"], ["--project", "enabled"]):
        assert mind_skills("config", "get", *words) == mind_skills("config", "get", "enabled")
    assert mind_skills("config", "list", "--project") == mind_skills("config", "list")
    listed = mind_skills("config", "list", "--project", "--json").json
    assert listed == mind_skills("config", "list", "--project", project, "--json").json


def test_a_projects_settings_file_that_is_a_symbolic_link_is_refused_and_unchanged(
    mind_skills: Callable[..., Any], apart: Path, project: Path
) -> None:
    target = apart / "precious"
    target.write_text("enabled = true\n", encoding="utf-8")
    (project / ".claude").mkdir()
    (project / ".claude/mind-skills.toml").symlink_to(target)
    done = mind_skills("config", "list", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "refused_path")
    assert mind_skills("config", "set", "enabled", "false", "--project", "--json").code == 0
    assert target.read_text(encoding="utf-8") == "enabled = true\n"


def test_a_users_settings_file_that_is_a_symbolic_link_stays_a_link(
    mind_skills: Callable[..., Any], apart: Path
) -> None:
    target, link = apart / "dotfiles.toml", apart / "home/.config/mind-skills/mind-skills.toml"
    target.write_text("# mine\n", encoding="utf-8")
    link.parent.mkdir(parents=True)
    link.symlink_to(target)
    assert mind_skills("config", "set", "enabled", "false").code == 0
    assert (link.is_symlink(), target.read_text(encoding="utf-8")) == (True, "# mine\nenabled = false\n")


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (["set", "caps.per_ofer", "3"], 1, "config_key"),
        (["get", "caps"], 1, "config_key"),
        (["set", "caps.per_offer", "99"], 1, "config_value"),
        (["set", "enabled", "perhaps"], 1, "config_value"),
        (["list", "--project", "/nowhere/at/all"], 1, "project_missing"),
        (["set", "enabled", "true", "--in", "."], 2, "usage"),
    ],
)
def test_a_wrong_argument_is_an_error_and_writes_nothing(
    mind_skills: Callable[..., Any], apart: Path, arguments: list[str], code: int, error: str
) -> None:
    done = mind_skills("config", *arguments, "--json")
    assert (done.code, json.loads(done.out)["error"]["code"]) == (code, error)
    assert not (apart / "home/.config").exists()


def test_the_hint_for_a_misplaced_settings_file_says_where_it_may_be(
    mind_skills: Callable[..., Any], project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".git").mkdir()
    for path in ("own.toml", str(project / "own.toml")):
        monkeypatch.setenv("MIND_SKILLS_CONFIG", path)
        hint = mind_skills("config", "list", "--json").json["error"]["hint"]
        assert hint == "Set MIND_SKILLS_CONFIG to the absolute path of a file outside every repository."


def test_the_error_for_a_value_on_the_command_line_names_only_the_setting(mind_skills: Callable[..., Any]) -> None:
    said = "mind-skills: enabled should be a boolean\nWrite true or false.\n"
    assert mind_skills("config", "set", "enabled", "maybe") == (1, "", said)


@pytest.mark.parametrize("words", [["get", "caps"], ["set", "caps", "3"]], ids=" ".join)
def test_the_error_for_a_section_lists_its_settings(mind_skills: Callable[..., Any], words: list[str]) -> None:
    assert mind_skills("config", *words, "--json").json["error"] == {
        "code": "config_key",
        "message": "caps is a section, not a setting",
        "hint": "Use one of caps.per_session, caps.per_offer.",
    }


def test_the_error_for_an_unknown_key_names_the_two_nearest_settings(mind_skills: Callable[..., Any]) -> None:
    error = mind_skills("config", "set", "zzz", "3", "--json").json["error"]
    assert error["message"] == "zzz is not a setting"
    assert error["hint"].startswith("The nearest are ")
    assert error["hint"].endswith("; `mind-skills config list --all` lists all settings.")
    assert error["hint"].count(",") == 1


def test_a_json_error_is_valid_unicode_even_if_the_argument_is_not(mind_skills: Callable[..., Any]) -> None:
    done = mind_skills("config", "get", "k\udcff", "--json")
    assert "k\ufffd is not a setting" in json.loads(done.out.encode())["error"]["message"]
