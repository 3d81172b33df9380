from __future__ import annotations

import json
from pathlib import Path

import pytest

from mind_skills.cli.replay import read_log
from mind_skills.observations.find_logs import Log
from tests.settings.test_config import user, write

RULE = "always use pnpm here, never npm"


def log(path: Path) -> Path:
    """A session in which the user states a rule and the agent follows it, as Claude Code keeps it."""
    ran = [("npm install react-datepicker", "a"), ("pnpm add react-datepicker", "b")]
    calls = {name: [call(command, name), result(name)] for command, name in ran}
    rows = [
        said("user", "add a date picker to the form"),
        *calls["a"],
        said("user", RULE),
        said("assistant", [{"type": "text", "text": "Understood: pnpm, not npm."}]),
        *calls["b"],
    ]
    lines = [json.dumps({"sessionId": "s1", "cwd": "/shop", "uuid": str(n), **row}) for n, row in enumerate(rows)]
    return write(path, "\n".join(lines) + "\n")


def said(role: str, content: object) -> dict[str, object]:
    return {"type": role, "message": {"role": role, "content": content}}


def call(command: str, name: str) -> dict[str, object]:
    return said("assistant", [{"type": "tool_use", "id": name, "name": "Bash", "input": {"command": command}}])


def result(name: str) -> dict[str, object]:
    return said("user", [{"type": "tool_result", "tool_use_id": name, "content": "done"}])


@pytest.mark.parametrize(
    ("settings", "expected"),
    [("", []), ("user_rules = false", []), ("user_rules = true", [("user_rule", RULE, "medium", [4])])],
)
def test_rules_are_offered_to_users_who_enable_them(
    apart: Path, settings: str, expected: list[tuple[str, str, str, list[int]]]
) -> None:
    user(apart, settings)
    report = read_log(Log(log(apart / "s1.jsonl"), "claude-code")).report
    assert report is not None
    found = [(each.kind, each.title, each.confidence, [e.line for e in each.evidence]) for each in report.candidates]
    assert found == expected


def test_no_project_can_enable_rules_by_itself(apart: Path, project: Path) -> None:
    write(project / ".claude/mind-skills.toml", "user_rules = true\n")
    user(apart, f'[projects."{project}"]\nuser_rules = true\n')
    report = read_log(Log(log(apart / "s1.jsonl"), "claude-code")).report
    assert report is not None
    assert report.candidates == []
