"""Gemini CLI chats: JSONL since 2026, one JSON document before. ``line`` is the JSONL line, or the message's index.

A message is written again, under its id, whenever it grew (text first, then its tool calls), and ``$set`` lines
replace fields of the whole: what was read counts once, at the line where it first stood. A shell command that fails is
a *successful* tool call whose text says ``Exit Code: N``. What hooks inject is part of the user's first message.
"""

from __future__ import annotations

import html
import re
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

from mind_skills.hosts.gemini import SPEC
from mind_skills.observations import build
from mind_skills.observations.codec import Json, extend, first_string, items, loads, mapping, milliseconds, string
from mind_skills.observations.logfile import document, numbered_lines, objects
from mind_skills.observations.marks import State
from mind_skills.observations.model import Action, Agent, Kind, Observation, Session, ToolOutcome
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.store.project import digest

FORMAT = "gemini"
HOST = "gemini"
REMEMBERED = 100_000
"""Messages and tool calls whose repetition is recognised."""

_INJECTED = compile_later(r"<(hook_context|session_context|system-reminder)>(?:.*</\1>|.*)", re.DOTALL)
_REFERENCED = compile_later(r"\n{0,20}--- Content from referenced files ---.*", re.DOTALL)
_WRAPPER = compile_later(r"</?untrusted_context>\n?")
_EXIT = compile_later(r"^Exit Code: (-?\d{1,10})$", re.MULTILINE)
_FRAME = compile_later(
    r"^(?:Command|Directory|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*(?:\n|\Z)|"
    r"^(?:Output|Stdout|Stderr|Error): (?:\((?:none|empty)\))?(?:\n|\Z)?",
    re.MULTILINE,
)
_REFUSED = compile_later(r"did not allow|user rejected|rejected by user|User denied", re.IGNORECASE)
_DENIED = compile_later(
    r"denied by policy|blocked by policy|not allowed by policy|Tool execution denied", re.IGNORECASE
)


def sniff(head: bytes) -> bool:
    """Whether the first bytes of a file look like this format."""
    text = head.lstrip(b"\xef\xbb\xbf \r\n\t\x00")
    return text.startswith(b"{") and b'"projectHash"' in text and b'"sessionId"' in text


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of a chat; fills the header of ``session`` as it goes.

    Raises:
        OSError: the chat cannot be read.
    """
    chat = _Chat(session)
    if _is_document(path):
        data = document(path, session)
        chat.header(data)
        for number, message in enumerate(items(data.get("messages")), 1):
            session.lines = number
            yield from chat.message(mapping(message), number)
    else:
        if session.progress is not None:
            chat.restore(session.progress.state)
            session.progress.begun(chat.state)
        for number, entry in objects(path, session):
            yield from chat.entry(entry, number)
    session.session_id = session.session_id or path.stem


def _is_document(path: Path) -> bool:
    """Whether the file is one JSON document: its first line holds the messages, or nothing but the opening brace."""
    for _, line in numbered_lines(path, Session()):
        try:
            return "messages" in mapping(loads(line))
        except ValueError:
            return line == b"{" or (line.startswith(b"{") and b'"messages"' in line)
    return False


ACKNOWLEDGED = "Got it. Thanks for the additional context!"
"""What the client lets its model say to the summary that it puts, as a message of the user's, in place of a history that
it has compressed (seen with 0.61.0)."""


class _Chat:
    def __init__(self, session: Session) -> None:
        self.session = session
        self.seen: OrderedDict[str, None] = OrderedDict()
        self.agent: Agent = "main"

    def state(self) -> State:
        """What is known beside what has been told."""
        return {"seen": list(self.seen), "agent": self.agent}

    def restore(self, state: State) -> None:
        """Know it again."""
        self.seen = OrderedDict.fromkeys([string(name) for name in items(state.get("seen"))])
        self.agent = "subagent" if state.get("agent") == "subagent" else "main"

    def header(self, entry: Json) -> None:
        session = self.session
        session.session_id = session.session_id or string(entry.get("sessionId"))
        for key in ("startTime", "lastUpdated"):
            extend(session, milliseconds(entry.get(key)))
        folders = items(entry.get("directories"))
        session.project = session.project or (string(folders[0]) if folders else "")
        if entry.get("kind") == "subagent":
            self.agent = "subagent"

    def entry(self, entry: Json, number: int) -> Iterator[Observation]:
        """One JSONL line: the header, a change of the whole, or a message."""
        change = mapping(entry.get("$set"))
        if change:
            self.header(change)
            for kept in _without_summary(items(change.get("messages"))):
                yield from self.message(kept, number)
        elif "type" in entry:
            yield from self.message(entry, number)
        else:
            self.header(entry)
            for message in items(entry.get("messages")):
                yield from self.message(mapping(message), number)

    def message(self, message: Json, line: int) -> Iterator[Observation]:
        """What is new in a message."""
        at = milliseconds(message.get("timestamp"))
        extend(self.session, at)
        name, kind = string(message.get("id")) or f"line {line}", message.get("type")
        text = _plain(message.get("content"))
        if kind == "user":
            self._project(text)
            yield from self._say("user", name, own_words(text), line, at)
        elif kind == "info" and text.startswith("Request cancelled") and self._new(f"{name} cancelled"):
            yield Observation("user", line, end_line=line, at=at, source="user", outcome="aborted")
        elif kind == "gemini":
            for value in items(message.get("thoughts")):
                thought = mapping(value)
                parts = [string(thought.get("subject")), string(thought.get("description"))]
                words = "\n".join(part for part in parts if part)
                moment = milliseconds(thought.get("timestamp"))
                yield from self._say("thinking", f"{name} thought", words, line, at if moment is None else moment)
            yield from self._say("assistant", name, text, line, at)
            for value in items(message.get("toolCalls")):
                yield from self._call(mapping(value), name, line, at)

    def _project(self, text: str) -> None:
        """The workspace stands only in the context that the client writes as the first message."""
        if not self.session.project and "<session_context>" in text:
            found = re.search(r"Workspace Directories:\*\*\n\s*- ([^\n]{1,4000})", text)
            self.session.project = found[1].strip() if found else ""

    def _new(self, key: str) -> bool:
        if key in self.seen:
            return False
        self.seen[key] = None
        if len(self.seen) > REMEMBERED:
            self.seen.popitem(last=False)
        return True

    def _say(self, kind: Kind, name: str, words: str, line: int, at: int | None) -> Iterator[Observation]:
        new = words.strip() and self._new(f"{kind} {name} {digest(words)}")
        if new and (spoken := build.said(kind, words, line=line, at=at, agent=self.agent)):
            yield spoken

    def _call(self, call: Json, message: str, line: int, at: int | None) -> Iterator[Observation]:
        status = string(call.get("status"))
        key = string(call.get("id")) or f"{message} {string(call.get('name'))} {string(call.get('timestamp'))}"
        if status in ("success", "error", "cancelled") and self._new(f"call {key}"):
            moment = milliseconds(call.get("timestamp"))
            yield tool_call(call, status, line, at if moment is None else moment, self.agent)


def _without_summary(messages: list[object]) -> Iterator[Json]:
    """The messages of a whole that is written anew, without the two that stand for what was compressed."""
    forms = [mapping(message) for message in messages]
    answers = [
        n
        for n, form in enumerate(forms)
        if form.get("type") == "gemini" and _plain(form.get("content")).strip() == ACKNOWLEDGED
    ]
    gone = {*answers, *(n - 1 for n in answers)}
    yield from (form for n, form in enumerate(forms) if n not in gone)


def _plain(content: object) -> str:
    """The text of a message: a string, a part, or a list of parts; function responses are not text."""
    if isinstance(content, str):
        return content
    parts: list[object] = [mapping(content)] if mapping(content) else items(content)
    return "\n".join(filter(None, (string(mapping(part).get("text")) or string(part) for part in parts)))


def own_words(text: str) -> str:
    """A user's message without what hooks and the client put before and after it."""
    if "<" in text or "---" in text:
        for form in (_INJECTED, _REFERENCED):
            build.unsaid(*[found.group() for found in form.finditer(text)])
            text = form.sub("", text)
    if "&lt;openception-skill-extraction" in text:  # hooks' context is escaped where the client quotes it
        text = html.unescape(text)
    return text.strip()


