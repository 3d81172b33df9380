"""What a script of a Codex rollout did. Recent models do not call tools: they write a script that calls them.

The call stands in the rollout as a custom tool named ``exec`` with JavaScript, and its output is what the script chose
to print. Some rollouts tell what was run and changed in ``item_completed`` events, whose ids begin with ``exec-`` and name no
call (Codex 0.169.0 with gpt-6-sol); then those count. Otherwise the calls are read out of the script (javascript), and
what it printed is divided among them: one text for each call, or one field of an object for each, else all is the last one's.
A script that outlives its first wait is a cell, which ``wait`` calls continue.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mind_skills.observations import build
from mind_skills.observations.codec import Json, integer, items, loads_object, mapping, string
from mind_skills.observations.model import Agent, Observation, ToolOutcome
from mind_skills.observations.readers import javascript
from mind_skills.observations.readers.codex_calls import Call, Result
from mind_skills.redaction.lazy_pattern import compile_later

SCRIPT = "exec"
"""The host's name of the tool that runs a script."""
WAIT = "wait"
"""The host's name of the tool that waits for a cell; older ones wait for subagents with a tool of that name."""
_MARK = "exec-"
_CONTINUES = "write_stdin"
_SILENT = frozenset({"apply_patch", "update_plan", _CONTINUES})
"""Calls whose result scripts hardly print."""
_HEADER = compile_later(r"Script ([a-z]+)(?: with cell ID (\d{1,20}))?\b[^\n]*(?:\nWall time [^\n]*)?(?:\nOutput:\n?)?")
_ERROR = compile_later(r"\s*Script error:\n?")
_CUT = compile_later(r"Warning: truncated output [^\n]*\n(?:Total output lines: \d+\n+)?")
_OUTPUT = compile_later(r'"(?:output|stdout)"\s*:\s*"')
_CODE = compile_later(r"\bexit(?:[_ ]?(?:code|status))?[\"'`*]*\s*[:=]?\s*(-?\d{1,10})\b", re.IGNORECASE)
_SESSION = compile_later(r"\bsession(?:[_ ]?id)?[\"'`*]*\s*[:=]?\s*(\d{1,20})\b", re.IGNORECASE)
_EDGE = 300
"""Characters at both ends of a text in which a script that prints an exit code in words of its own puts it."""
_SHELLS = ("-lc", "-c", "-ic")


class Printed(NamedTuple):
    """An output of ``exec`` or ``wait``: ``cell`` is the id of the cell where it had not ended yet."""

    texts: tuple[str, ...]
    cell: str = ""
    failed: bool = False


def printed(output: object) -> Printed:
    """Read an output: its header, and each text that the script printed. Without a header it is one text."""
    parts = [string(mapping(part).get("text")) for part in items(output)] or [string(output)]
    header = _HEADER.match(parts[0])
    if header is None:
        return Printed(tuple(part for part in parts if part))
    parts[0] = parts[0][header.end() :]
    return Printed(tuple(part for part in parts if part.strip()), header[2] or "", header[1] == "failed")


def made(script: Call) -> list[Call]:
    """The calls of a script, each as if it had been called by itself.

    Input to a process whose id the script takes from a result belongs to the command of that script.
    """
    found: list[Call] = []
    for name, argument in javascript.calls(string(script.inputs.get("input"))):
        inputs = mapping(argument) or ({"input": argument} if isinstance(argument, str) else {})
        if name == _CONTINUES and "session_id" not in inputs and found:
            continue
        made_by = Call("", script.line, script.at, name, inputs, continued=script.continued, scripted=True)
        made_by.places = script.places
        found.append(made_by)
    return found


def results(calls: list[Call], said: Printed, script: str) -> list[tuple[Call, Result]]:
    """Each call with its part of what the script printed. Where it failed, the call at which it did is the last."""
    texts = list(said.texts)
    if said.failed:
        calls = calls[: max(1, len(texts))]
    if len(texts) != len(calls):
        speaking = [at for at, call in enumerate(calls) if call.name not in _SILENT] or [len(calls) - 1]
        texts = _fields(texts, len(speaking)) or ["\n".join(texts)]
        places = speaking if len(texts) == len(speaking) else speaking[-1:]
    else:
        places = list(range(len(calls)))
    own = dict(zip(places, texts, strict=True))
    last = len(calls) - 1
    answers: list[tuple[Call, Result]] = []
    for at, call in enumerate(calls):
        answer = _answer(own[at], script) if at in own else Result("", unseen=call.name not in _SILENT)
        failed = said.failed and at == last
        answers.append((call, answer._replace(failed=failed, text=_ERROR.sub("", answer.text, count=1))))
    return answers


def _fields(texts: list[str], number: int) -> list[str]:
    """What stands in the fields of the one object that a script printed for ``number`` calls; empty where it is none."""
    if len(texts) == number:
        return texts
    values = list(_object(texts[0]).values()) if len(texts) == 1 and number > 1 else []
    fitting = [string(mapping(value).get("output")) or string(value) for value in values]
    return fitting if len(fitting) == number else []


def _answer(text: str, script: str) -> Result:
    """A text that a script printed of one call: the result as JSON, whole or cut, or its output in words of the script."""
    cut = _CUT.match(text)
    text = text[cut.end() :] if cut else text
    found = _object(text)
    output = found.get("output", found.get("stdout"))
    if isinstance(output, str):
        code, session = integer(found.get("exit_code")), integer(found.get("session_id"))
        return Result(output, code, str(session) if session is not None and code is None else "")
    if text.startswith("{") and (begins := _OUTPUT.search(text[:2_000])):  # one whose middle the host left out
        head, body = text[: begins.start()], text[begins.end() :]
        code_of, session_of = _CODE.search(head), _SESSION.search(head)
        return Result(
            _decoded(body), int(code_of[1]) if code_of else None, session_of[1] if session_of and not code_of else ""
        )
    edges = text if len(text) <= 2 * _EDGE else f"{text[:_EDGE]}\n{text[-_EDGE:]}"
    code_of = _CODE.search(edges) if "exit_code" in script else None
    session_of = _SESSION.search(edges) if "session_id" in script and code_of is None else None
    return Result(text, int(code_of[1]) if code_of else None, session_of[1] if session_of else "")


def _object(text: str) -> Json:
    return loads_object(text) if text.lstrip().startswith("{") else {}


def _decoded(body: str) -> str:
    """The rest of a JSON string that may end anywhere."""
    return javascript.unescaped(body.removesuffix("}").removesuffix('"'))


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
    for name, value in changes.items():
        change = mapping(value)
        removed += [f"*** Delete File: {name}"] if change.get("type") == "delete" else []
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
