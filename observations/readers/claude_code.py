"""Claude Code transcripts: JSONL, one line per content block, subagents in files beside it.

``line`` is the JSONL line. The format is internal to the client, so unknown line types are passed over silently. What was
said stands in ``user`` and ``assistant`` lines, and what was said while the agent worked in ``queue-operation`` and
``attachment`` lines. A command in the background is told when the client says that it has ended. Hook output, snapshots and
progress lines hold machine text and our own.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mind_skills.hosts.claude_code import SPEC
from mind_skills.observations import build
from mind_skills.observations.build import Channels
from mind_skills.observations.codec import Json, extend, first_string, items, mapping, milliseconds, string
from mind_skills.observations.logfile import objects, read_again, warn
from mind_skills.observations.marks import Progress, State
from mind_skills.observations.model import Action, Agent, Kind, Observation, Session, ToolOutcome
from mind_skills.redaction.lazy_pattern import compile_later

FORMAT = "claude-code"
HOST = "claude-code"
REMEMBERED_UUIDS = 100_000
"""Lines repeated by a resume stand near the originals; remembering more would let memory follow the file."""
MAX_OPEN_CALLS = 10_000
"""Calls that wait for their results, and as many commands that run in the background."""
MAX_QUEUED = 1_000
SYNTHETIC = "<synthetic>"
"""The model of lines in which the client speaks in the agent's place: an API error, an interruption."""

_SNIFF = compile_later(rb'"(?:sessionId|parentUuid|leafUuid|isSidechain|file-history-snapshot)"')
_EXIT = compile_later(r"\s*(?:Error: )?Exit code (-?\d+)")
_COMMAND = compile_later(r"\s*/[a-z][\w:-]*(?:\s|\Z)")
"""A command of the client that waits in the queue."""
_TASK = '{"task_id"'
"""A note of the client that a task was begun in the background."""
_OF_THE_MACHINE = compile_later(r"\s*(?:<task-notification|\{\"task_id\")")
_REJECTED = compile_later(r"\s*The user doesn't want to (?:proceed|take this action)")
_ABORTED = compile_later(
    r"\s*(?:\[Request interrupted by user|<tool_use_error>(?:Sibling tool call|Cancelled)|Interrupted by user)"
)
_DENIED = compile_later(
    r"\s*(?:Permission to use |Claude requested permissions|.{0,80}\bwas blocked\b|.{0,80}requires approval)"
)
_BACKGROUND = compile_later(r"\s*Command running in background with ID: ([\w-]{1,80})")
_TASK_ID = compile_later(r"<task-id>([\w-]{1,80})</task-id>")
_TASK_STATUS = compile_later(r"<status>(\w{1,20})</status>")
_TASK_SUMMARY = compile_later(r"<summary>([^<]{1,2000})</summary>")
_TASK_CODE = compile_later(r"<exit_code>(-?\d{1,10})</exit_code>|\bexit code (-?\d{1,10})\)?</summary>")
_TASK_OUTPUT = compile_later(r"<output>\n?(.*?)(?:</output>|\Z)", re.DOTALL)
_STOPPED = frozenset({"killed", "stopped", "cancelled"})
_ASKED = ("command", "pattern", "url", "query", "skill", "plan", "subject", "description", "prompt")


class Call(NamedTuple):
    """A tool call that waits for its result."""

    line: int
    at: int | None
    name: str
    inputs: Json
    agent: Agent
    place: tuple[int, int] = (0, 0)
    """Where in the log it stands."""


