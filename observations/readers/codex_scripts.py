"""What a script of a Codex rollout did. Recent models do not call tools: they write a script that calls them.

The call stands in the rollout as a custom tool named ``exec`` with JavaScript, and its output is what the script chose
to print. What was run and changed stands only in ``item_completed`` events, whose ids begin with ``exec-`` and name no
call (Codex 0.169.0 with gpt-6-sol).
"""

from __future__ import annotations

from mind_skills.observations import build
from mind_skills.observations.codec import Json, integer, items, mapping, string
from mind_skills.observations.model import Agent, Observation, ToolOutcome

SCRIPT = "exec"
"""The host's name of the tool that runs a script."""
_MARK = "exec-"
_SHELLS = ("-lc", "-c", "-ic")


def done(payload: Json, *, line: int, at: int | None, agent: Agent) -> Observation | None:
    """The tool call that an ``event_msg`` tells of, if a script made it."""
    item = mapping(payload.get("item"))
    if payload.get("type") != "item_completed" or not string(item.get("id")).startswith(_MARK):
        return None
    kind = item.get("type")
    if kind == "CommandExecution":
        return _run(item, line, at, agent)
    if kind == "FileChange":
        return _change(item, line, at, agent)
    return _mcp(item, line, at, agent) if kind == "McpToolCall" else None


def _run(item: Json, line: int, at: int | None, agent: Agent) -> Observation:
    words = [string(word) for word in items(item.get("command"))]
    command = words[2] if len(words) == 3 and words[1] in _SHELLS else " ".join(words)
    code = integer(item.get("exit_code"))
    outcome = _outcome(item) if code is None else "failed" if code else "ok"
    output = string(item.get("aggregated_output"))
    return build.tool(
        "exec_command",
        "run",
        line=line,
        at=at,
        agent=agent,
        command=command,
        output=output,
        outcome=outcome,
        exit_code=code,
    )


def _change(item: Json, line: int, at: int | None, agent: Agent) -> Observation:
    changes = mapping(item.get("changes"))
    removed: list[str] = []
    added: list[str] = []
    new = bool(changes)
    for value in changes.values():
        change = mapping(value)
        new = new and change.get("type") == "add"
        content = string(change.get("content")).splitlines()
        added += content if change.get("type") == "add" else []
        removed += content if change.get("type") == "delete" else []
        for row in string(change.get("unified_diff")).splitlines():
            added += [row[1:]] if row.startswith("+") else []
            removed += [row[1:]] if row.startswith("-") else []
    return build.tool(
        "apply_patch",
        "write" if new else "edit",
        line=line,
        at=at,
        agent=agent,
        files=tuple(changes),
        removed="\n".join(removed),
        added="\n".join(added),
        output=string(item.get("stdout")) or string(item.get("stderr")),
        outcome=_outcome(item),
    )


def _mcp(item: Json, line: int, at: int | None, agent: Agent) -> Observation:
    answer = mapping(item.get("result"))
    output = "\n".join(string(mapping(part).get("text")) for part in items(answer.get("content")))
    name = "__".join(filter(None, ("mcp", string(item.get("server")), string(item.get("tool")))))
    error = string(mapping(item.get("error")).get("message"))
    outcome = _outcome(item)
    return build.tool(name, "mcp", line=line, at=at, agent=agent, output=output or error, outcome=outcome, error=error)


def _outcome(item: Json) -> ToolOutcome:
    stated: dict[str, ToolOutcome] = {"completed": "ok", "failed": "failed", "declined": "rejected"}
    return stated.get(string(item.get("status")), "unknown")
