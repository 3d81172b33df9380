"""Codex' rollouts: beside what every reader promises, scripts that call tools, and subagents with logs of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator

from mind_skills.observations.readers import codex_files
from tests.fuzz import seeds
from tests.fuzz.log_targets import reader
from tests.fuzz.target import Target, chosen, room

AGENT = "0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000"
"""A subagent whose log lies beside its parent's, or in the folder of a later day."""
DAYS = ("2026/06/18", "2026/06/19")


def _codex(data: bytes) -> None:
    """Any bytes as a rollout, and their second half as that of the subagent which the first may name."""
    parent = room() / DAYS[0] / "rollout-2026-06-18T02-34-50-parent.jsonl"
    child = room() / DAYS[chosen(data, 2)] / f"rollout-2026-06-18T02-35-00-{AGENT}.jsonl"
    for day in DAYS:
        (room() / day).mkdir(parents=True, exist_ok=True)
        (room() / day / child.name).unlink(missing_ok=True)
    rows = data.split(b"\n")
    child.write_bytes(b"\n".join(rows[len(rows) // 2 :]))
    reader(data, "codex-rollout", parent)
    codex_files.is_subagent_log(child)
    codex_files.is_subagent_log(parent)


def _rollouts() -> Iterator[bytes]:
    yield from seeds.fixtures("codex/rollout*")
    yield _rows(_meta("parent"), *_scripted())
    yield _rows(_meta("parent"), *_spawning(), _meta(AGENT, forked_from_id="parent"), *_copied())
    yield from seeds.recorded("codex-rollout")


def _rows(*entries: dict[str, object]) -> bytes:
    rows = [{"timestamp": f"2026-06-18T02:34:{number:02}.000Z", **entry} for number, entry in enumerate(entries)]
    return "\n".join(map(json.dumps, rows)).encode()


def _meta(name: str, **more: object) -> dict[str, object]:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "0199aaaa"}}} if more else "cli"
    return {"type": "session_meta", "payload": {"id": name, "cwd": "/home/dev/project", "source": source, **more}}


def _call(name: str, text: str, output: str) -> list[dict[str, object]]:
    kind = "custom_tool_call" if name == "exec" else "function_call"
    given = {"input" if name == "exec" else "arguments": text}
    return [
        {"type": "response_item", "payload": {"type": kind, "call_id": f"call-{name}", "name": name, **given}},
        {"type": "response_item", "payload": {"type": f"{kind}_output", "call_id": f"call-{name}", "output": output}},
    ]


def _done(kind: str, **item: object) -> dict[str, object]:
    return {"type": "event_msg", "payload": {"type": "item_completed", "item": {"id": "exec-1", "type": kind, **item}}}


def _scripted() -> Iterator[dict[str, object]]:
    opened, closed = _call("exec", "await tools.exec_command({cmd: 'npm test'})", "Script completed")
    yield opened
    yield _done("CommandExecution", command=["bash", "-lc", "npm test"], exit_code=1, aggregated_output="1 failed")
    yield _done("CommandExecution", command=["ls", "-l"], status="declined")
    diff = {"type": "update", "unified_diff": "@@\n-float(x)\n+Decimal(x)\n"}
    yield _done("FileChange", changes={"a.py": diff, "b.py": {"type": "delete", "content": "x"}}, status="completed")
    yield _done("FileChange", changes={"c.py": {"type": "add", "content": "y\n"}}, stdout="Success.", status="failed")
    answer = {"content": [{"type": "text", "text": "found it"}]}
    yield _done("McpToolCall", server="docs", tool="search", result=answer, status="completed")
    yield _done("McpToolCall", server="docs", tool="search", error={"message": "no such page"}, status="failed")
    yield closed
    yield {"type": "response_item", "payload": {"type": "web_search_call", "action": {"query": "decimal"}}}
    yield {"type": "event_msg", "payload": {"type": "turn_aborted", "reason": "interrupted"}}
    for kind in ("agent_reasoning", "agent_reasoning_raw_content"):
        yield {"type": "event_msg", "payload": {"type": kind, "text": "It must be the float."}}


def _spawning() -> Iterator[dict[str, object]]:
    yield from _call("spawn_agent", '{"message": "look"}', json.dumps({"agent_id": AGENT, "nickname": "a"}))
    yield from _call("exec_command", '{"cmd": "sleep 9"}', "Process running with session ID 7\nOutput:\n")
    yield from _call("write_stdin", '{"session_id": 7, "chars": ""}', "Process exited with code 1\nOutput:\nno\n")
    yield {"type": "turn_context", "payload": {"cwd": "/home/dev/project"}}


def _copied() -> Iterator[dict[str, object]]:
    yield {"type": "event_msg", "payload": {"type": "user_message", "message": "look"}}
    yield {"type": "event_msg", "payload": {"type": "thread_settings_applied", "thread_id": AGENT}}
    yield from _call(
        "shell", '{"command": ["bash", "-lc", "cat a.py"]}', '{"output": "x", "metadata": {"exit_code": 0}}'
    )
    yield {"type": "event_msg", "payload": {"type": "agent_message", "message": "It is the float."}}


TARGETS = (
    Target(
        "codex",
        _codex,
        _rollouts,
        tuple(f"observations/readers/codex{part}.py" for part in ("", "_calls")),
        ("exec", "exec-", "spawn_agent", "item_completed", "CommandExecution", "unified_diff", AGENT, "call_id"),
    ),
)