def sniff(head: bytes) -> bool:
    """Whether the first bytes of a file look like this format."""
    return (
        head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{")
        and bool(_SNIFF.search(head))
        and b'"payload"' not in head[:400]
    )


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of a transcript and of its subagents; fills the header of ``session`` as it goes.

    Raises:
        OSError: the transcript cannot be read. A subagent file that cannot be read is a warning.
    """
    session.session_id = path.stem
    yield from _Transcript(path, session).observations()


class _Transcript:
    """The state of one file while it is read."""

    def __init__(self, path: Path, session: Session, agent: Agent = "main", at_line: int = 0) -> None:
        self.path, self.session, self.agent, self.at_line = path, session, agent, at_line
        self.seen: OrderedDict[str, None] = OrderedDict()
        self.calls: OrderedDict[str, Call] = OrderedDict()
        self.background = _Background()
        self.queue: list[tuple[str, tuple[int, int]]] = []
        """What waits, and where in the log it stands."""
        self.meanwhile = Channels(2)
        self.subagents = _subagent_logs(path) if agent == "main" else {}
        self.told: list[str] = []
        """The subagents whose logs have been read."""
        self.progress = session.progress if agent == "main" else None

    def observations(self) -> Iterator[Observation]:
        if self.progress is not None:
            self._restore(self.progress)
            self.progress.begun(self._state)
        for number, entry in objects(self.path, self.session):
            yield from self._entry(entry, number)
        for call in self.calls.values():
            yield tool_call(call, "", None, "aborted", call.line)
        for call, output in self.background.running.values():  # nobody said that they have ended
            yield tool_call(call, output, None, "unknown", call.line)
        for name in sorted(self.subagents):
            yield from self._subagent(name, max(1, self.session.lines))

    def _entry(self, entry: Json, number: int) -> Iterator[Observation]:
        kind = entry.get("type")
        if self.background.running:
            told = string(entry.get("content")) or string(mapping(entry.get("message")).get("content"))
            told = told or _text_of(mapping(entry.get("attachment")).get("prompt"))
            yield from self.background.notified(told, number)
        if kind == "attachment":
            yield from self._attachment(entry, number)
        elif kind == "queue-operation":
            yield from self._queue(string(entry.get("operation")), string(entry.get("content")), entry, number)
        if kind not in ("user", "assistant") or self._repeated(string(entry.get("uuid"))):
            return
        message = mapping(entry.get("message"))
        if message.get("model") == SYNTHETIC:
            return
        at = self._header(entry)
        yield from self._message(entry, message, string(kind), self.at_line or number, at)

    def _place(self) -> tuple[int, int]:
        return (0, 0) if self.progress is None else self.progress.place

    def _state(self) -> State:
        """What is known beside what has been told: of what is open the places alone, from which it is read again."""
        open_ = [call.place for call in self.calls.values()]
        open_ += [place for places in self.background.places.values() for place in places]
        open_ += [place for _, place in self.queue]
        return {
            "lines": [list(place) for place in sorted(set(open_))],
            "calls": list(self.calls),
            "uuids": list(self.seen),
            "meanwhile": self.meanwhile.told(),
            "subagents": list(self.told),
        }

    def _restore(self, progress: Progress) -> None:
        """Read the lines once more that what is open stands in. Raises OSError, RewrittenError."""
        state = progress.state
        for name in items(state.get("subagents")):
            self.told.append(string(name))
            self.subagents.pop(string(name), None)
        waiting, self.subagents = self.subagents, {}
        for number, entry in read_again(self.path, progress):
            for _ in self._entry(entry, number):  # told before
                pass
        self.subagents = waiting
        calls = {string(name) for name in items(state.get("calls"))}
        for name in [name for name in self.calls if name not in calls]:
            del self.calls[name]
        self.seen = OrderedDict.fromkeys([string(name) for name in items(state.get("uuids"))])
        self.meanwhile = Channels(2)
        self.meanwhile.restore(state.get("meanwhile"))

    def _attachment(self, entry: Json, number: int) -> Iterator[Observation]:
        attachment = mapping(entry.get("attachment"))
        build.unsaid(*_strings_of(attachment))
        if attachment.get("type") == "queued_command" and not self._repeated(string(entry.get("uuid"))):
            prompt = attachment.get("prompt")
            yield from self._said_meanwhile(_text_of(prompt), 0, entry, number)

    def _queue(self, operation: str, content: str, entry: Json, number: int) -> Iterator[Observation]:
        """What the user types, and subagents report, while the agent works waits in a queue.

        Where a line does not say what was taken, it was the oldest, and the user's words go before notes of the machine.
        What is taken from there when the turn has ended (dequeue) is a message of its own. What is handed over before that
        (remove) is told by an attachment, and by older clients nowhere else.
        """
        if operation == "enqueue" and content:
            self.queue.append((content, self._place()))
            del self.queue[:-MAX_QUEUED]
        elif operation == "popAll":  # the user took it back
            self.queue.clear()
        elif operation in ("dequeue", "remove"):
            waiting = [text for text, _ in self.queue]
            words = [text for text in waiting if not _OF_THE_MACHINE.match(text)]
            text = content or next(iter(words or waiting), "")
            if text in waiting:
                del self.queue[waiting.index(text)]
            if operation == "remove":
                yield from self._said_meanwhile(text, 1, entry, number)

    def _said_meanwhile(self, text: str, channel: int, entry: Json, number: int) -> Iterator[Observation]:
        if not text.strip() or not self.meanwhile.new("user", text.strip(), channel):
            return
        if _COMMAND.match(text) or text.startswith(_TASK):
            build.unsaid(text)
            return
        at = milliseconds(entry.get("timestamp"))
        agent = self._agent(entry)
        if spoken := build.said("user", text, line=self.at_line or number, at=at, agent=agent):
            yield spoken

    def _agent(self, entry: Json) -> Agent:
        return "subagent" if self.agent == "subagent" or entry.get("isSidechain") is True else "main"

    def _repeated(self, uuid: str) -> bool:
        if not uuid:
            return False
        if uuid in self.seen:
            return True
        self.seen[uuid] = None
        if len(self.seen) > REMEMBERED_UUIDS:
            self.seen.popitem(last=False)
        return False

    def _header(self, entry: Json) -> int | None:
        at = milliseconds(entry.get("timestamp"))
        session = self.session
        if self.agent == "main":
            if not session.project:
                session.project = string(entry.get("cwd"))
            # A resumed file may begin with lines of older sessions: the last id is its own.
            session.session_id = string(entry.get("sessionId")) or session.session_id
        extend(session, at)
        return at

    def _message(self, entry: Json, message: Json, role: str, number: int, at: int | None) -> Iterator[Observation]:
        agent = self._agent(entry)
        content = message.get("content")
        machine = entry.get("isMeta") is True or entry.get("isCompactSummary") is True
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        for block in items(content):
            part = mapping(block)
            kind = part.get("type")
            if kind == "tool_use":
                self._open(
                    string(part.get("id")),
                    Call(number, at, string(part.get("name")), mapping(part.get("input")), agent, self._place()),
                )
            elif kind == "tool_result":
                yield from self._result(part, entry, number)
            elif kind == "text" and role == "user" and build.find_brought_skill(string(part.get("text"))):
                build.note_skill(self.session, string(part.get("text")), number, at)
                build.unsaid(string(part.get("text")))
            elif kind == "text" and role == "user" and machine:
                text = string(part.get("text"))
                if entry.get("isCompactSummary") is True:
                    build.summary(text, line=number)
                build.unsaid(text)
            elif kind in ("text", "thinking"):
                said: Kind = "thinking" if kind == "thinking" else "user" if role == "user" else "assistant"
                if spoken := build.said(said, string(part.get(string(kind))), line=number, at=at, agent=agent):
                    yield spoken

    def _open(self, call_id: str, call: Call) -> None:
        self.calls[call_id] = call
        if len(self.calls) > MAX_OPEN_CALLS:
            self.calls.popitem(last=False)

    def _result(self, part: Json, entry: Json, number: int) -> Iterator[Observation]:
        call = self.calls.pop(string(part.get("tool_use_id")), None)
        if call is None:
            return
        output = _text_of(part.get("content"))
        outcome = stated(part.get("is_error") is True, output)
        places = [call.place, self._place()]
        if outcome == "ok" and SPEC.tools.get(call.name) == "run" and self.background.begun(call, output, places):
            return
        task = first_string(call.inputs, "task_id", "bash_id")
        yield from self.background.asked(task, output, places, number)
        yield tool_call(call, output, entry.get("toolUseResult"), outcome, number, unseen(part.get("content")))
        name = string(mapping(entry.get("toolUseResult")).get("agentId"))
        if name in self.subagents:
            yield from self._subagent(name, call.line)

    def _subagent(self, name: str, line: int) -> Iterator[Observation]:
        path = self.subagents.pop(name)
        self.told.append(name)
        lines = self.session.lines
        try:
            yield from _Transcript(path, self.session, "subagent", line).observations()
        except OSError as error:
            warn(self.session, line, f"subagent log {path.name} cannot be read: {error.strerror}")
        self.session.lines = lines


class _Background:
    """The commands that go on in the background: each is known by an id until the client says that it has ended."""

    def __init__(self) -> None:
        self.running: OrderedDict[str, tuple[Call, str]] = OrderedDict()
        """Each call with what is known of its output."""
        self.places: dict[str, list[tuple[int, int]]] = {}
        """By id, where in the log stands what is known of each that has not ended: for who reads these lines again."""

    def begun(self, call: Call, output: str, places: list[tuple[int, int]]) -> bool:
        """Whether the first answer to a call says that it goes on in the background; then it is kept.

        ``places`` are those of the call and of the answer.
        """
        found = _BACKGROUND.match(output)
        if found is None:
            return False
        self.running[found[1]] = (call, output)
        self.places[found[1]] = places
        if len(self.running) > MAX_OPEN_CALLS:
            self.places.pop(self.running.popitem(last=False)[0], None)
        return True

    def notified(self, text: str, number: int) -> Iterator[Observation]:
        """The command that has ended by a message of the client."""
        named = _TASK_ID.search(text) if text.startswith("<task-notification") else None
        if named:
            yield from self._ended(named[1], text, number)

    def asked(self, task: str, output: str, places: list[tuple[int, int]], number: int) -> Iterator[Observation]:
        """The command that the agent asked about, if it has ended; what it has printed is kept where it goes on.

        ``places`` are those of the question and of the answer.
        """
        if task in self.running:
            if printed := _TASK_OUTPUT.search(output):
                self.running[task] = (self.running[task][0], printed[1])
                self.places[task] = [*self.places[task][:2], *places]
            yield from self._ended(task, output, number)

    def _ended(self, task: str, text: str, number: int) -> Iterator[Observation]:
        status, code = _TASK_STATUS.search(text), _TASK_CODE.search(text)
        if task not in self.running or status is None or (code is None and status[1] not in {"failed", *_STOPPED}):
            return
        call, output = self.running.pop(task)
        del self.places[task]
        summed = _TASK_SUMMARY.search(text)
        if summed and _BACKGROUND.match(output):  # what it printed stands in a file of its own
            output = summed[1]
        failed = int(code[1] or code[2]) if code else 0
        outcome: ToolOutcome = "aborted" if status[1] in _STOPPED else "ok"
        if outcome == "ok" and (failed or status[1] == "failed"):
            outcome, output = "failed", f"Exit code {failed or 1}\n{output}"
        yield tool_call(call, output, None, outcome, number)


def _strings_of(attachment: Json) -> Iterator[str]:
    """All strings that the client put beside a message: files, the output of hooks, lists of skills, in many forms."""
    waiting: list[object] = [] if attachment.get("type") == "queued_command" else [attachment]  # the user's words
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        waiting += items(one) or mapping(one).values()


def _subagent_logs(path: Path) -> dict[str, Path]:
    """The logs of the subagents of a transcript, by their names."""
    folder = path.with_suffix("") / "subagents"
    try:
        found = sorted(folder.glob("**/agent-*.jsonl")) if folder.is_dir() else []
    except OSError:
        found = []
    return {file.stem.removeprefix("agent-"): file for file in found}


def _text_of(content: object) -> str:
    """The text of a result, which is a string or a list of text and image blocks."""
    if isinstance(content, str):
        return content
    return "\n".join(
        string(mapping(block).get("text")) for block in items(content) if mapping(block).get("type") == "text"
    )


def unseen(content: object) -> bool:
    """Whether a result holds what is no text: documents, pictures, and references to more."""
    return any(mapping(block).get("type") not in ("text", None) for block in items(content))


def stated(failed: bool, output: str) -> ToolOutcome:
    """What the client states: ``is_error`` covers rejections, interruptions and denials, too."""
    if _ABORTED.match(output):
        return "aborted"
    if not failed:
        return "ok"
    if _REJECTED.match(output):
        return "rejected"
    return "denied" if _DENIED.match(output[:300]) else "failed"


def tool_call(
    call: Call, output: str, result: object, outcome: ToolOutcome, end_line: int, beside: bool = False
) -> Observation:
    """The observation of a call; ``result`` is what the client keeps of it beside its output, ``beside`` whether it returned
    anything but text.
    """
    name, given = call.name, call.inputs
    action: Action = SPEC.tools.get(name, "mcp")  # type: ignore[assignment]
    removed, added = string(given.get("old_string")), first_string(given, "new_string", "content")
    for edit in items(given.get("edits")):
        removed += "\n" + string(mapping(edit).get("old_string"))
        added += "\n" + string(mapping(edit).get("new_string"))
    file = first_string(given, "file_path", "notebook_path", "path")
    code = _EXIT.match(output) if action == "run" else None
    error = result if isinstance(result, str) and outcome == "failed" else ""
    return build.tool(
        name,
        action,
        line=call.line,
        end_line=end_line,
        at=call.at,
        agent=call.agent,
        command=_command(name, given),
        files=(file,) if file else (),
        removed=removed if action in ("edit", "write") else "",
        added=added if action in ("edit", "write") else "",
        output=output or error,
        outcome=outcome,
        exit_code=int(code.group(1)) if code else 0 if action == "run" and outcome == "ok" else None,
        unseen=beside,
    )


def _command(name: str, given: Json) -> str:
    """What was run, searched, asked for or loaded."""
    if name == "TodoWrite":
        return "\n".join(string(mapping(todo).get("content")) for todo in items(given.get("todos")))
    return first_string(given, *_ASKED)