def _result(call: Json) -> tuple[str, str]:
    """Output and error of a call, from its function responses."""
    outputs: list[str] = []
    errors: list[str] = []
    for value in items(call.get("result")):
        response = mapping(mapping(mapping(value).get("functionResponse")).get("response"))
        outputs.append(string(response.get("output")))
        errors.append(string(response.get("error")))
    output, error = "\n".join(filter(None, outputs)), "\n".join(filter(None, errors))
    return output or ("" if error else string(call.get("resultDisplay"))), error


def tool_call(call: Json, status: str, line: int, at: int | None, agent: Agent) -> Observation:
    """The observation of a call as the chat holds it, whose ``status`` the client states."""
    name, given = string(call.get("name")), mapping(call.get("args"))
    action: Action = SPEC.tools.get(name, "mcp")  # type: ignore[assignment]
    output, error = _result(call)
    code: int | None = None
    if action == "run" and status == "success":
        codes = _EXIT.findall(output[-2_000:])
        code = int(codes[-1]) if codes else 0
        output = _FRAME.sub("", _WRAPPER.sub("", output)).rstrip()
    changes = action in ("edit", "write")
    return build.tool(
        name,
        action,
        line=line,
        at=at,
        agent=agent,
        command=_command(name, given),
        files=tuple(
            string(given.get(key))
            for key in ("file_path", "absolute_path", "dir_path", "path")
            if string(given.get(key))
        ),
        removed=string(given.get("old_string")) if changes else "",
        added=first_string(given, "new_string", "content") if changes else "",
        output=output or error,
        outcome=_outcome(status, code, error or output),
        exit_code=code,
        error=error,
        unseen=any(not mapping(part).keys() <= {"functionResponse", "text"} for part in items(call.get("result"))),
    )


def _outcome(status: str, code: int | None, text: str) -> ToolOutcome:
    if status == "cancelled":
        return "rejected" if _REFUSED.search(text[:500]) else "aborted"
    if status == "error":
        return "denied" if _DENIED.search(text[:500]) else "failed"
    return "failed" if code else "ok"


def _command(name: str, given: Json) -> str:
    """What was run, searched, asked for or planned."""
    if name == "write_todos":
        return "\n".join(string(mapping(todo).get("description")) for todo in items(given.get("todos")))
    return first_string(given, "command", "pattern", "url", "query", "prompt", "fact", "name")
