"""The plugin's own commands in the real Claude Code: listed for the user, free of charge for the model, and they work."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mind_skills.staging.ledger import Ledger
from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import hook_log, pending, settled
from tests.clients.real_claude import PLUGIN, Client

COMMANDS = ["mind-skills:learn", "mind-skills:review", "mind-skills:status"]


def bash(command: str) -> dict[str, Any]:
    return {"tool": "Bash", "input": {"command": command, "description": "As the command says"}}


def results(claude: Client, script: str) -> list[str]:
    """What each tool call of a session came to, as the model was told."""
    messages = claude.requests(script)[-1]["messages"]
    items = [item for message in messages for item in message["content"] if isinstance(item, dict)]
    return [str(item["content"]) for item in items if item["type"] == "tool_result"]


def test_the_user_has_them_in_the_listing_and_the_model_pays_nothing_for_them(claude: Client) -> None:
    claude.script("one", ["Hello."])
    ran = claude.say("Hello", "--verbose")
    (listed,) = [event for event in json.loads(ran.stdout) if event.get("subtype") == "init"]
    assert sorted(name for name in listed["slash_commands"] if name.startswith("mind-skills")) == COMMANDS
    assert "mind-skills:" not in json.dumps(claude.requests("one"))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_reaches_the_model_and_may_run_mind_skills_without_a_question(claude: Client, name: str) -> None:
    claude.has_packages()
    claude.script("one", [bash("mind-skills status --json")], ["Done."])
    ran = claude.run(
        "-p",
        f"/{name} the float",
        "--plugin-dir",
        str(PLUGIN),
        "--permission-mode",
        "default",
        "--output-format",
        "json",
    )
    assert ran.code == 0
    text = (PLUGIN / "commands" / f"{name.partition(':')[2]}.md").read_text().partition("\n---\n")[2].strip()
    sent = json.dumps(claude.requests("one")[0]["messages"])
    assert json.dumps(text.replace("$ARGUMENTS", "the float"))[1:-1] in sent
    (printed,) = results(claude, "one")
    assert json.loads(printed)["enabled"] is True
    settled(claude)
    assert (pending(claude), hook_log(claude)) == ([], "")


def test_learn_finds_what_the_session_taught_and_its_skill_is_the_candidates(claude: Client) -> None:
    claude.has_packages()
    write_project(claude)
    script_lesson(claude, "one")
    assert claude.say("The prices test fails, please fix it.").code == 0
    settled(claude)
    (waiting,) = pending(claude)
    path = ".claude/skills/exact-money/SKILL.md"
    front = f"name: exact-money\ndescription: Use when prices are floats.\nmetadata:\n  candidate: {waiting['id']}"
    text = f"---\n{front}\n---\n# Exact money\n\nPass texts to Decimal.\n"
    write = {"tool": "Write", "input": {"file_path": str(claude.project / path), "content": text}}
    accept = bash(f"mind-skills accept {waiting['id']} --skill {path}")
    claude.script("learn", [bash("mind-skills learn --json")], [write], [accept], ["Kept as exact-money."])
    assert claude.say("/mind-skills:learn", "--continue", "--permission-mode", "bypassPermissions").code == 0
    settled(claude)
    found = json.loads(results(claude, "learn")[-3])
    assert [candidate["id"] for candidate in found["candidates"]] == [waiting["id"]]
    assert f"Accepted {waiting['id']}" in results(claude, "learn")[-1]
    with Ledger.open(claude.state) as ledger:
        states = [(record.candidate.id, record.state, record.detail) for record in ledger.history()]
    assert states == [(waiting["id"], "accepted", str(claude.project / path))]
    assert (pending(claude), hook_log(claude)) == ([], "")
