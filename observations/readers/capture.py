"""The spool of hooks/capture.py: the events of one session as its host sent them to a hook. ``line`` is the JSONL line.

Less is known than a host's own log says: of the agent's words only what it said last in a turn (Gemini CLI: all of
them), no thinking, and of Codex no exit codes. Events that say nothing of what was said or done are passed over, and so
is a tool call that was put down twice. The order is that in which the tools returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from mind_skills.observations import build
from mind_skills.observations.codec import Json, extend, first_string, integer, items, mapping, string
from mind_skills.observations.logfile import objects, warn
from mind_skills.observations.model import Agent, Observation, Session
from mind_skills.observations.readers import claude_code, codex_calls, gemini

FORMAT = "capture"
HOST = ""
"""The host stands in each line."""
MARK = b'{"capture":1,"host":"'
REMEMBERED = 100_000
"""Tool calls whose repetition is recognised."""
PROMPTS = ("UserPromptSubmit", "BeforeAgent")
ENDS = ("Stop", "AfterAgent")
TOOLS = ("PostToolUse", "PostToolUseFailure", "AfterTool")


def sniff(head: bytes) -> bool:
    """Whether the first bytes of a file look like this format."""
    return head.lstrip(b"\n").startswith(MARK)


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of a spool; fills the header of ``session`` as it goes.

    Raises:
        OSError: the spool cannot be read.
    """
    calls: set[str] = set()
    if session.progress is not None:
        calls.update(string(name) for name in items(session.progress.state.get("calls")))
        session.progress.begun(lambda: {"calls": sorted(calls)})
    for number, line in objects(path, session):
        event, at = mapping(line.get("event")), integer(line.get("at"))
        host = string(line.get("host"))
        if line.get("capture") != 1 or host not in _TOOLS:
            continue
        extend(session, at)
        session.host = host
        session.session_id = string(event.get("session_id")) or session.session_id
        session.project = session.project or string(line.get("project"))
        name, call = string(event.get("hook_event_name")), string(event.get("tool_use_id"))
        agent: Agent = "subagent" if string(event.get("agent_id")) else "main"
        spoken: Observation | None = None
        if size := integer(event.get("cut")):
            warn(session, number, f"an event of {size} bytes was too large to be kept")
        elif name == "SessionEnd":
            session.end_reason = string(event.get("reason"))
        elif name in PROMPTS:
            spoken = build.said("user", gemini.own_words(string(event.get("prompt"))), line=number, at=at, agent=agent)
        elif name in ENDS:
            words = first_string(event, "last_assistant_message", "prompt_response")
            spoken = build.said("assistant", words, line=number, at=at, agent=agent)
        elif name in TOOLS and string(event.get("tool_name")) and not (call and call in calls):
            if call and len(calls) < REMEMBERED:
                calls.add(call)
            spoken = _TOOLS[host](event, number, at, agent)
        if spoken is not None:
            yield spoken


def _claude_code(event: Json, line: int, at: int | None, agent: Agent) -> Observation:
    """A call that failed comes as an event of its own, with what its transcript holds as the output."""
    call = claude_code.Call(line, at, string(event.get("tool_name")), mapping(event.get("tool_input")), agent)
    if event.get("hook_event_name") == "PostToolUseFailure":
        error = string(event.get("error"))
        outcome = "aborted" if event.get("is_interrupt") is True else claude_code.stated(True, error)
        return claude_code.tool_call(call, error, error, outcome, line)
    response = event.get("tool_response")
    outcome = "aborted" if mapping(response).get("interrupted") is True else "ok"
    held = mapping(response)
    beside = claude_code.unseen(response) or claude_code.unseen(held.get("content")) or held.get("type") in _UNSEEN
    return claude_code.tool_call(call, _printed(response), None, outcome, line, beside)


_UNSEEN = ("image", "pdf", "parts", "document")
"""What a file is that was read and is no text."""


def _printed(response: object) -> str:
    """What a tool of Claude Code returned, as far as it is text; each tool has a form of its own."""
    if isinstance(response, str):
        return response
    held = mapping(response)
    if blocks := items(response) or items(held.get("content")):
        return "\n".join(filter(None, (string(mapping(block).get("text")) for block in blocks)))
    if "stdout" in held:
        return "\n".join(filter(None, (string(held.get("stdout")), string(held.get("stderr")))))
    if mapping(held.get("file")):
        return string(mapping(held.get("file")).get("content"))
    if "oldString" in held or "structuredPatch" in held:
        return ""  # an edit repeats the whole file
    names = "\n".join(string(name) for name in items(held.get("filenames")))
    return string(held.get("content")) or string(held.get("result")) or names


def _codex(event: Json, line: int, at: int | None, agent: Agent) -> Observation:
    """Hooks call every shell tool ``Bash`` and hear no exit code: what became of a command is unknown."""
    name, text = string(event.get("tool_name")), string(event.get("tool_response"))
    found = codex_calls.result(text)
    silent = name == "Bash" and found.exit_code is None
    call = codex_calls.Call(
        id=string(event.get("tool_use_id")),
        line=line,
        at=at,
        name="exec_command" if name == "Bash" else name,
        inputs=mapping(event.get("tool_input")),
        printed=text if silent else "",
        continued=silent,
    )
    return codex_calls.finish(call, None if silent else found, None, line, agent)


def _gemini(event: Json, line: int, at: int | None, agent: Agent) -> Observation:
    """The same parts as in a chat, in another order."""
    response = mapping(event.get("tool_response"))
    error = response.get("error")
    said = string(error) or string(mapping(error).get("message"))
    answer = {"response": {"output": string(response.get("llmContent")), "error": said}}
    call: Json = {"name": event.get("tool_name"), "args": event.get("tool_input")}
    call["result"] = [{"functionResponse": answer}]
    return gemini.tool_call(call, "error" if error else "success", line, at, agent)


_TOOLS: dict[str, Callable[[Json, int, int | None, Agent], Observation]] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "gemini": _gemini,
}
