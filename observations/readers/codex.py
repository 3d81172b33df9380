"""Codex rollouts: JSONL of ``{timestamp, type, payload}``, written while the session runs. ``line`` is the JSONL line.

What was said and done stands in ``response_item`` lines; ``event_msg`` lines repeat most of it for the interface, and
older rollouts hold some of it only there, so what both say counts once. A command that outlives its first wait is
continued by ``write_stdin`` calls: its result belongs to the command, and each of those calls is an observation of
action ``other``. What a script did (codex_scripts) is told call by call; the script itself counts where it did nothing else,
or failed. Rollouts of 2025 have bare items without ``payload``.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from mind_skills.observations import build
from mind_skills.observations.build import Channels
from mind_skills.observations.codec import Json, extend, first_string, integer, items, mapping, milliseconds, string
from mind_skills.observations.logfile import objects, read_again, warn
from mind_skills.observations.marks import Progress, State
from mind_skills.observations.model import Agent, Kind, Observation, Session
from mind_skills.observations.readers import codex_scripts, codex_subagents
from mind_skills.observations.readers.codex_calls import Call, Ending, Result, arguments, finish, result
from mind_skills.redaction.lazy_pattern import compile_later

FORMAT = "codex-rollout"
HOST = "codex"
MAX_OPEN_CALLS = 10_000
T = TypeVar("T")

_SNIFF = compile_later(rb'"type"\s*:\s*"(?:session_meta|response_item|event_msg|turn_context|world_state|compacted)"')
_BARE = compile_later(
    rb'\{[^\n]*"instructions"[^\n]*\}\s*\n\s*\{[^\n]*"(?:record_type|type)"\s*:\s*"(?:state|message|reasoning)"'
)
_ITEMS = frozenset({"message", "reasoning", "function_call", "function_call_output", "local_shell_call"})
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})
_INJECTED = compile_later(r"\s*<([a-z]+_[a-z_]+)>.*</\1>\s*\Z", re.DOTALL)
"""A message that is one element of the client's own, such as ``<user_shell_command>``; more of them come with each version."""
_IDE_CONTEXT, _IDE_REQUEST = "# Context from my IDE setup:", "## My request for Codex:"


