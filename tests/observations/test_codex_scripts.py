"""Codex models that call tools from scripts: the script's calls are emitted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mind_skills.observations.model import Session
from mind_skills.observations.read import read_session

HEADER = {"type": "session_meta", "payload": {"id": "s", "cwd": "/home/user/project"}}


def call(script: str, number: int = 1) -> dict[str, Any]:
    payload = {"type": "custom_tool_call", "call_id": f"call_{number}", "name": "exec", "input": script}
    return {"type": "response_item", "payload": payload}


def printed(text: str, number: int = 1) -> dict[str, Any]:
    parts = [{"type": "input_text", "text": "Script completed\nWall time 0.1 seconds\nOutput:\n"}]
    output = [*parts, {"type": "input_text", "text": text}]
    payload = {"type": "custom_tool_call_output", "call_id": f"call_{number}", "output": output}
    return {"type": "response_item", "payload": payload}


def event(kind: str, name: str = "exec-1", **fields: Any) -> dict[str, Any]:
    return {"type": "event_msg", "payload": {"type": "item_completed", "item": {"type": kind, "id": name, **fields}}}


def session(folder: Path, *entries: dict[str, Any]) -> Session:
    path = folder / "rollout.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in (HEADER, *entries)))
    return read_session(path)


def test_a_command_of_a_script_has_its_own_exit_code(tmp_path: Path) -> None:
    command = ["/bin/bash", "-lc", "python3 -m unittest test_prices"]
    ran = event("CommandExecution", command=command, exit_code=1, aggregated_output="AssertionError: 1 != 2\n")
    read = session(tmp_path, call("await tools.exec_command({})"), ran, printed("{}"))
    assert [
        (item.line, item.action, item.tool, item.command, item.outcome, item.exit_code, item.error)
        for item in read.observations
    ] == [(3, "run", "exec_command", "python3 -m unittest test_prices", "failed", 1, "AssertionError: 1 != 2")]


def test_a_change_by_a_script_has_its_lines(tmp_path: Path) -> None:
    update = {"type": "update", "unified_diff": "@@ -1 +1 @@\n-x = 1\n+x = 2\n", "move_path": None}
    changed = event("FileChange", changes={"/p/a.py": update}, status="completed", stdout="Success.")
    added = event(
        "FileChange", "exec-2", changes={"/p/b.py": {"type": "add", "content": "y = 1\n"}}, status="completed"
    )
    read = session(tmp_path, call("await tools.apply_patch(``)"), changed, added, printed("{}"))
    assert [(item.action, item.files, item.change, item.outcome) for item in read.observations] == [
        ("edit", ("/p/a.py",), "-x = 1\n+x = 2", "ok"),
        ("write", ("/p/b.py",), "+y = 1", "ok"),
    ]


def test_a_change_declined_by_the_user_is_rejected(tmp_path: Path) -> None:
    declined = event("FileChange", changes={"/p/a.py": {"type": "delete", "content": "x"}}, status="declined")
    read = session(tmp_path, call("await tools.apply_patch(``)"), declined, printed("{}"))
    assert [(item.action, item.outcome, item.change) for item in read.observations] == [
        ("edit", "rejected", "-*** Delete File: /p/a.py\n-x")
    ]


@pytest.mark.parametrize(
    ("text", "outcome"), [("rejected by user", "rejected"), ("`rm -r out` rejected: blocked by policy", "denied")]
)
def test_a_command_of_a_script_that_was_declined_did_not_fail(tmp_path: Path, text: str, outcome: str) -> None:
    command = ["/bin/bash", "-lc", "rm -r out"]
    declined = event("CommandExecution", command=command, exit_code=-1, status="declined", aggregated_output=text)
    read = session(tmp_path, call("await tools.exec_command({})"), declined, printed("{}"))
    assert [(item.command, item.outcome, item.exit_code) for item in read.observations] == [
        ("rm -r out", outcome, None)
    ]


def test_a_server_tool_called_by_a_script_is_recognised(tmp_path: Path) -> None:
    result = {"content": [{"type": "text", "text": "found"}]}
    asked = event("McpToolCall", server="docs", tool="search", status="completed", result=result)
    read = session(tmp_path, call("await tools.mcp__docs__search({})"), asked, printed("{}"))
    assert [(item.action, item.tool, item.source, item.text) for item in read.observations] == [
        ("mcp", "mcp__docs__search", "mcp", "found")
    ]


def test_a_script_that_made_no_calls_or_failed_is_emitted_itself(tmp_path: Path) -> None:
    failed = printed("Script error:\nError: boom", 2)
    failed["payload"]["output"][0]["text"] = "Script failed\nWall time 0.0 seconds\nOutput:\n"
    ran = event("CommandExecution", command=["/bin/bash", "-lc", "make"], exit_code=0)
    read = session(tmp_path, call("text(1)"), printed("1"), call("boom()", 2), ran, failed)
    assert [(item.tool, item.command, item.outcome) for item in read.observations] == [
        ("exec", "text(1)", "ok"),
        ("exec_command", "make", "ok"),
        ("exec", "boom()", "failed"),
    ]


def test_a_call_that_no_event_reports_is_read_from_a_script_whose_other_calls_have_events(tmp_path: Path) -> None:
    code = "await tools.exec_command({cmd: 'make'}); text(await tools.web__run({search_query: [{q: 'make'}]}));"
    ran = event("CommandExecution", command=["/bin/bash", "-lc", "make"], exit_code=0)
    read = session(tmp_path, call(code + " await tools.update_plan({plan: [{step: 'build'}]})"), ran, printed("a page"))
    assert [(item.line, item.tool, item.command, item.outcome, item.text) for item in read.observations] == [
        (3, "exec_command", "make", "ok", ""),
        (2, "web__run", "make", "ok", "a page"),
        (2, "update_plan", "build", "ok", ""),
    ]


@pytest.mark.parametrize(
    ("exit_code", "status", "expected"),
    [(0, "completed", ("ok", 0)), (2, "failed", ("failed", 2)), (-1, "failed", ("unknown", None))],
)
def test_a_command_that_ends_after_its_script_is_emitted_once(
    tmp_path: Path, exit_code: int, status: str, expected: tuple[str, int | None]
) -> None:
    start = call("text(JSON.stringify(await tools.exec_command({cmd: 'make serve'})))")
    answer = printed(json.dumps({"chunk_id": "c", "wall_time_seconds": 0.3, "session_id": 7, "output": "up\n"}))
    command = ["/bin/bash", "-lc", "make serve"]
    ended = event("CommandExecution", command=command, process_id="7", exit_code=exit_code, status=status)
    read = session(tmp_path, start, answer, call("text(1)", 2), ended, printed("1", 2))
    assert [(item.line, item.end_line, item.command, item.outcome, item.exit_code) for item in read.observations] == [
        (2, 5, "make serve", *expected),
        (4, 6, "text(1)", "ok", None),
    ]


def test_a_command_that_ends_after_its_script_has_all_its_output(tmp_path: Path) -> None:
    start = call("text(JSON.stringify(await tools.exec_command({cmd: 'make test'})))")
    answer = printed(json.dumps({"session_id": 7, "output": "collecting\n"}))
    output = "collecting\nTypeError: no\n"
    command = ["/bin/bash", "-lc", "make test"]
    ended = event("CommandExecution", command=command, process_id="7", exit_code=1, aggregated_output=output)
    (one,) = session(tmp_path, start, answer, ended).observations
    assert (one.outcome, one.text, one.error) == ("failed", output, "TypeError: no")


def test_events_of_calls_in_the_log_are_not_emitted_twice(tmp_path: Path) -> None:
    payload = {"type": "function_call", "call_id": "call_1", "name": "exec_command", "arguments": '{"cmd": "make"}'}
    ended = event("CommandExecution", "call_1", command=["/bin/bash", "-lc", "make"], exit_code=2)
    output = {"type": "function_call_output", "call_id": "call_1", "output": "no"}
    read = session(
        tmp_path, {"type": "response_item", "payload": payload}, ended, {"type": "response_item", "payload": output}
    )
    assert [(item.tool, item.command, item.exit_code) for item in read.observations] == [("exec_command", "make", 2)]
