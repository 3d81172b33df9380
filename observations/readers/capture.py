"""Reader for the spool of hooks/capture.py, which holds a session's hook events. ``line`` is the JSONL line.

A spool has less content than the host's log: no thinking, only the agent's last message of each turn (all of its messages with
Gemini CLI), and no exit codes with Codex. Events without messages or actions are skipped, and so are repeated tool calls. Tool
calls are in the order in which they returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from mind_skills.observations import builders
from mind_skills.observations.codec import Json, extend_span, first_string, integer, items, mapping, string
from mind_skills.observations.logfile import add_warning, read_objects
from mind_skills.observations.model import Agent, Observation, Session
from mind_skills.observations.readers import claude_code, codex_calls, gemini

FORMAT = "capture"
HOST = ""
"""Not fixed: each line names its host."""
MARK = b'{"capture":1,"host":"'
MAX_CALLS = 100_000
"""Maximum tool calls remembered to detect repetitions."""
PROMPTS = ("UserPromptSubmit", "BeforeAgent")
TURN_ENDS = ("Stop", "AfterAgent")
TOOLS = ("PostToolUse", "PostToolUseFailure", "AfterTool")


def sniff(head: bytes) -> bool:
    """Return whether the first bytes of a file match this format."""
    return head.lstrip(b"\n").startswith(MARK)


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of a spool, and fill the header of ``session``.

    Raises:
        OSError: the spool cannot be read.
    """
    calls: set[str] = set()
    if session.progress is not None:
        calls.update(string(name) for name in items(session.progress.state.get("calls")))
        session.progress.register_state(lambda: {"calls": sorted(calls)})
    for number, line in read_objects(path, session):
        event, at = mapping(line.get("event")), integer(line.get("at"))
        host = string(line.get("host"))
        if line.get("capture") != 1 or host not in _CALL_BUILDERS:
            continue
        extend_span(session, at)
        session.host = host
        session.session_id = string(event.get("session_id")) or session.session_id
        session.project = session.project or string(line.get("project"))
        name, call = string(event.get("hook_event_name")), string(event.get("tool_use_id"))
        agent: Agent = "subagent" if string(event.get("agent_id")) else "main"
        observation: Observation | None = None
        if size := integer(event.get("cut")):
            add_warning(session, number, f"an event of {size} bytes was too large to be captured")
        elif name == "SessionEnd":
            session.end_reason = string(event.get("reason"))
        elif name in PROMPTS:
            prompt = gemini.remove_injected_text(string(event.get("prompt")))
            observation = builders.build_message("user", prompt, line=number, at=at, agent=agent)
        elif name in TURN_ENDS:
            words = first_string(event, "last_assistant_message", "prompt_response")
            observation = builders.build_message("assistant", words, line=number, at=at, agent=agent)
        elif name in TOOLS and string(event.get("tool_name")) and not (call and call in calls):
            if call and len(calls) < MAX_CALLS:
                calls.add(call)
            observation = _CALL_BUILDERS[host](event, number, at, agent)
        if observation is not None:
            yield observation


def _build_claude_code_call(event: Json, line: int, at: int | None, agent: Agent) -> Observation:
    """Build an observation from a Claude Code event. A failed call has an event of its own, with the output as the error."""
    call = claude_code.Call(line, at, string(event.get("tool_name")), mapping(event.get("tool_input")), agent)
    if event.get("hook_event_name") == "PostToolUseFailure":
        error = string(event.get("error"))
        outcome = "aborted" if event.get("is_interrupt") is True else claude_code.get_outcome(True, error)
        return claude_code.build_tool_call(call, error, error, outcome, line)
    response = event.get("tool_response")
    outcome = "aborted" if mapping(response).get("interrupted") is True else "ok"
    fields = mapping(response)
    non_text = any(map(claude_code.has_non_text, (response, fields.get("content"))))
    non_text = non_text or fields.get("type") in _NON_TEXT_TYPES
    return claude_code.build_tool_call(call, _get_text(response), None, outcome, line, non_text)


_NON_TEXT_TYPES = ("image", "pdf", "parts", "document")
"""Types of a response that is a file other than text."""


def _get_text(response: object) -> str:
    """Return the text in the response of a Claude Code tool; each tool's response has its own structure."""
    if isinstance(response, str):
        return response
    fields = mapping(response)
    if blocks := items(response) or items(fields.get("content")):
        return "\n".join(filter(None, (string(mapping(block).get("text")) for block in blocks)))
    if "stdout" in fields:
        return "\n".join(filter(None, (string(fields.get("stdout")), string(fields.get("stderr")))))
    if mapping(fields.get("file")):
        return string(mapping(fields.get("file")).get("content"))
    if "oldString" in fields or "structuredPatch" in fields:
        return ""  # an edit's response contains the entire file
    names = "\n".join(string(name) for name in items(fields.get("filenames")))
    return string(fields.get("content")) or string(fields.get("result")) or names


def _build_codex_call(event: Json, line: int, at: int | None, agent: Agent) -> Observation:
    """Build an observation from a Codex event. All shell tools are named ``Bash`` and have no exit code."""
    name, text = string(event.get("tool_name")), string(event.get("tool_response"))
    result = codex_calls.parse_result(text)
    is_unfinished = name == "Bash" and result.exit_code is None
    call = codex_calls.Call(
        id=string(event.get("tool_use_id")),
        line=line,
        at=at,
        name="exec_command" if name == "Bash" else name,
        inputs=mapping(event.get("tool_input")),
        printed=text if is_unfinished else "",
        is_continued=is_unfinished,
    )
    return codex_calls.build_call(call, None if is_unfinished else result, None, line, agent)


def _build_gemini_call(event: Json, line: int, at: int | None, agent: Agent) -> Observation:
    """Build an observation from a Gemini CLI event, after converting the event to a call as in a chat log."""
    response = mapping(event.get("tool_response"))
    error = response.get("error")
    error_text = string(error) or string(mapping(error).get("message"))
    function_response = {"response": {"output": string(response.get("llmContent")), "error": error_text}}
    call: Json = {"name": event.get("tool_name"), "args": event.get("tool_input")}
    call["result"] = [{"functionResponse": function_response}]
    return gemini.build_tool_call(call, "error" if error else "success", line, at, agent)


_CALL_BUILDERS: dict[str, Callable[[Json, int, int | None, Agent], Observation]] = {
    "claude-code": _build_claude_code_call,
    "codex": _build_codex_call,
    "gemini": _build_gemini_call,
}
