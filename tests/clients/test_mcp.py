"""The real clients start the MCP server that an installation wrote into their settings, and their agents call its tools."""

from __future__ import annotations

import itertools
import json
from typing import Any

from mind_skills.learning.storage import SCHEMA, TaskStorage
from mind_skills.staging.identity import build_candidate_id
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate, Evidence
from mind_skills.store.database import Database
from mind_skills.store.project import digest_text, resolve_project
from tests.clients.lesson import bash
from tests.clients.observing import list_strings
from tests.clients.real_claude import Claude
from tests.clients.real_codex import Codex
from tests.clients.real_gemini import Gemini
from tests.clients.real_opencode import OpenCode

TOOLS = ("plan", "complete", "recall", "record_error", "error_context", "record_outcome", "dismiss", "accept")
LEARNED = "The cache grew without a limit; an LRU with a bound mended the leak"
FAILED = {"success": False, "error_count": 4, "retry_count": 2, "summary": "We split by file type and it broke"}
WARNING = "AVOID: Split by file type. Failed 3/3 times (100% failure rate)"


def call_tools(client: Claude, script: str, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """Run a session whose agent makes these calls; return the documents of their results."""
    turns = [[{"tool": f"mcp__mind-skills__{tool}", "input": given}] for tool, given in calls]
    allowed = [f"mcp__mind-skills__{tool}" for tool in TOOLS]
    client.session(script, *turns, ["Done."], prompt="Please do it.", more=("--allowedTools", *allowed))
    results: dict[str, Any] = {}
    for request in client.requests(script):
        for block in itertools.chain.from_iterable(
            m["content"] for m in request["messages"] if isinstance(m["content"], list)
        ):
            if block["type"] == "tool_result":
                results[block["tool_use_id"]] = parse_document(block["content"])
    return list(results.values())


def parse_document(content: Any) -> Any:
    """Parse the JSON at the beginning of a result; Claude Code appends text to an error."""
    text = content if isinstance(content, str) else content[0]["text"]
    return json.JSONDecoder().raw_decode(text)[0]


def test_claude_code_plans_completes_and_recalls_over_sessions(claude: Claude) -> None:
    claude.plugin = None
    file = claude.home / ".claude.json"
    file.write_text('{\n  "numStartups": 41\n}\n')
    claude.mind_skills("install", "claude-code", "--yes", "--no-history", "--mcp")
    planned, done, wrong = call_tools(
        claude,
        "one",
        ("plan", {"task": "The service eats all the memory of the machine"}),
        ("complete", {"bead_id": "shop-1", "summary": LEARNED}),
        ("complete", {"summary": LEARNED}),
    )
    assert (planned["project"], planned["memory_queried"]) == (str(claude.project), True)
    assert (done["memory_stored"], done["outcome"]["said_by"], done["outcome"]["duration_ms"] > 0) == (
        True,
        "agent",
        True,
    )
    assert wrong["error"]["code"] == "invalid_arguments"
    with Database.open(claude.state, SCHEMA) as database:
        (stored,) = TaskStorage(database).list_outcomes_by_session(claude.transcripts()[0].stem)
    assert (stored.task_id, stored.summary) == ("shop-1", LEARNED)

    for number in range(3):  # one vote a session
        call_tools(claude, f"two-{number}", ("complete", {"bead_id": f"page-{number}", **FAILED}))
    found, recalled, errors, context = call_tools(
        claude,
        "three",
        ("plan", {"task": "our worker runs out of RAM and is killed"}),
        ("recall", {"query": "out of RAM", "limit": 1}),
        ("record_error", {"bead_id": "shop-2", "message": "the build timed out"}),
        ("error_context", {"bead_id": "shop-2"}),
    )
    assert found["recalled"][0]["content"] == LEARNED
    assert [each["content"] for each in found["anti_patterns"]] == [WARNING]
    assert found["text"].count(WARNING) == 1
    assert [each["content"] for each in recalled["results"]] == [LEARNED]
    assert (errors == context, context["by_type"]) == (True, {"timeout": 1})

    assert claude.mind_skills("uninstall", "claude-code", "--verify")["residue"] == []
    left = json.loads(file.read_text())
    assert (left["numStartups"], "mcpServers" in left) == (41, False)


def test_claude_code_calls_every_tool_and_receives_every_error(claude: Claude) -> None:
    claude.plugin = None
    skill = claude.project / ".claude/skills/exact-money/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: exact-money\ndescription: Use when a price is off by a cent.\n---\nUse str().\n")
    with Ledger.open(claude.state) as ledger:
        ledger.stage(
            resolve_project(str(claude.project)),
            "S",
            "claude-code",
            [build_candidate("prices"), build_candidate("carts")],
            1,
        )
    refused, accepted = build_candidate("prices").id, build_candidate("carts").id
    claude.mind_skills("install", "claude-code", "--yes", "--no-history", "--mcp")
    answers = call_tools(
        claude,
        "one",
        ("plan", {"task": "Add a cart"}),
        ("record_error", {"bead_id": "shop-1", "message": "the build timed out"}),
        ("error_context", {"bead_id": "shop-1"}),
        ("record_outcome", {"bead_id": "shop-1", "success": True}),
        ("complete", {"bead_id": "shop-2", "summary": LEARNED}),
        ("recall", {"query": "out of RAM"}),
        ("dismiss", {"id": refused, "reason": "we know"}),
        ("accept", {"id": accepted, "skill": str(skill)}),
        *((tool, {}) for tool in TOOLS if tool != "recall"),
        ("dismiss", {"id": "sc_00000000", "reason": "we know"}),
        ("accept", {"id": "sc_00000000", "skill": str(skill)}),
        ("accept", {"id": refused, "skill": "nowhere"}),
    )
    assert [each for each in answers[:8] if "error" in each] == []
    assert [(each["done"], each["id"]) for each in answers[6:8]] == [("dismissed", refused), ("accepted", accepted)]
    assert [each["error"]["code"] for each in answers[8:]] == [
        *["invalid_arguments"] * (len(TOOLS) - 1),
        *["unknown_id"] * 2,
        "skill_missing",
    ]
    assert all(sorted(each["error"]) == ["code", "hint", "message"] for each in answers[8:])