def sniff(head: bytes) -> bool:
    """Whether the first bytes of a file look like this format."""
    text = head.lstrip(b"\xef\xbb\xbf \r\n\t\x00")
    if not text.startswith(b"{"):
        return False
    if b'"payload"' in text and _SNIFF.search(text):
        return True
    return b'"instructions"' in text and bool(_BARE.match(text))


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of a rollout; fills the header of ``session`` as it goes.

    Raises:
        OSError: the rollout cannot be read.
    """
    yield from _Rollout(path, session).observations()


class _Rollout:
    """The state of one file while it is read."""

    def __init__(self, path: Path, session: Session, parent: _Rollout | None = None, at_line: int = 0) -> None:
        self.path, self.session, self.at_line = path, session, at_line
        self.agent: Agent = "main" if parent is None else "subagent"
        self.named = False
        self.copy_for = ""
        """The thread of a subagent as long as its log repeats what its parent's said."""
        self.subagents: set[str] = set() if parent is None else parent.subagents
        self.calls: OrderedDict[str, Call] = OrderedDict()
        self.running: OrderedDict[str, Call] = OrderedDict()
        self.cells: OrderedDict[str, Call] = OrderedDict()
        self.endings: OrderedDict[str, Ending] = OrderedDict()
        self.said = Channels(2)
        self.progress = session.progress if parent is None else None

    def observations(self) -> Iterator[Observation]:
        if self.progress is not None:
            self._restore(self.progress)
            self.progress.begun(self._state)
        for line, entry in objects(self.path, self.session):
            yield from self._entry(entry, line)
        yield from self._left_open()
        self.session.session_id = self.session.session_id or self.path.stem

    def _entry(self, entry: Json, line: int) -> Iterator[Observation]:
        at, number = milliseconds(entry.get("timestamp")), self.at_line or line
        extend(self.session, at)
        kind, payload = string(entry.get("type")), mapping(entry.get("payload"))
        if self.copy_for:
            self.copy_for = "" if codex_subagents.own_from(payload, self.copy_for) else self.copy_for
        elif kind == "session_meta" or (not payload and "instructions" in entry):
            self._meta(payload or entry)
        elif kind == "turn_context":
            self.session.project = self.session.project or string(payload.get("cwd"))
        elif kind == "response_item" or (not payload and kind in _ITEMS):
            yield from self._item(payload or entry, number, at)
        elif kind == "event_msg":
            yield from self._event(payload, number, at)
        elif kind == "compacted":
            build.summary(string(payload.get("message")), line=number)

    def _place(self) -> tuple[int, int]:
        return (0, 0) if self.progress is None else self.progress.place

    def _state(self) -> State:
        """What is known beside what has been told: of what is open the places alone, from which it is read again."""
        open_ = [*self.calls.values(), *self.running.values(), *self.cells.values()]
        places = {place for call in open_ for place in call.places}
        return {
            "lines": [list(place) for place in sorted(places | {ending.place for ending in self.endings.values()})],
            "calls": [[name, call.worked] for name, call in self.calls.items()],
            "running": [[name, call.worked] for name, call in self.running.items()],
            "cells": [[name, call.worked] for name, call in self.cells.items()],
            "endings": [[name, False] for name in self.endings],
            "said": self.said.told(),
            "subagents": sorted(self.subagents),
            "agent": self.agent,
            "named": self.named,
        }

    def _restore(self, progress: Progress) -> None:
        """Read the lines once more that what is open stands in. Raises OSError, RewrittenError."""
        state = progress.state
        self.agent = "subagent" if state.get("agent") == "subagent" else "main"
        self.named = state.get("named") is True
        self.subagents |= {string(name) for name in items(state.get("subagents"))}
        for number, entry in read_again(self.path, progress):
            for _ in self._entry(entry, number):  # told before
                pass
        for what, open_ in (("calls", self.calls), ("running", self.running), ("cells", self.cells)):
            worked = {string(items(row)[0]): items(row)[1] is True for row in items(state.get(what))}
            for name in [name for name in open_ if name not in worked]:
                del open_[name]
            for name, call in open_.items():
                call.worked = worked[name]
        endings = {string(items(row)[0]) for row in items(state.get("endings"))}
        for name in [name for name in self.endings if name not in endings]:
            del self.endings[name]
        self.said = Channels(2)
        self.said.restore(state.get("said"))

    def _meta(self, payload: Json) -> None:
        if self.named:  # a fork copies the history of its parent, header included
            return
        self.named = True
        if self.at_line:
            self.copy_for = string(payload.get("id")) if codex_subagents.copied(payload) else ""
            return
        self.session.session_id = string(payload.get("id")) or string(payload.get("session_id"))
        self.session.project = string(payload.get("cwd"))
        if "subagent" in mapping(payload.get("source")) or payload.get("thread_source") == "subagent":
            self.agent = "subagent"

    def _item(self, payload: Json, number: int, at: int | None) -> Iterator[Observation]:
        kind = string(payload.get("type"))
        if kind == "message":
            role = payload.get("role")
            if role in ("user", "assistant"):
                for part in items(payload.get("content")):
                    yield from self._say(
                        "user" if role == "user" else "assistant", mapping(part).get("text"), 0, number, at
                    )
            else:
                build.unsaid(*(string(mapping(part).get("text")) for part in items(payload.get("content"))))
        elif kind == "reasoning":
            for part in [*items(payload.get("summary")), *items(payload.get("content"))]:
                yield from self._say("thinking", mapping(part).get("text"), 0, number, at)
        elif kind in _CALLS:
            self._open(payload, number, at)
        elif kind in _OUTPUTS:
            yield from self._output(payload, number)
        elif kind == "web_search_call":
            yield self._web(payload, number, at)

    def _event(self, payload: Json, number: int, at: int | None) -> Iterator[Observation]:
        kind = payload.get("type")
        if kind == "user_message":
            yield from self._say("user", payload.get("message"), 1, number, at)
        elif kind == "agent_message":
            yield from self._say("assistant", payload.get("message"), 1, number, at)
        elif kind in ("agent_reasoning", "agent_reasoning_raw_content"):
            yield from self._say("thinking", payload.get("text"), 1, number, at)
        elif kind == "turn_aborted":
            yield Observation(
                "user", number, end_line=number, at=at, agent=self.agent, source="user", outcome="aborted"
            )
        elif scripted := codex_scripts.done(payload, line=number, at=at, agent=self.agent):
            for call in (*self.calls.values(), *self.cells.values()):
                call.worked = call.worked or call.name == codex_scripts.SCRIPT
            yield scripted
        else:
            ending = Ending.of(payload, self._place())
            if ending is not None:
                _keep(self.endings, ending.call_id, ending)

    def _say(self, kind: Kind, text: object, channel: int, number: int, at: int | None) -> Iterator[Observation]:
        """Say it once: of the same text, an item (channel 0) and an event (1) are one."""
        words = string(text)
        if kind == "user" and words.startswith(_IDE_CONTEXT):
            beside, _, words = words.rpartition(_IDE_REQUEST)  # what is selected may hold the heading itself
            build.unsaid(beside)
        if kind == "user":
            build.note_skill(self.session, words, number, at)
        if kind == "user" and _INJECTED.match(words) and not build.report(words):
            build.unsaid(words)
            return
        if not words.strip():
            return
        if self.said.new(kind, words, channel) and (
            spoken := build.said(kind, words, line=number, at=at, agent=self.agent)
        ):
            yield spoken

    def _open(self, payload: Json, number: int, at: int | None) -> None:
        call_id = string(payload.get("call_id")) or string(payload.get("id"))
        name = string(payload.get("name")) or ("local_shell" if payload.get("type") == "local_shell_call" else "")
        given = arguments(payload)
        self.session.project = self.session.project or string(given.get("workdir"))  # headers of 2025 name no folder
        call = Call(call_id, number, at, name, given, places=(self._place(),))
        _keep(self.calls, call_id, call)

    def _output(self, payload: Json, number: int) -> Iterator[Observation]:
        call = self.calls.pop(string(payload.get("call_id")), None)
        if call is None:
            return
        if call.name == codex_scripts.SCRIPT or "cell_id" in call.inputs:
            yield from self._scripted(call, payload.get("output"), number)
        else:
            yield from self._answered(call, result(payload.get("output")), number)

    def _scripted(self, call: Call, output: object, number: int) -> Iterator[Observation]:
        """What a script did, when it has ended; a wait for it is an observation of its own."""
        said = codex_scripts.printed(output)
        if call.name == codex_scripts.WAIT:
            yield finish(call, Result("\n".join(said.texts)), None, number, self.agent)
            waited = self.cells.pop(_number(call, "cell_id"), None)
            if waited is None:
                return
            waited.places += call.places
            call = waited
        call.places += (self._place(),)
        said = said._replace(texts=(*call.texts, *said.texts))
        if said.cell:
            call.texts, call.continued = said.texts, True
            _keep(self.cells, said.cell, call)
            return
        made = [] if call.worked else codex_scripts.made(call)
        if not made and (said.failed or not call.worked):  # what it did has been told
            whole = Result("\n".join(said.texts), failed=said.failed)
            yield finish(call, whole, None, number, self.agent)
        for each, found in codex_scripts.results(made, said, string(call.inputs.get("input"))) if made else ():
            yield from self._answered(each, found, number)

    def _answered(self, call: Call, found: Result, number: int) -> Iterator[Observation]:
        """A call that was answered: told when its process has ended, and told apart from what continues it."""
        if call.name == "write_stdin":
            yield finish(call, found._replace(exit_code=None), None, number, self.agent)
            begun = self.running.pop(_number(call, "session_id"), None)
            if begun is None:
                return
            begun.places += call.places
            if call.scripted and found.exit_code is None and not found.running and not found.failed:
                found = found._replace(running=_number(call, "session_id"))  # whether it has ended was not printed
            call = begun
        ending = self.endings.pop(call.id, None)
        call.print(found.text)
        if found.running:
            call.continued = True
            call.places += (self._place(),)
            _keep(self.running, found.running, call)
            return
        yield finish(call, found, ending, number, self.agent)
        if call.name == codex_subagents.TOOL:
            yield from self._subagent(codex_subagents.named(found.text), call.line)

    def _subagent(self, name: str, line: int) -> Iterator[Observation]:
        """What a subagent did, at the call that began it."""
        if not name or name in self.subagents:
            return
        self.subagents.add(name)
        lines = self.session.lines
        try:
            log = codex_subagents.rollout(self.path, name)
            if log is not None:
                yield from _Rollout(log, self.session, self, line).observations()
        except OSError as error:
            warn(self.session, line, f"the log of subagent {name} cannot be read: {error.strerror}")
        self.session.lines = lines

    def _web(self, payload: Json, number: int, at: int | None) -> Observation:
        action = mapping(payload.get("action"))
        asked = first_string(action, "query", "url", "pattern")
        done = payload.get("status") == "completed"
        return build.tool(
            "web_search",
            "web",
            line=number,
            at=at,
            agent=self.agent,
            command=asked,
            outcome="ok" if done else "unknown",
        )

    def _left_open(self) -> Iterator[Observation]:
        """Calls without a result when the log ends: stopped with it, or still running."""
        left = list(self.running.values())
        for call in [*self.calls.values(), *self.cells.values()]:
            made = codex_scripts.made(call) if call.name == codex_scripts.SCRIPT else []
            left += [] if call.worked else made or [call]
        for call in sorted(left, key=lambda call: call.line):
            ending = self.endings.pop(call.id, None)
            yield finish(
                call, None, ending, max(call.line, (self.at_line or self.session.lines) if ending else 0), self.agent
            )


def _keep(where: OrderedDict[str, T], name: str, value: T) -> None:
    """Keep a value under its name, and of too many the last ones."""
    where[name] = value
    if len(where) > MAX_OPEN_CALLS:
        where.popitem(last=False)


def _number(call: Call, name: str) -> str:
    value = call.inputs.get(name)
    return str(integer(value)) if integer(value) is not None else string(value)
