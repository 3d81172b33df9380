"""Reader for the output of `opencode export`: one JSON document ``{info, messages: [{info, parts}]}``.

``line`` is the 1-based index of the message. Messages and parts are the same as in the database, whose reader (opencode_db.py) also
uses ``read_message``. A failed shell command is a *completed* tool call with a non-zero ``metadata.exit``; ``status: error`` means
that the tool itself failed, or that the call was rejected, denied or aborted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote

from mind_skills.hosts.opencode import SPEC
from mind_skills.observations import builders
from mind_skills.observations.builders import Patch, parse_patch
from mind_skills.observations.codec import (
    JsonObject,
    as_integer,
    as_list,
    as_object,
    as_string,
    get_first_string,
    parse_time,
)
from mind_skills.observations.logfile import read_document
from mind_skills.observations.model import Action, Agent, Kind, Observation, Session, Source, ToolOutcome, extend_span
from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_ANSWERS = 20
"""Maximum number of questions of a call, and of answers to each, that are read."""

# In older versions, an error begins with its type.
_REJECTED = compile_lazily(r"\s*(?:\w*Error: )?The user (?:rejected|dismissed)")
_FEEDBACK = compile_lazily(r"\s*(?:\w*Error: )?The user rejected .{0,80}? with the following feedback: (.*)", re.DOTALL)
"""What the user wrote when rejecting a call."""
_DENIED = compile_lazily(r"\s*(?:\w*Error: )?(?:The user has specified a rule|Permission denied)")
_ABORTED = compile_lazily(
    r"\s*(?:\w*Error: )?(?:Tool execution aborted|The operation was aborted|Aborted\b|Cancelled\s*\Z)"
)
_SHELL_ABORTED = compile_lazily(r"User aborted the command")
_SHELL_TIMEOUT = compile_lazily(r"terminated command after exceeding timeout|Command timed out")
_CLIENT_OUTPUT = compile_lazily(
    r"\A\(no output\)(?=\s*(?:<(?:bash|shell)_metadata>|\Z))|"
    r"\s{0,20}<(?:bash|shell)_metadata>.*?(?:</(?:bash|shell)_metadata>|\Z)",
    re.DOTALL,
)
"""What the client adds to a command's output, or writes instead of an empty one."""


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of an exported session, and fill the header of ``session``. Raises OSError."""
    data = read_document(path, session)
    info = as_object(data.get("info"))
    session.session_id = as_string(info.get("id")) or path.stem
    session.project = as_string(info.get("directory"))
    agent: Agent = "subagent" if as_string(info.get("parentID")) else "main"
    reverted_from = get_reverted_from(info.get("revert"))
    for line, value in enumerate(as_list(data.get("messages")), 1):
        session.lines = line
        message = as_object(value)
        parts = [as_object(part) for part in as_list(message.get("parts"))]
        message_info = as_object(message.get("info"))
        is_reverted = as_string(message_info.get("id")) >= reverted_from
        yield from read_message(message_info, parts, session, line, agent, is_reverted=is_reverted)


def get_reverted_from(revert: object) -> str:
    """Return the id of the first message that the user took back, given the field of the session; if there is none, a higher string.

    Ids are in the order of the messages.
    """
    return as_string(as_object(revert).get("messageID")) or "\U0010ffff"


def read_message(
    info: JsonObject,
    parts: Iterable[JsonObject],
    session: Session,
    line: int,
    agent: Agent,
    *,
    is_reverted: bool = False,
) -> Iterator[Observation]:
    """Yield the observations of one message. ``line`` is the line of all of them; ``agent`` is the agent of the message's session.

    What the user wrote in a message that was taken back (``is_reverted``) is omitted.
    """
    at = parse_time(as_object(info.get("time")).get("created"))
    extend_span(session, at)
    extend_span(session, parse_time(as_object(info.get("time")).get("completed")))
    role = info.get("role")
    # Neither the user nor the agent wrote a request for a compaction or the summary in reply.
    is_machine_text = "compaction" in (info.get("mode"), info.get("agent")) or info.get("summary") is True
    parts = list(parts)
    for part in parts:
        kind = part.get("type")
        if kind == "file" and role == "user" and (source := _get_attachment_source(part, session.project)) != "local":
            texts = (as_string(other.get("text")) for other in parts if other.get("synthetic") is True)
            text, file = "\n".join(filter(builders.is_not_offer, texts)), _get_attached_file(part)
            yield builders.build_attachment("file", text, source, line=line, at=at, file=file)
        if kind == "tool":
            typed = _list_typed_texts(part)
            yield _build_call(part, line, at, agent, typed)
            for text in () if is_reverted else typed:
                if observation := builders.build_message("user", text, line=line, at=at, agent=agent):
                    yield observation
        elif (
            kind in ("text", "reasoning")
            and not is_machine_text
            and part.get("synthetic") is not True
            and part.get("ignored") is not True
            and not (is_reverted and role == "user")
        ):
            message_kind: Kind = "thinking" if kind == "reasoning" else "user" if role == "user" else "assistant"
            if role in ("user", "assistant"):
                started = parse_time(as_object(part.get("time")).get("start"))
                at_part = at if started is None else started
                text = as_string(part.get("text"))
                if observation := builders.build_message(message_kind, text, line=line, at=at_part, agent=agent):
                    yield observation
    if as_string(as_object(info.get("error")).get("name")) == "MessageAbortedError" and agent == "main":
        yield Observation("user", line, end_line=line, at=at, agent=agent, source="user", outcome="aborted")


def _get_attachment_source(part: JsonObject, project: str) -> Source:
    """Return the source of a file or resource that the user attached. The client adds its text to the message."""
    if as_object(part.get("source")).get("type") == "resource":
        return "mcp"
    mime = as_string(part.get("mime"))
    if mime and not mime.startswith(("text/", "application/x-directory")):
        return "remote"
    return builders.find_file_source(_get_attached_file(part), project)


def _get_attached_file(part: JsonObject) -> str:
    source = as_object(part.get("source"))
    url = unquote(as_string(part.get("url")).partition("?")[0])
    return get_first_string(source, "uri", "path") or url.removeprefix("file://")


def _list_typed_texts(part: JsonObject) -> list[str]:
    """Return what the user typed in answer to a call: an answer of their own to a question, or a comment on a rejected call.

    The offered answers to a question were written by the agent. A comment on a call of an MCP server's tool is not accepted,
    because the server may have written its error in that form.
    """
    state, name = as_object(part.get("state")), as_string(part.get("tool"))
    if state.get("status") == "error":
        match = _FEEDBACK.match(as_string(state.get("error"))) if name in SPEC.tools else None
        return [match[1]] if match else []
    answers = as_list(as_object(state.get("metadata")).get("answers")) if name == "question" else []
    questions = as_list(as_object(state.get("input")).get("questions"))
    typed: list[str] = []
    for question, chosen in zip(questions[:MAX_ANSWERS], answers, strict=False):
        labels = {as_string(as_object(option).get("label")) for option in as_list(as_object(question).get("options"))}
        given = map(as_string, as_list(chosen)[:MAX_ANSWERS])
        typed += [answer for answer in given if answer not in labels]
    return typed


def _build_call(part: JsonObject, line: int, at: int | None, agent: Agent, typed: list[str]) -> Observation:
    state = as_object(part.get("state"))
    inputs, metadata = as_object(state.get("input")), as_object(state.get("metadata"))
    name = as_string(part.get("tool"))
    action: Action = SPEC.tools.get(name, "mcp")  # type: ignore[assignment]
    output, error = as_string(state.get("output")), as_string(state.get("error"))
    output, error = (builders.remove_typed_texts(text, typed, inputs) for text in (output, error))
    code = as_integer(metadata.get("exit")) if action == "run" else None
    patch = parse_patch(get_first_string(inputs, "patchText", "patch"))
    removed, added = _get_change(inputs, patch) if action in ("edit", "write") else ("", "")
    started = parse_time(as_object(state.get("time")).get("start"))
    return builders.build_tool_call(
        name,
        action,
        line=line,
        at=at if started is None else started,
        agent=agent,
        command=_get_command(name, inputs),
        arguments=inputs,
        files=patch.files
        or tuple(as_string(inputs.get(key)) for key in ("filePath", "path") if as_string(inputs.get(key))),
        removed=removed,
        added=added,
        output=_CLIENT_OUTPUT.sub("", output) if action == "run" else output or error,
        outcome=_get_outcome(name, state, action, code, output),
        exit_code=code,
        error=error,
        has_other_content=bool(as_list(state.get("attachments"))),
    )


def _get_outcome(name: str, state: JsonObject, action: Action, code: int | None, output: str) -> ToolOutcome:
    """Determine the outcome from ``status``, ``metadata.exit``, the error message and the output."""
    status, error = state.get("status"), as_string(state.get("error"))
    if status == "error":
        if _ABORTED.match(error) or as_object(state.get("metadata")).get("interrupted") is True:
            return "aborted"
        if _REJECTED.match(error):
            return "rejected"
        return "denied" if _DENIED.match(error) else "failed"
    if status != "completed":
        return "aborted"  # pending or running at the end of the log
    if name == "invalid":
        return "failed"
    if action != "run":
        return "ok"
    if code is not None:
        return "ok" if code == 0 else "failed"
    if _SHELL_ABORTED.search(output[-600:]):
        return "aborted"
    return "failed" if _SHELL_TIMEOUT.search(output[-600:]) else "unknown"


def _get_change(inputs: JsonObject, patch: Patch) -> tuple[str, str]:
    removed, added = as_string(inputs.get("oldString")), get_first_string(inputs, "newString", "content")
    for edit in as_list(inputs.get("edits")):
        removed += "\n" + as_string(as_object(edit).get("oldString"))
        added += "\n" + as_string(as_object(edit).get("newString"))
    return removed or patch.removed, added or patch.added


def _get_command(name: str, inputs: JsonObject) -> str:
    """Return the main argument of a call, such as its command, pattern, query, prompt or plan."""
    if name == "todowrite":
        return "\n".join(as_string(as_object(todo).get("content")) for todo in as_list(inputs.get("todos")))
    return get_first_string(inputs, "command", "pattern", "url", "query", "description", "name", "tool", "prompt")
