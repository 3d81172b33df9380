"""Reader for mini-swe-agent trajectories: one JSON document. ``line`` is the 1-based index in ``messages``.

An assistant message usually runs one command. Newer files contain its commands in ``extra.actions`` or ``tool_calls``, and each
result in a ``tool`` message; older files contain one command in a fenced block of the text, and the result in a ``user`` message.
The exit code, if any, is in ``extra.returncode`` or ``<returncode>N</returncode>``.

Later ``user`` messages are from the user or from the harness. Newer files name the cause in ``extra.interrupt_type``. Without it, a
message is the user's if it has one of the harness's introductions (``_INTRODUCTION``), or if it is not the first one after an
assistant message, which is the result of its command or a complaint about its form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mind_skills.observations import builders
from mind_skills.observations.codec import (
    JsonObject,
    as_integer,
    as_list,
    as_object,
    as_string,
    parse_object,
    parse_time,
)
from mind_skills.observations.logfile import read_document
from mind_skills.observations.model import Kind, Observation, Session, ToolOutcome, extend_span
from mind_skills.observations.readers.swe_agent import extract_task, get_text
from mind_skills.redaction.lazy_pattern import compile_lazily

_COMMAND_BLOCK = compile_lazily(r"```(?:bash|sh|mswea_bash_command)[ \t]*\n(.*?)\n?```", re.DOTALL)
_EXIT_CODE = compile_lazily(r"<returncode>\s*(-?\d{1,10})\s*</returncode>")
_OUTPUT = compile_lazily(r"<output>\n?(.*?)(?:</output>|\Z)", re.DOTALL)
_TIMED_OUT = compile_lazily(r"\s*The last command .{0,2000}? timed out", re.DOTALL)
_RESULT = compile_lazily(r"\s*(?:<returncode>|Observation:|The last command )")
_USER_INTERRUPTS = ("UserInterruption", "UserRejection", "UserNewTask")
_INTRODUCTION = compile_lazily(
    r"\s*(?:(?P<interruption>Interrupted by user)|The user added a new task|"
    r"(?P<rejection>Commands? not executed(?:\. The user rejected your commands? with the following message)?)): "
)
"""Text with which the harness introduces what the user typed."""
_WORDLESS = compile_lazily(
    r"\s*(?:Temporary interruption caught\.|Switched to human mode\.|Commands? not executed\. Switching to human mode)\s*\Z"
)
"""Text of the harness for a user who typed nothing."""
_USER_COMMAND = "User command:"
"""A command that the user ran; its result is the next message."""


class _Call(NamedTuple):
    id: str
    line: int
    at: int | None
    command: str


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of a trajectory, and fill the header of ``session``. Raises OSError."""
    data = read_document(path, session)
    config = as_object(as_object(data.get("info")).get("config"))
    session.session_id = as_string(data.get("instance_id")) or path.name.removesuffix(".json").removesuffix(".traj")
    session.project = as_string(as_object(config.get("environment")).get("cwd"))
    session.end_reason = as_string(as_object(data.get("info")).get("exit_status"))
    trajectory = _Trajectory(session, as_string(as_object(data.get("info")).get("submission")))
    yield from trajectory.read_observations(as_list(data.get("messages")))