def build_candidate(name: str) -> Candidate:
    """Build a candidate."""
    mark = digest_text(f"the lesson of {name}", 16)
    evidence = (
        Evidence("problem", "symptom", f"{name} fails", "", 1),
        Evidence("solution", "cause", f"{name} works", "", 2),
    )
    title, reason = f"How {name} work", f"{name} failed, then passed"
    return Candidate(
        build_candidate_id(mark), "error_fix", title, reason, "high", mark, evidence, detected_at=1, score=1.0
    )


def list_plan_answers(requests: list[Any]) -> list[Any]:
    """List the answers of `plan` in requests to the model."""
    texts = [text for request in requests for text in list_strings(request) if '"memory_queried":true' in text]
    return [json.JSONDecoder().raw_decode(text[text.index('{"version"') :])[0] for text in texts]


def build_plan_call(name: str) -> dict[str, Any]:
    return {"tool": name, "input": {"task": "Add a cart", "bead_id": "shop-1"}}


def test_opencode_plans(opencode: OpenCode) -> None:
    file = opencode.config / "opencode.json"
    before = json.loads(file.read_text())
    opencode.mind_skills("install", "opencode", "--yes", "--no-history", "--mcp")
    opencode.session("one", [build_plan_call("mind-skills_plan")], ["Done."], prompt="Please add a cart.")
    assert {each["bead_id"] for each in list_plan_answers(opencode.requests("one"))} == {"shop-1"}
    opencode.mind_skills("uninstall", "opencode", "--verify")
    left = json.loads(file.read_text())
    assert {key: value for key, value in left.items() if key != "$schema"} == before  # which the client writes itself


def test_gemini_plans(gemini: Gemini) -> None:
    gemini.mind_skills("install", "gemini", "--yes", "--no-history", "--mcp")
    gemini.session("one", [build_plan_call("mcp_mind-skills_plan")], ["Done."], prompt="Please add a cart.")
    assert {each["bead_id"] for each in list_plan_answers(gemini.requests("one"))} == {"shop-1"}
    gemini.mind_skills("uninstall", "gemini", "--verify")


def test_codex_plans_and_passes_the_state_folder_on(codex: Codex) -> None:
    before = codex.config.read_bytes()
    codex.mind_skills("install", "codex", "--yes", "--no-history", "--mcp")
    # It starts the server during its first turn, and does not tell the model when the server is ready.
    turns = [[turn] for _ in range(8) for turn in (bash("sleep 1"), build_plan_call("mcp__mind_skills/plan"))]
    codex.session("one", *turns, ["Done."], prompt="Please add a cart.")
    assert {each["bead_id"] for each in list_plan_answers(codex.requests("one"))} == {"shop-1"}
    with Database.open(codex.state, SCHEMA) as database:
        rows = database.sql.execute("SELECT task_id, task FROM task_plans").fetchall()
    assert rows == [("shop-1", "Add a cart")]
    codex.mind_skills("uninstall", "codex", "--verify")
    assert codex.config.read_bytes() == before
