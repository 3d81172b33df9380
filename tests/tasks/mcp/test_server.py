"""The server as a process, driven by the official client: every tool and every error."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import anyio
import pytest
from mcp import Client, ClientSession
from mcp.client.stdio import stdio_client

from mind_skills.plugin import VERSION
from mind_skills.plugin.cli import run
from mind_skills.tasks.mcp.server import INSTRUCTIONS
from mind_skills.tasks.mcp.tools import TOOLS
from tests.tasks.mcp.mcp_place import Place, answer

pytestmark = pytest.mark.process
FAILED = {"success": False, "error_count": 4, "retry_count": 2, "summary": "We split by file type and it broke"}
WARNING = "AVOID: Split by file type. Failed 3/3 times (100% failure rate)"


def test_a_client_receives_the_name_the_instructions_and_the_tools_of_the_server(place: Place) -> None:
    async def work(session: ClientSession) -> Any:
        return session.server_info, session.instructions, (await session.list_tools()).tools

    info, instructions, tools = place.talk(work)
    assert (info.name, info.version, instructions) == ("mind-skills", VERSION, INSTRUCTIONS)
    hints = {tool.name: tool.annotations.model_dump(exclude_none=True) for tool in tools}
    usual = {"read_only_hint": False, "destructive_hint": False, "idempotent_hint": True, "open_world_hint": False}
    assert hints == {
        "plan": usual,
        "complete": usual,
        "record_outcome": usual,
        "record_error": usual | {"idempotent_hint": False},
        "error_context": usual | {"read_only_hint": True},
        "recall": usual | {"read_only_hint": True},
        "show": usual | {"read_only_hint": True},
        "distil": usual,
        "accept": usual,
        "dismiss": usual | {"destructive_hint": True},
    }
    assert [tool.input_schema["type"] for tool in tools] == ["object"] * 10
    assert [tool.output_schema["type"] for tool in tools] == ["object"] * 10


def test_the_tools_plan_record_complete_recall_and_accept(place: Place) -> None:
    waiting, skill = place.stage_candidate(), place.write_skill()
    place.start_session("one")
    answers = place.call(
        ("plan", {"task": "The service eats all the memory of the machine", "context": "python", "bead_id": "b"}),
        ("record_error", {"bead_id": "b", "message": "the build timed out", "tool_name": "Bash", "context": "make"}),
        ("error_context", {"bead_id": "b"}),
        ("complete", {"bead_id": "b", "summary": "Split by feature; the cache got an LRU with a bound"}),
        ("record_outcome", {"bead_id": "c", "success": False, "strategy": "risk-based", "failure_details": "conflict"}),
        ("recall", {"query": "worker runs out of RAM", "limit": 1}),
        ("error_context", {"bead_id": "b", "include_resolved": True}),
        ("accept", {"id": waiting, "skill": ".claude/skills/exact-decimals"}),
    )
    assert [failed for failed, _ in answers] == [False] * 8
    plan, recorded, errors, done, outcome, recalled, resolved, accepted = (document for _, document in answers)
    assert (plan["bead_id"], plan["memory_queried"], plan["patterns_found"]) == ("b", True, 0)
    assert (recorded, recorded["by_type"], recorded["unresolved"]) == (errors, {"timeout": 1}, 1)
    assert errors["text"].startswith("## Previous Errors\n")
    assert (done["outcome"]["error_count"], done["open_errors"], done["memory_stored"]) == (1, 0, True)
    assert [each["id"] for each in done["patterns"]] == ["split-by-feature"]
    assert (outcome["strategies"], outcome["failure_mode"], outcome["voted"]) == (["Order by risk"], "conflict", False)
    assert [each["content"] for each in recalled["results"]] == ["Split by feature; the cache got an LRU with a bound"]
    assert (resolved["unresolved"], resolved["errors"][0]["resolved"], "(resolved)" in resolved["text"]) == (
        0,
        True,
        True,
    )
    assert (accepted["id"], accepted["done"], accepted["detail"]) == (waiting, "accepted", str(skill))


def test_every_error_has_a_code_and_a_hint(place: Place) -> None:
    waiting = place.stage_candidate()
    bad = place.project / "bad/SKILL.md"
    bad.parent.mkdir()
    bad.write_text("no frontmatter\n", encoding="utf-8")
    answers = place.call(
        ("plan", {}),
        ("plan", {"task": "x", "project_key": "/nowhere"}),
        ("complete", {"bead_id": "b"}),
        ("complete", {"bead_id": "b", "summary": "s", "success": True, "failure_mode": "timeout"}),
        ("record_outcome", {"bead_id": "b", "success": "perhaps"}),
        ("record_error", {"bead_id": "b", "message": "m", "error_type": "boredom"}),
        ("error_context", {"bead_id": ""}),
        ("recall", {"query": "x", "limit": 0}),
        ("accept", {"id": waiting, "skill": "nowhere"}),
        ("accept", {"id": waiting, "skill": "bad"}),
        ("dismiss", {"id": "sc_00000000", "reason": "no"}),
        ("dismiss", {"id": waiting}),
        ("forget_everything", {}),
    )
    codes = [(failed, document["error"]["code"], bool(document["error"]["hint"])) for failed, document in answers]
    assert codes == [
        (True, "invalid_arguments", True),
        (True, "project_missing", True),
        *[(True, "invalid_arguments", True)] * 6,
        (True, "skill_missing", True),
        (True, "skill_flawed", True),
        (True, "unknown_id", True),
        (True, "invalid_arguments", True),
        (True, "unknown_tool", True),
    ]


def test_a_candidate_is_dismissed_for_good(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    waiting = place.stage_candidate()
    ((failed, document),) = place.call(("dismiss", {"id": waiting[:7], "reason": "our linter says so"}))
    assert (failed, document["id"], document["state"], document["detail"]) == (
        False,
        waiting,
        "dismissed",
        "our linter says so",
    )
    assert run(["pending", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["candidates"] == []


def test_a_paraphrase_finds_what_another_server_completed_and_warnings_are_marked(place: Place) -> None:
    place.call(
        ("plan", {"task": "The service eats all the memory of the machine", "bead_id": "b"}),
        (
            "complete",
            {"bead_id": "b", "summary": "The cache grew without a limit; an LRU with a bound mended the leak"},
        ),
    )
    for number in range(3):
        place.start_session(f"session-{number}")
        place.call(("plan", {"task": "Rewrite the checkout page"}), ("complete", {"bead_id": f"t{number}", **FAILED}))
    (_, found), (_, page) = place.call(
        ("plan", {"task": "our worker runs out of RAM and is killed"}),
        ("plan", {"task": "The page of the checkout needs a rewrite"}),
    )
    assert found["recalled"][0]["content"] == "The cache grew without a limit; an LRU with a bound mended the leak"
    assert [each["content"] for each in page["anti_patterns"]] == [WARNING]
    assert [each["content"] for each in page["recalled"] if each["is_negative"]] == [WARNING]
    assert page["text"].count(WARNING) == 1


def test_a_client_of_the_newer_protocol_is_served(place: Place) -> None:
    async def work() -> list[tuple[bool, Any]]:
        async with Client(place.server()) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == {tool.name for tool in TOOLS}
            calls = [("plan", {"task": "x", "bead_id": "b"}), ("plan", {}), ("recall", {"query": "x"})]
            return [answer(await client.call_tool(name, arguments)) for name, arguments in calls]

    answers = anyio.run(work)
    assert [failed for failed, _ in answers] == [False, True, False]
    assert answers[1][1]["error"]["code"] == "invalid_arguments"


def test_many_concurrent_calls_of_two_clients_succeed_and_are_one_vote(place: Place) -> None:
    place.start_session("one")

    async def one(name: str) -> None:
        async with stdio_client(place.server()) as streams, ClientSession(*streams) as session:
            await session.initialize()
            async with anyio.create_task_group() as group:
                for number in range(12):
                    group.start_soon(record, session, f"{name}{number}")

    async def record(session: ClientSession, task: str) -> None:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("complete", {"bead_id": task, "summary": f"Split by feature, said {task}"}),
            ("record_outcome", {"bead_id": task, "success": True, "strategy": "feature-based"}),
            ("plan", {"task": task}),
            ("record_error", {"bead_id": f"error {task}", "message": "it broke"}),
            ("complete", {"bead_id": f"error {task}", "summary": "mended"}),
        ]
        for tool, arguments in calls:
            assert not (await session.call_tool(tool, arguments)).is_error

    async def both() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(one, "a")
            group.start_soon(one, "b")

    anyio.run(both)
    ((_, found),) = place.call(("complete", {"bead_id": "last", "summary": "split by feature"}))
    assert [(each["helpful"], each["state"]) for each in found["patterns"]] == [(1, "candidate")]


def test_a_long_argument_is_cut(place: Place) -> None:
    ((failed, document),) = place.call(("plan", {"task": "word " * 200_000, "context": "x" * 1_000_000}))
    assert (failed, len(document["task"]) <= 2_000) == (False, True)


def test_the_project_is_that_of_the_working_folder_or_of_the_option(place: Place) -> None:
    async def work(session: ClientSession) -> Any:
        return answer(await session.call_tool("plan", {"task": "x"}))[1]["project"]

    below = place.project / "src"
    below.mkdir()
    assert place.talk(work, cwd=below) == str(place.project)
    assert place.talk(work, "--project", str(place.project), cwd=place.home) == str(place.project)


@pytest.mark.parametrize("gone", ["mcp_types", "mcp", "mcp.server.lowlevel", "anyio"])
def test_a_missing_or_incomplete_extra_is_an_error_that_says_what_to_install(place: Place, gone: str) -> None:
    program = (
        f"import sys; sys.modules[{gone!r}] = None\n"
        "from mind_skills.plugin.cli import run; sys.exit(run(['mcp', '--json']))"
    )
    done = subprocess.run(
        [*place.line()[:2], program], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )
    error = json.loads(done.stdout)["error"]
    assert (done.returncode, error["code"], error["hint"]) == (
        1,
        "extra_missing",
        "Reinstall mind-skills with the `mcp` extra; from your checkout: uv tool install '.[mcp]', or pip install '.[mcp]'.",
    )


def test_a_missing_project_ends_the_server_before_it_answers(place: Place) -> None:
    done = subprocess.run(
        place.line("--project", "/nowhere/at/all"), capture_output=True, stdin=subprocess.DEVNULL, check=False
    )
    assert (done.returncode, done.stdout) == (1, b"")