class _Trajectory:
    def __init__(self, session: Session, submission: str) -> None:
        self.session = session
        self.submission = submission
        """The final result or error, which older files repeat in a ``user`` message."""
        self.open_calls: list[_Call] = []
        self.has_prompt = False
        self.awaits_reply = False
        """Whether the next ``user`` message is the harness's reply to an assistant message or to a command of the user."""

    def read_observations(self, messages: list[object]) -> Iterator[Observation]:
        for line, value in enumerate(messages, 1):
            self.session.lines = line
            message = as_object(value)
            at = parse_time(as_object(message.get("extra")).get("timestamp"))
            if at is None:
                at = parse_time(message.get("timestamp"))
            extend_span(self.session, at)
            yield from self._read_message(message, line, at)
        for call in self.open_calls:
            yield _build_call(call, "", None, "aborted", call.line)

    def _read_message(self, message: JsonObject, line: int, at: int | None) -> Iterator[Observation]:
        role, text = message.get("role"), get_text(message.get("content"))
        if role == "assistant":
            yield from self._read_assistant_message(message, text, line, at)
        elif role == "tool":
            yield from self._read_result(message, text, line)
        elif role == "exit":
            is_submitted = as_object(message.get("extra")).get("exit_status") == "Submitted" or bool(text)
            yield from self._finish_call(text, None, "ok" if is_submitted else "aborted", line)
        elif role == "user":
            yield from self._read_user_message(message, text, line, at)

    def _read_user_message(self, message: JsonObject, text: str, line: int, at: int | None) -> Iterator[Observation]:
        extra = as_object(message.get("extra"))
        is_result = bool(_RESULT.match(text)) or "returncode" in extra
        is_reply, self.awaits_reply = self.awaits_reply, False
        if is_result and self.open_calls:
            yield from self._read_result(message, text, line)
        elif not self.has_prompt:
            self.has_prompt = True
            if observation := builders.build_message("user", extract_task(text), line=line, at=at):
                yield observation
        elif text.startswith(_USER_COMMAND):
            self.awaits_reply = True
        elif not is_result and text != self.submission:
            introduction = _INTRODUCTION.match(text)
            if cause := as_string(extra.get("interrupt_type")):
                is_from_user = cause in _USER_INTERRUPTS
            else:
                is_from_user = introduction is not None or not is_reply
            if is_from_user:
                yield from self._read_later_user_message(text, introduction, line, at)

    def _read_later_user_message(
        self, text: str, introduction: re.Match[str] | None, line: int, at: int | None
    ) -> Iterator[Observation]:
        """Emit the calls that the user stopped, the interruption, and what the user typed."""
        for call in self.open_calls:
            yield _build_call(
                call, "", None, "rejected" if introduction and introduction["rejection"] else "aborted", line
            )
        self.open_calls = []
        typed = text[introduction.end() :] if introduction else text
        is_wordless = bool(_WORDLESS.match(typed))
        if is_wordless or (introduction and introduction["interruption"]):
            yield Observation("user", line, end_line=line, at=at, source="user", outcome="aborted")
        if not is_wordless and (observation := builders.build_message("user", typed, line=line, at=at)):
            yield observation

    def _read_assistant_message(
        self, message: JsonObject, text: str, line: int, at: int | None
    ) -> Iterator[Observation]:
        for call in self.open_calls:
            yield _build_call(call, "", None, "aborted", call.line)
        self.open_calls = _parse_calls(message, text, line, at)
        self.awaits_reply = True
        thought = as_string(message.get("reasoning_content"))
        messages: tuple[tuple[Kind, str], ...] = (("thinking", thought), ("assistant", _COMMAND_BLOCK.sub("", text)))
        for kind, content in messages:
            if observation := builders.build_message(kind, content, line=line, at=at):
                yield observation

    def _read_result(self, message: JsonObject, text: str, line: int) -> Iterator[Observation]:
        extra = as_object(message.get("extra"))
        code = as_integer(extra.get("returncode"))
        if code is None and (match := _EXIT_CODE.search(text[:400])):
            code = int(match[1])
        outcome: ToolOutcome = "unknown" if code is None else "ok" if code == 0 else "failed"
        if code is None and _TIMED_OUT.match(text):
            outcome = "failed"
        printed = as_string(extra.get("raw_output")) or (
            "\n".join(_OUTPUT.findall(text)) if "<output>" in text else text
        )
        yield from self._finish_call(printed, code, outcome, line, as_string(message.get("tool_call_id")))

    def _finish_call(
        self, text: str, code: int | None, outcome: ToolOutcome, line: int, call_id: str = ""
    ) -> Iterator[Observation]:
        """Emit the open call with the id ``call_id``, or else the oldest open call."""
        self.awaits_reply = False
        candidates = [call for call in self.open_calls if call_id and call.id == call_id] or self.open_calls
        if candidates:
            call = candidates[0]
            self.open_calls.remove(call)
            yield _build_call(call, text, code, outcome, line)


def _parse_calls(message: JsonObject, text: str, line: int, at: int | None) -> list[_Call]:
    calls: list[_Call] = []
    for action in as_list(as_object(message.get("extra")).get("actions")):
        command = as_string(as_object(action).get("command")) or as_string(action)
        calls.append(_Call(as_string(as_object(action).get("tool_call_id")), line, at, command))
    if not calls:
        for value in as_list(message.get("tool_calls")):
            function = as_object(as_object(value).get("function"))
            calls.append(
                _Call(as_string(as_object(value).get("id")), line, at, _get_command(function.get("arguments")))
            )
    if not calls and (block := _COMMAND_BLOCK.search(text)):
        calls.append(_Call("", line, at, block[1]))
    return calls


def _get_command(arguments: object) -> str:
    """Return the command of a tool call, whose arguments are an object or a string with JSON."""
    return as_string((parse_object(arguments) if isinstance(arguments, str) else as_object(arguments)).get("command"))


def _build_call(call: _Call, output: str, code: int | None, outcome: ToolOutcome, end_line: int) -> Observation:
    return builders.build_tool_call(
        "bash",
        "run",
        line=call.line,
        end_line=end_line,
        at=call.at,
        command=call.command,
        output=output,
        outcome=outcome,
        exit_code=code,
    )
