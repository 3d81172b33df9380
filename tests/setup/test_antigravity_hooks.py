"""The hook file of Antigravity: one wrong value anywhere makes the client drop the whole file, and nobody tried the real client."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hosts import load_spec
from mind_skills.plugin import command
from tests.testkit.paths import FIXTURES

FILE = ".gemini/config/hooks.json"
HANDLER = {"type": "command", "command": "echo hi", "timeout": 5}
VALID: dict[str, Any] = {
    "notes": {
        "enabled": False,
        "SessionStart": [HANDLER, {"command": "echo"}],
        "PreToolUse": [{"matcher": "run_command", "hooks": [HANDLER]}, {"hooks": []}, {}],
        "NoSuchEvent": 7,
        "Stop": [{**HANDLER, "env": {"A": 1}, "cwd": 3}],
    },
    "nothing": {},
}
"""What the client accepts: it ignores unknown events, and unknown members of handlers."""
BROKEN = {
    "// mine\n{}": "it is not strict JSON",
    '{"a": {},}': "it is not strict JSON",
    "\ufeff{}": "it is not strict JSON",
    "[]": "the document is not an object",
    '{"enabled": true}': "enabled is not an object",
    '{"a": {"enabled": "yes"}}': "a.enabled is not true or false",
    '{"a": {"Stop": {}}}': "a.Stop is not a list",
    '{"a": {"Stop": [7]}}': "a.Stop contains a value of a wrong type",
    '{"a": {"Stop": [{"command": 7}]}}': "a.Stop contains a value of a wrong type",
    '{"a": {"Stop": [{"timeout": 1.5}]}}': "a.Stop contains a value of a wrong type",
    '{"a": {"Stop": [{"timeout": true}]}}': "a.Stop contains a value of a wrong type",
    '{"a": {"PreToolUse": [{"matcher": 7}]}}': "a.PreToolUse contains a value of a wrong type",
    '{"a": {"PostToolUse": [{"hooks": {}}]}}': "a.PostToolUse contains a value of a wrong type",
    '{"a": {"PostToolUse": [{"hooks": ["x"]}]}}': "a.PostToolUse contains a value of a wrong type",
}


def write(home: Path, text: str) -> Path:
    path = home / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def list_checks(mind_skills: Callable[..., Any]) -> list[tuple[str, str]]:
    checks = mind_skills("doctor", "--json").json["checks"]
    return [(one["state"], one["text"]) for one in checks if one["host"] == "antigravity" and one["name"] == "hooks"]


def test_the_installed_hooks_are_handlers_under_one_name(home: Path, mind_skills: Callable[..., Any]) -> None:
    path = write(home, json.dumps(VALID))
    assert mind_skills("install", "antigravity").code == 0
    hooks = json.loads(path.read_text())
    ours = hooks.pop("mind-skills")
    assert hooks == VALID
    python, script = command.find_interpreter(), command.find_entry_script()
    lines = [command.make_shell_command(python, script, "antigravity", name) for name in ("start", "late", "idle")]
    assert ours == {
        event: [{"type": "command", "command": line, "timeout": 10}]
        for event, line in zip(("SessionStart", "PreInvocation", "Stop"), lines, strict=True)
    }
    assert load_spec("antigravity").hook_form.find_problem(path.read_text()) == ""


@pytest.mark.parametrize("text", BROKEN)
def test_a_file_that_the_client_would_drop_is_neither_changed_nor_accepted(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], text: str
) -> None:
    path = write(home, text)
    before = tree(home)
    error = mind_skills("install", "antigravity", "--json").json["error"]
    assert error["code"] == "settings_shape"
    assert BROKEN[text] in error["message"]
    assert (tree(home), path.read_bytes()) == (before, text.encode())
    assert list_checks(mind_skills) == [("failed", error["message"])]


def test_doctor_says_what_was_not_tried_and_how_to_check_it(home: Path, mind_skills: Callable[..., Any]) -> None:
    path = write(home, "")
    assert list_checks(mind_skills) == [("note", "this host is on the machine, but our hooks are not installed")]
    mind_skills("install", "antigravity")
    untried, installed = list_checks(mind_skills)
    assert untried[0] == "note"
    assert "`agy -p /hooks`" in untried[1]
    assert installed == ("ok", f"{path}: 3 hooks")


@pytest.mark.parametrize("name", ["mind-skills", "other"])
def test_doctor_finds_that_the_client_does_not_run_the_hooks(
    home: Path, mind_skills: Callable[..., Any], name: str
) -> None:
    path = write(home, "")
    mind_skills("install", "antigravity")
    hooks = json.loads(path.read_text())
    hooks.setdefault(name, {})["enabled"] = False if name == "mind-skills" else "no"
    path.write_text(json.dumps(hooks))
    failed = [text for state, text in list_checks(mind_skills) if state == "failed"]
    problem = "other.enabled is not true or false, so Antigravity CLI ignores the whole file"
    assert failed == [f"{path} disables all hooks" if name == "mind-skills" else f"{path}: {problem}"]
    assert mind_skills("status", "--json").json["problems"] == [f"Antigravity CLI: {failed[0]}"]


def test_an_installation_reads_the_history_of_all_three_apps_each_session_once(
    home: Path, project: Path, mind_skills: Callable[..., Any]
) -> None:
    for number, app in enumerate(("antigravity-cli", "antigravity", "antigravity-ide")):
        brain = home / ".gemini" / app / "brain"
        shutil.copytree(FIXTURES / "antigravity/brain", brain)
        for path in brain.glob("*/.system_generated/logs/*.jsonl"):
            text = path.read_text().replace("/home/dev/project", str(project))
            path.write_text(text.replace("000000000000000000", f"{number}00000000000000000"))
        for folder in list(brain.iterdir()):
            folder.rename(brain / f"{number}{folder.name[1:]}")
    history = mind_skills("install", "antigravity", "--yes", "--json").json["history"]
    assert (history["logs"], history["candidates"], history["problems"]) == (3, 1, [])


SIGNS = {
    ".gemini": False,
    ".gemini/tmp": False,
    ".gemini/config": True,
    ".gemini/antigravity-cli": True,
    ".gemini/antigravity-ide": True,
}


@pytest.mark.parametrize("folder", SIGNS)
def test_the_folder_that_gemini_cli_shares_is_no_sign_of_antigravity(
    home: Path, mind_skills: Callable[..., Any], folder: str
) -> None:
    (home / folder).mkdir(parents=True)
    said = mind_skills("install", "--dry-run", "--json").json
    assert ("antigravity" in [host["host"] for host in said["hosts"]]) == SIGNS[folder]
