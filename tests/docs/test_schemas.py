"""What a command prints under --json has the members that its schema in docs/schemas says, or members.txt for a rare command."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mind_skills.output.document import to_camel_case
from mind_skills.plugin.cli import run
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from tests.testkit.command import confirm
from tests.testkit.paths import DEMO, ROOT

SCHEMAS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "docs/schemas").glob("*.json")}
MEMBERS = dict(line.split(": ") for line in (ROOT / "tests/docs/members.txt").read_text(encoding="utf-8").splitlines())


@pytest.fixture(autouse=True)
def _something_of_each(project: Path, tmp_path: Path) -> None:
    skill = project / ".claude/skills/x/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: x\ndescription: Use when x.\nmodel: opus\n---\nBody.\n", encoding="utf-8")
    (tmp_path / "broken.jsonl").write_bytes(DEMO.read_bytes() + b"{broken\n")
    (tmp_path / "empty.jsonl").touch()
    theirs = {
        "id": "t",
        "title": "T",
        "reason": "r",
        "confidence": "high",
        "evidence": [],
        "detectedAt": 1,
        "sessionId": "s",
    }
    pending = project / ".claude/mind-skills-pending.json"
    pending.write_text(json.dumps({"candidates": [theirs]}), encoding="utf-8")


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    run([*confirm([*arguments]), "--json"])
    return json.loads(capsys.readouterr().out)


def valid(name: str, document: Any) -> bool:
    if name in SCHEMAS:
        Draft202012Validator(SCHEMAS[name]).validate(document)
    else:
        assert (name, list_members(document)) == (name, MEMBERS[name])
    return True


def list_members(value: Any) -> str:
    """The names in a document, with those of nested documents in brackets; those of a list are the union of its items'."""
    nested: dict[str, list[Any]] = {}
    for part in value if isinstance(value, list) else [value]:
        for name, each in part.items() if isinstance(part, dict) else ():
            nested.setdefault(name, []).extend(each if isinstance(each, list) else [each])
    return " ".join(f"{name}({inner})" if (inner := list_members(nested[name])) else name for name in sorted(nested))


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_valid(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])


@pytest.mark.parametrize("name", SCHEMAS)
def test_descriptions_name_members_as_the_document_does(name: str) -> None:
    for part in (SCHEMAS[name], *SCHEMAS[name].get("$defs", {}).values()):
        members = part.get("properties", {})
        descriptions = [part.get("description", ""), *(member.get("description", "") for member in members.values())]
        values = {value for member in members.values() for value in member.get("enum", ())}
        named = {word for text in descriptions for word in re.findall(r"``(\w+_\w+)``", text)} - values
        assert [word for word in named if word not in members and to_camel_case(word) in members] == []


def test_every_document_that_a_command_prints_matches_its_schema(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replayed = call(capsys, "replay", str(DEMO), str(tmp_path), "--stage", "--project", ".")
    assert valid("replay", replayed)
    assert (replayed["sessions"][1]["warnings"] != [], replayed["errors"] != []) == (True, True)
    pending = call(capsys, "pending")
    assert valid("pending", pending)
    assert (pending["candidates"] != [], pending["foreign"] != []) == (True, True)
    assert valid("learn", call(capsys, "learn"))
    assert valid("mute", call(capsys, "mute", id_ := pending["candidates"][0]["id"]))
    assert valid("eval", call(capsys, "eval"))
    assert valid("show", call(capsys, "show", id_))
    assert valid("distil", call(capsys, "distil"))
    assert valid("why", call(capsys, "why", id_))
    assert valid("receipt", call(capsys, "accept", id_, "--skill", ".claude/skills/x", "--force"))
    assert valid("lint", call(capsys, "skills", "lint", ".claude/skills"))
    assert valid("receipt", call(capsys, "dismiss", id_, "--reason", "r"))
    assert valid("undo", call(capsys, "undo", "--dry-run"))
    assert valid("undo", call(capsys, "undo"))
    assert valid("patterns", call(capsys, "patterns", "list"))
    assert valid("skills", call(capsys, "skills", "list"))
    assert valid("archive", call(capsys, "skills", "archive"))
    assert valid("proof", call(capsys, "proof"))
    assert valid("report", call(capsys, "report"))
    assert valid("why-criterion", call(capsys, "why", "error_fix"))
    assert valid("why-skill", call(capsys, "why", "x"))
    assert valid("errors", call(capsys, "task", "errors", "record", "t", "it broke", "--type", "timeout"))
    with Ledger.open(tmp_path / "state") as ledger:
        ledger.register_session("session", "claude-code", resolve_project(folder=str(tmp_path / "project")), "", 1)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "session")
    assert valid(
        "outcome", call(capsys, "task", "outcome", "record", "t", "--failed", "--strategy", "split by feature")
    )
    assert valid("why-pattern", call(capsys, "why", "split-by-feature"))
    assert valid("plan", call(capsys, "task", "plan", "Rename a column", "--task-id", "t"))
    assert valid("complete", call(capsys, "task", "complete", "t", "--summary", "split by feature"))
    assert valid("outcomes", call(capsys, "task", "outcome", "list"))
    assert valid("memory-add", call(capsys, "memory", "add", "pin the tag"))
    assert valid("memory-search", call(capsys, "memory", "search", "tag"))
    assert valid("memory-list", call(capsys, "memory", "list"))
    assert valid("memory-health", call(capsys, "memory", "health"))
    assert valid("memory-change", call(capsys, "memory", "rebuild"))
    assert valid("memory-export", call(capsys, "memory", "export"))
    assert valid("status", call(capsys, "status"))
    assert valid("demo", call(capsys, "demo"))
    assert valid("install", call(capsys, "install", "claude-code", "codex"))
    assert valid("doctor", call(capsys, "doctor"))
    assert valid("pause", call(capsys, "pause"))
    assert valid("status", call(capsys, "status"))
    assert valid("pause", call(capsys, "resume"))
    assert valid("config", call(capsys, "config", "list"))
    assert valid("config", call(capsys, "config", "get", "enabled"))
    assert valid("config", call(capsys, "config", "set", "enabled", "true"))
    assert valid("uninstall", call(capsys, "uninstall", "--all", "--verify", "--purge"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["nope"],
        ["show", "sc_x"],
        ["config", "get", "x"],
        ["replay", "--since", "0"],
        ["status", "--project", "/nowhere"],
        ["config"],
    ],
    ids=" ".join,
)
def test_every_error_document_matches_its_schema(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert valid("error", call(capsys, *arguments))


def test_an_undeclared_field_does_not_match_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    document = call(capsys, "status") | {"more": 1}
    assert not Draft202012Validator(SCHEMAS["status"]).is_valid(document)
