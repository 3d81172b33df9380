"""OpenCode sessions as `opencode export` writes them: one JSON document ``{info, messages: [{info, parts}]}``.

``line`` is the 1-based index of the message. What messages and parts mean is the same in the database
(``opencode_db``), which uses ``message_observations`` too. A shell command that fails is a *completed* tool call with
``metadata.exit``; ``status: error`` means that the tool itself refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from mind_skills.hosts.opencode import SPEC
from mind_skills.observations import build
from mind_skills.observations.codec import Json, extend_span, first_string, integer, items, mapping, parse_time, string
from mind_skills.observations.logfile import read_document
from mind_skills.observations.model import Action, Agent, Kind, Observation, Session, ToolOutcome
from mind_skills.observations.patch import Patch, parse_patch
from mind_skills.redaction.lazy_pattern import compile_later

FORMAT = "opencode-export"
HOST = "opencode"

_INFO = compile_later(rb'\{\s*"(?:info|messages)"\s*:')
_OWN = compile_later(rb'"(?:projectID|sessionID|messageID|slug)"\s*:|"ses_')
_OWN_WORDS = (b'"projectID"', b'"sessionID"', b'"messageID"', b'"slug"', b'"ses_')
"""Whatever it matches holds one of these, which are found much sooner than it."""
_REJECTED = compile_later(r"\s*The user (?:rejected|dismissed)")
_DENIED = compile_later(r"\s*(?:The user has specified a rule|Permission denied)")
_ABORTED = compile_later(r"\s*(?:Tool execution aborted|The operation was aborted|Aborted\b)")
_SHELL_ABORTED = compile_later(r"User aborted the command")
_SHELL_TIMEOUT = compile_later(r"terminated command after exceeding timeout|Command timed out")
_META = compile_later(r"\s{0,20}<(?:bash|shell)_metadata>.*?(?:</(?:bash|shell)_metadata>|\Z)", re.DOTALL)


def sniff(head: bytes) -> bool:
    """Whether the first bytes of a file look like this format."""
    text = head.lstrip(b"\xef\xbb\xbf \r\n\t\x00")
    return bool(_INFO.match(text)) and any(map(text.__contains__, _OWN_WORDS)) and bool(_OWN.search(text))


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of an exported session; fills the header of ``session`` first.

    Raises:
        OSError: the file cannot be read.
    """
    data = read_document(path, session)
    info = mapping(data.get("info"))
    session.session_id = string(info.get("id")) or path.stem
    session.project = string(info.get("directory"))
    agent: Agent = "subagent" if string(info.get("parentID")) else "main"
    for number, value in enumerate(items(data.get("messages")), 1):
        session.lines = number
        message = mapping(value)
        parts = [mapping(part) for part in items(message.get("parts"))]
        yield from message_observations(mapping(message.get("info")), parts, session, number, agent)


def message_observations(
    info: Json, parts: Iterable[Json], session: Session, line: int, agent: Agent
) -> Iterator[Observation]:
    """The observations of one message; ``line`` is its index, ``agent`` whose session it is part of."""
    at = parse_time(mapping(info.get("time")).get("created"))
    extend_span(session, at)
    extend_span(session, parse_time(mapping(info.get("time")).get("completed")))
    role = info.get("role")
    # Whatever a compaction writes, question and summary alike, is the host's own text.
    machine = info.get("mode") == "compaction" or info.get("agent") == "compaction" or info.get("summary") is True
    for part in parts:
        kind = part.get("type")
        if kind == "tool":
            yield _tool(part, line, at, agent)
        elif (
            kind in ("text", "reasoning")
            and not machine
            and part.get("synthetic") is not True
            and part.get("ignored") is not True
        ):
            said: Kind = "thinking" if kind == "reasoning" else "user" if role == "user" else "assistant"
            if role in ("user", "assistant"):
                moment = parse_time(mapping(part.get("time")).get("start"))
                at_part = at if moment is None else moment
                if spoken := build.said(said, string(part.get("text")), line=line, at=at_part, agent=agent):
                    yield spoken
        elif kind == "text":
            if machine:
                build.emit_summary(string(part.get("text")), line=line)
            build.emit_host_text(string(part.get("text")))
    if string(mapping(info.get("error")).get("name")) == "MessageAbortedError" and agent == "main":
        yield Observation("user", line, end_line=line, at=at, agent=agent, source="user", outcome="aborted")


def _tool(part: Json, line: int, at: int | None, agent: Agent) -> Observation:
    state = mapping(part.get("state"))
    given, metadata = mapping(state.get("input")), mapping(state.get("metadata"))
    name = string(part.get("tool"))
    action: Action = SPEC.tools.get(name, "mcp")  # type: ignore[assignment]
    output, error = string(state.get("output")), string(state.get("error"))
    code = integer(metadata.get("exit")) if action == "run" else None
    text = first_string(given, "patchText", "patch")
    patch = parse_patch(text) if text else Patch((), "", "", False)
    removed, added = _change(given, patch) if action in ("edit", "write") else ("", "")
    moment = parse_time(mapping(state.get("time")).get("start"))
    return build.tool(
        name,
        action,
        line=line,
        at=at if moment is None else moment,
        agent=agent,
        command=_command(name, given),
        files=patch.files or tuple(string(given.get(key)) for key in ("filePath", "path") if string(given.get(key))),
        removed=removed,
        added=added,
        output=_META.sub("", output) if action == "run" else output or error,
        outcome=_outcome(name, state, action, code, output),
        exit_code=code,
        error=error,
        non_text=bool(items(state.get("attachments"))),
    )


def _outcome(name: str, state: Json, action: Action, code: int | None, output: str) -> ToolOutcome:
    """What the host states in ``status``, in ``metadata.exit``, and in the sentence of an error."""
    status, error = state.get("status"), string(state.get("error"))
    if status == "error":
        if _ABORTED.match(error) or mapping(state.get("metadata")).get("interrupted") is True:
            return "aborted"
        if _REJECTED.match(error):
            return "rejected"
        return "denied" if _DENIED.match(error) else "failed"
    if status != "completed":
        return "aborted"  # pending or running when the log ended
    if name == "invalid":
        return "failed"
    if action != "run":
        return "ok"
    if code is not None:
        return "ok" if code == 0 else "failed"
    if _SHELL_ABORTED.search(output[-600:]):
        return "aborted"
    return "failed" if _SHELL_TIMEOUT.search(output[-600:]) else "unknown"


def _change(given: Json, patch: Patch) -> tuple[str, str]:
    removed, added = string(given.get("oldString")), string(given.get("newString")) or string(given.get("content"))
    for edit in items(given.get("edits")):
        removed += "\n" + string(mapping(edit).get("oldString"))
        added += "\n" + string(mapping(edit).get("newString"))
    return removed or patch.removed, added or patch.added


def _command(name: str, given: Json) -> str:
    """What was run, searched, asked for or planned."""
    if name == "todowrite":
        return "\n".join(string(mapping(todo).get("content")) for todo in items(given.get("todos")))
    return first_string(given, "command", "pattern", "url", "query", "description", "name", "tool", "prompt")
