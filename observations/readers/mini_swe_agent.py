"""mini-swe-agent trajectories: one JSON document, ``line`` is the 1-based index in ``messages``.

Each assistant message runs one command. Newer files name it in ``extra.actions`` or ``tool_calls`` and answer with a
``tool`` message; older ones have it in a fenced block of the text and answer with a ``user`` message. Either answer
states the exit code, in ``extra.returncode`` or as ``<returncode>N</returncode>``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mind_skills.observations import build
from mind_skills.observations.codec import Json, extend_span, integer, items, loads_object, mapping, parse_time, string
from mind_skills.observations.logfile import read_document
from mind_skills.observations.model import Kind, Observation, Session, ToolOutcome
from mind_skills.observations.readers.swe_agent import task_of
from mind_skills.redaction.lazy_pattern import compile_later

FORMAT = "mini-swe-traj"
HOST = "mini-swe-agent"

_SNIFF = compile_later(rb'"(?:mini_version|instance_cost)"\s*:')
_MESSAGES = compile_later(rb'"(?:messages|info)"\s*:')
_TRAJECTORY = compile_later(rb'"trajectory"\s*:')
_BLOCK = compile_later(r"```(?:bash|sh|mswea_bash_command)[ \t]*\n(.*?)\n?```", re.DOTALL)
_CODE = compile_later(r"<returncode>\s*(-?\d{1,10})\s*</returncode>")
_OUTPUT = compile_later(r"<output>\n?(.*?)(?:</output>|\Z)", re.DOTALL)
_TIMED_OUT = compile_later(r"\s*The last command .{0,2000}? timed out", re.DOTALL)
_ANSWER = compile_later(r"\s*(?:<returncode>|Observation:|The last command )")


class _Call(NamedTuple):
    id: str
    line: int
    at: int | None
    command: str


def sniff(head: bytes) -> bool:
    """Whether the first bytes of a file look like this format."""
    text = head.lstrip(b"\xef\xbb\xbf \r\n\t\x00")
    return (
        text.startswith(b"{")
        and b"}\n{" not in text  # many documents are no document, and nothing is found sooner
        and (b"mini-swe-agent" in text or (_named(text) and bool(_SNIFF.search(text))))
        and bool(_MESSAGES.search(text))
        and not _TRAJECTORY.search(text)
    )


def _named(head: bytes) -> bool:
    """Whether one of the names is there of which the expression looks whether they are names: found a hundred times as fast."""
    return b'"mini_version"' in head or b'"instance_cost"' in head


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of a trajectory; fills the header of ``session`` first.

    Raises:
        OSError: the file cannot be read.
    """
    data = read_document(path, session)
    config = mapping(mapping(data.get("info")).get("config"))
    session.session_id = string(data.get("instance_id")) or path.name.removesuffix(".json").removesuffix(".traj")
    session.project = string(mapping(config.get("environment")).get("cwd"))
    session.end_reason = string(mapping(data.get("info")).get("exit_status"))
    yield from _Trajectory(session).observations(items(data.get("messages")))


class _Trajectory:
    def __init__(self, session: Session) -> None:
        self.session = session
        self.open: list[_Call] = []
        self.prompted = False

    def observations(self, messages: list[object]) -> Iterator[Observation]:
        for number, value in enumerate(messages, 1):
            self.session.lines = number
            message = mapping(value)
            at = parse_time(mapping(message.get("extra")).get("timestamp"))
            if at is None:
                at = parse_time(message.get("timestamp"))
            extend_span(self.session, at)
            yield from self._message(message, number, at)
        for call in self.open:
            yield _tool(call, "", None, "aborted", call.line)

    def _message(self, message: Json, number: int, at: int | None) -> Iterator[Observation]:
        role, text = message.get("role"), _plain(message.get("content"))
        if role == "assistant":
            yield from self._assistant(message, text, number, at)
        elif role == "tool":
            yield from self._answer(message, text, number)
        elif role == "exit":
            done = mapping(message.get("extra")).get("exit_status") == "Submitted" or bool(text)
            yield from self._close(text, None, "ok" if done else "aborted", number)
        elif role == "user":
            if self.open and (_ANSWER.match(text) or "returncode" in mapping(message.get("extra"))):
                yield from self._answer(message, text, number)
            elif not self.prompted:  # later ones are the harness asking for the right format
                self.prompted = True
                if spoken := build.said("user", task_of(text), line=number, at=at):
                    yield spoken

    def _assistant(self, message: Json, text: str, number: int, at: int | None) -> Iterator[Observation]:
        for call in self.open:
            yield _tool(call, "", None, "aborted", call.line)
        self.open = _calls(message, text, number, at)
        thought = string(message.get("reasoning_content"))
        said: tuple[tuple[Kind, str], ...] = (("thinking", thought), ("assistant", _BLOCK.sub("", text)))
        for kind, words in said:
            if spoken := build.said(kind, words, line=number, at=at):
                yield spoken

    def _answer(self, message: Json, text: str, number: int) -> Iterator[Observation]:
        extra = mapping(message.get("extra"))
        code = integer(extra.get("returncode"))
        if code is None and (stated := _CODE.search(text[:400])):
            code = int(stated[1])
        outcome: ToolOutcome = "unknown" if code is None else "ok" if code == 0 else "failed"
        if code is None and _TIMED_OUT.match(text):
            outcome = "failed"
        printed = string(extra.get("raw_output")) or ("\n".join(_OUTPUT.findall(text)) if "<output>" in text else text)
        yield from self._close(printed, code, outcome, number, string(message.get("tool_call_id")))

    def _close(
        self, text: str, code: int | None, outcome: ToolOutcome, number: int, call_id: str = ""
    ) -> Iterator[Observation]:
        """Answer the call of that id, or the oldest one that is open."""
        found = next(
            (call for call in self.open if call_id and call.id == call_id), self.open[0] if self.open else None
        )
        if found is not None:
            self.open.remove(found)
            yield _tool(found, text, code, outcome, number)


def _calls(message: Json, text: str, number: int, at: int | None) -> list[_Call]:
    found: list[_Call] = []
    for action in items(mapping(message.get("extra")).get("actions")):
        command = string(mapping(action).get("command")) or string(action)
        found.append(_Call(string(mapping(action).get("tool_call_id")), number, at, command))
    if not found:
        for value in items(message.get("tool_calls")):
            function = mapping(mapping(value).get("function"))
            found.append(_Call(string(mapping(value).get("id")), number, at, _command(function.get("arguments"))))
    if not found and (block := _BLOCK.search(text)):
        found.append(_Call("", number, at, block[1]))
    return found


def _command(arguments: object) -> str:
    """The command of a tool call, whose arguments are JSON in a string."""
    return string((loads_object(arguments) if isinstance(arguments, str) else mapping(arguments)).get("command"))


def _plain(content: object) -> str:
    """The text of a message, which is a string or a list of text blocks."""
    if isinstance(content, str):
        return content
    return "\n".join(string(mapping(block).get("text")) for block in items(content))


def _tool(call: _Call, output: str, code: int | None, outcome: ToolOutcome, end_line: int) -> Observation:
    return build.tool(
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
