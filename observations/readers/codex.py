"""Reader for Codex rollouts: JSONL of ``{timestamp, type, payload}``.

``line`` is the JSONL line; for a subagent's observations, it is the line of the call in the parent's rollout. Messages and actions are
in ``response_item`` lines. ``event_msg`` lines repeat most of them for the UI, and in older rollouts some are only there, so both
are read, and duplicates are removed. If a command has not ended when its first result is returned, ``write_stdin`` calls continue it:
their output is added to the command's output, and each of them is also an observation with the action ``other``. Each call of a
script (codex_scripts.py) is emitted separately. The script itself is emitted only if no calls were found in it, or if it failed after
events had reported its calls. In rollouts of 2025, items have no ``payload``.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from mind_skills.observations import builders
from mind_skills.observations.builders import TextDeduplicator
from mind_skills.observations.codec import (
    JsonObject,
    as_integer,
    as_list,
    as_object,
    as_string,
    extend_span,
    get_first_string,
    parse_time,
)
from mind_skills.observations.logfile import add_warning, read_objects, reread_lines
from mind_skills.observations.model import Agent, Kind, Observation, Session
from mind_skills.observations.positions import Position, Progress, State
from mind_skills.observations.readers import codex_scripts, codex_subagents
from mind_skills.observations.readers.codex_calls import Call, Ending, Result, build_call, parse_arguments, parse_result
from mind_skills.redaction.lazy_pattern import compile_lazily

FORMAT = "codex-rollout"
HOST = "codex"
MAX_OPEN_CALLS = 10_000
"""Maximum size of each of the mappings in which ``_Rollout`` stores calls and endings by id."""
T = TypeVar("T")

_SNIFF = compile_lazily(rb'"type"\s*:\s*"(?:session_meta|response_item|event_msg|turn_context|world_state|compacted)"')
_BARE_ITEM = compile_lazily(
    rb'\{[^\n]*"instructions"[^\n]*\}\s*\n\s*\{[^\n]*"(?:record_type|type)"\s*:\s*"(?:state|message|reasoning)"'
)
_ITEMS = frozenset({"message", "reasoning", "function_call", "function_call_output", "local_shell_call"})
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})
_CLIENT_ELEMENT = compile_lazily(r"\s*<([a-z]+_[a-z_]+)>.*</\1>\s*\Z", re.DOTALL)
"""A message that is a single client-generated element such as ``<user_shell_command>``; each version of the client adds more."""
_IDE_CONTEXT, _IDE_REQUEST = "# Context from my IDE setup:", "## My request for Codex:"


def sniff(head: bytes) -> bool:
    """Return whether the first bytes of a file match this format."""
    text = head.lstrip(b"\xef\xbb\xbf \r\n\t\x00")
    if not text.startswith(b"{"):
        return False
    if b'"payload"' in text and _SNIFF.search(text):
        return True
    return b'"instructions"' in text and bool(_BARE_ITEM.match(text))


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of a rollout, and fill the header of ``session``.

    Raises:
        OSError: the rollout cannot be read.
        RewrittenError: the rollout is not the one that ``session.progress`` belongs to.
    """
    yield from _Rollout(path, session).read_observations()


class _Rollout:
    """Reader state for one file. For a subagent's file, ``at_line`` is the line of all observations; otherwise it is 0."""

    def __init__(self, path: Path, session: Session, parent: _Rollout | None = None, at_line: int = 0) -> None:
        self.path, self.session, self.at_line = path, session, at_line
        self.agent: Agent = "main" if parent is None else "subagent"
        self.has_header = False
        self.replayed_thread = ""
        """The subagent's thread id while its log replays the parent's history, else empty."""
        self.subagents: set[str] = set() if parent is None else parent.subagents
        """Ids of the subagents whose logs have been read. All rollouts of a session share this set."""
        self.calls: OrderedDict[str, Call] = OrderedDict()
        """Calls without a result, by call id."""
        self.running: OrderedDict[str, Call] = OrderedDict()
        """Commands that have not ended, by process id."""
        self.cells: OrderedDict[str, Call] = OrderedDict()
        """Scripts that have not ended, by cell id."""
        self.endings: OrderedDict[str, Ending] = OrderedDict()
        """Reported ends of calls that have not been emitted, by call id."""
        self.seen_texts = TextDeduplicator()
        self.progress = session.progress if parent is None else None

    def read_observations(self) -> Iterator[Observation]:
        if self.progress is not None:
            self._restore(self.progress)
            self.progress.register_state_function(self._dump_state)
        for line_number, entry in read_objects(self.path, self.session):
            yield from self._read_entry(entry, line_number)
        yield from self._emit_open_calls()
        self.session.session_id = self.session.session_id or self.path.stem

    def _read_entry(self, entry: JsonObject, line_number: int) -> Iterator[Observation]:
        at, line = parse_time(entry.get("timestamp")), self.at_line or line_number
        extend_span(self.session, at)
        kind, payload = as_string(entry.get("type")), as_object(entry.get("payload"))
        if self.replayed_thread:
            if codex_subagents.ends_copied_history(payload, self.replayed_thread):
                self.replayed_thread = ""
        elif kind == "session_meta" or (not payload and "instructions" in entry):
            self._read_header(payload or entry)
        elif kind == "turn_context":
            self.session.project = self.session.project or as_string(payload.get("cwd"))
        elif kind == "response_item" or (not payload and kind in _ITEMS):
            yield from self._read_item(payload or entry, line, at)
        elif kind == "event_msg":
            yield from self._read_event(payload, line, at)
        elif kind == "compacted":
            builders.emit_summary(as_string(payload.get("message")), line=line)

    def _get_position(self) -> Position:
        return (0, 0) if self.progress is None else self.progress.position

    def _dump_state(self) -> State:
        """Return the state for resuming. Open calls and endings are stored as the positions of the lines to read again."""
        open_calls = [*self.calls.values(), *self.running.values(), *self.cells.values()]
        positions = {position for call in open_calls for position in call.positions}
        positions |= {ending.position for ending in self.endings.values()}
        return {
            "lines": [list(position) for position in sorted(positions)],
            "calls": [[name, call.is_emitted] for name, call in self.calls.items()],
            "running": [[name, call.is_emitted] for name, call in self.running.items()],
            "cells": [[name, call.is_emitted] for name, call in self.cells.items()],
            "endings": [[name, False] for name in self.endings],
            "said": self.seen_texts.dump(),
            "subagents": sorted(self.subagents),
            "agent": self.agent,
            "named": self.has_header,
        }

    def _restore(self, progress: Progress) -> None:
        """Restore the state by reading the lines of open calls and endings again. Raises OSError, RewrittenError."""
        state = progress.state
        self.agent = "subagent" if state.get("agent") == "subagent" else "main"
        self.has_header = state.get("named") is True
        self.subagents |= {as_string(name) for name in as_list(state.get("subagents"))}
        for line_number, entry in reread_lines(self.path, progress):
            for _ in self._read_entry(entry, line_number):  # already emitted
                pass
        for key, open_calls in (("calls", self.calls), ("running", self.running), ("cells", self.cells)):
            emitted_by_id = {as_string(as_list(row)[0]): as_list(row)[1] is True for row in as_list(state.get(key))}
            for name in [name for name in open_calls if name not in emitted_by_id]:
                del open_calls[name]
            for name, call in open_calls.items():
                call.is_emitted = emitted_by_id[name]
        ending_ids = {as_string(as_list(row)[0]) for row in as_list(state.get("endings"))}
        for name in [name for name in self.endings if name not in ending_ids]:
            del self.endings[name]
        self.seen_texts = TextDeduplicator()
        self.seen_texts.restore(state.get("said"))

    def _read_header(self, payload: JsonObject) -> None:
        if self.has_header:  # the log of a fork contains a copy of the original's history, including its header
            return
        self.has_header = True
        if self.at_line:
            self.replayed_thread = as_string(payload.get("id")) if codex_subagents.has_copied_history(payload) else ""
            return
        self.session.session_id = as_string(payload.get("id")) or as_string(payload.get("session_id"))
        self.session.project = as_string(payload.get("cwd"))
        if "subagent" in as_object(payload.get("source")) or payload.get("thread_source") == "subagent":
            self.agent = "subagent"

    def _read_item(self, payload: JsonObject, line: int, at: int | None) -> Iterator[Observation]:
        kind = as_string(payload.get("type"))
        if kind == "message":
            role = payload.get("role")
            if role in ("user", "assistant"):
                for part in as_list(payload.get("content")):
                    yield from self._emit_text(
                        "user" if role == "user" else "assistant", as_object(part).get("text"), 0, line, at
                    )
            else:
                builders.emit_host_text(
                    *(as_string(as_object(part).get("text")) for part in as_list(payload.get("content")))
                )
        elif kind == "reasoning":
            for part in [*as_list(payload.get("summary")), *as_list(payload.get("content"))]:
                yield from self._emit_text("thinking", as_object(part).get("text"), 0, line, at)
        elif kind in _CALLS:
            self._open_call(payload, line, at)
        elif kind in _OUTPUTS:
            yield from self._handle_output(payload, line)
        elif kind == "web_search_call":
            yield self._build_web_search(payload, line, at)

    def _read_event(self, payload: JsonObject, line: int, at: int | None) -> Iterator[Observation]:
        kind = payload.get("type")
        if kind == "user_message":
            yield from self._emit_text("user", payload.get("message"), 1, line, at)
        elif kind == "agent_message":
            yield from self._emit_text("assistant", payload.get("message"), 1, line, at)
        elif kind in ("agent_reasoning", "agent_reasoning_raw_content"):
            yield from self._emit_text("thinking", payload.get("text"), 1, line, at)
        elif kind == "turn_aborted":
            yield Observation("user", line, end_line=line, at=at, agent=self.agent, source="user", outcome="aborted")
        elif script_call := codex_scripts.build_event_call(payload, line=line, at=at, agent=self.agent):
            for call in (*self.calls.values(), *self.cells.values()):
                call.is_emitted = call.is_emitted or call.name == codex_scripts.SCRIPT_TOOL
            yield script_call
        else:
            ending = Ending.parse(payload, self._get_position())
            if ending is not None:
                _put_bounded(self.endings, ending.call_id, ending)

    def _emit_text(self, kind: Kind, text: object, channel: int, line: int, at: int | None) -> Iterator[Observation]:
        """Emit a text once, even if the log contains it both as an item (channel 0) and as an event (channel 1)."""
        message = as_string(text)
        if kind == "user" and message.startswith(_IDE_CONTEXT):
            # Text that the user selected in the IDE may contain the heading as well, so the last one begins the request.
            ide_context, _, message = message.rpartition(_IDE_REQUEST)
            builders.emit_host_text(ide_context)
        if kind == "user":
            builders.record_skill(self.session, message, line, at)
        if kind == "user" and _CLIENT_ELEMENT.match(message) and not builders.extract_subagent_report(message):
            builders.emit_host_text(message)
            return
        if not message.strip():
            return
        if self.seen_texts.add(kind, message, channel) and (
            observation := builders.build_message(kind, message, line=line, at=at, agent=self.agent)
        ):
            yield observation

    def _open_call(self, payload: JsonObject, line: int, at: int | None) -> None:
        call_id = as_string(payload.get("call_id")) or as_string(payload.get("id"))
        name = as_string(payload.get("name")) or ("local_shell" if payload.get("type") == "local_shell_call" else "")
        inputs = parse_arguments(payload)
        # The headers of 2025 name no folder.
        self.session.project = self.session.project or as_string(inputs.get("workdir"))
        call = Call(call_id, line, at, name, inputs, positions=(self._get_position(),))
        _put_bounded(self.calls, call_id, call)

    def _handle_output(self, payload: JsonObject, line: int) -> Iterator[Observation]:
        call = self.calls.pop(as_string(payload.get("call_id")), None)
        if call is None:
            return
        if call.name == codex_scripts.SCRIPT_TOOL or "cell_id" in call.inputs:
            yield from self._finish_script(call, payload.get("output"), line)
        else:
            yield from self._finish_call(call, parse_result(payload.get("output")), line)

    def _finish_script(self, call: Call, output: object, line: int) -> Iterator[Observation]:
        """Process the result of ``exec`` or ``wait``: emit each wait, and the calls of the script once the script has ended."""
        printed = codex_scripts.parse_output(output)
        if call.name == codex_scripts.WAIT_TOOL:
            yield build_call(call, Result("\n".join(printed.texts)), None, line, self.agent)
            script_call = self.cells.pop(_get_id_argument(call, "cell_id"), None)
            if script_call is None:
                return
            script_call.positions += call.positions
            call = script_call
        call.positions += (self._get_position(),)
        printed = printed._replace(texts=(*call.texts, *printed.texts))
        if printed.cell:
            call.texts, call.is_continued = printed.texts, True
            _put_bounded(self.cells, printed.cell, call)
            return
        script_calls = [] if call.is_emitted else codex_scripts.parse_calls(call)
        if not script_calls and (printed.has_failed or not call.is_emitted):
            script_result = Result("\n".join(printed.texts), has_failed=printed.has_failed)
            yield build_call(call, script_result, None, line, self.agent)
        script = as_string(call.inputs.get("input"))
        for script_call, call_result in codex_scripts.assign_results(script_calls, printed, script):
            yield from self._finish_call(script_call, call_result, line)

    def _finish_call(self, call: Call, result: Result, line: int) -> Iterator[Observation]:
        """Process a call's result: emit each ``write_stdin`` call, and any other call once its process has ended."""
        if call.name == "write_stdin":
            yield build_call(call, result._replace(exit_code=None), None, line, self.agent)
            original_call = self.running.pop(_get_id_argument(call, "session_id"), None)
            if original_call is None:
                return
            original_call.positions += call.positions
            if (
                call.is_from_script
                and result.exit_code is None
                and not result.running_process
                and not result.has_failed
            ):
                # The script did not print whether the process has ended.
                result = result._replace(running_process=_get_id_argument(call, "session_id"))
            call = original_call
        ending = self.endings.pop(call.id, None)
        call.append_output(result.text)
        if result.running_process:
            call.is_continued = True
            call.positions += (self._get_position(),)
            _put_bounded(self.running, result.running_process, call)
            return
        yield build_call(call, result, ending, line, self.agent)
        if call.name == codex_subagents.SPAWN_TOOL:
            yield from self._read_subagent(codex_subagents.parse_subagent_id(result.text), call.line)

    def _read_subagent(self, subagent_id: str, line: int) -> Iterator[Observation]:
        """Emit a subagent's observations at the line of the call that started it."""
        if not subagent_id or subagent_id in self.subagents:
            return
        self.subagents.add(subagent_id)
        lines = self.session.lines
        try:
            log = codex_subagents.find_subagent_log(self.path, subagent_id)
            if log is not None:
                yield from _Rollout(log, self.session, self, line).read_observations()
        except OSError as error:
            add_warning(self.session, line, f"the log of subagent {subagent_id} cannot be read: {error.strerror}")
        self.session.lines = lines

    def _build_web_search(self, payload: JsonObject, line: int, at: int | None) -> Observation:
        action = as_object(payload.get("action"))
        query = get_first_string(action, "query", "url", "pattern")
        is_completed = payload.get("status") == "completed"
        return builders.build_tool_call(
            "web_search",
            "web",
            line=line,
            at=at,
            agent=self.agent,
            command=query,
            outcome="ok" if is_completed else "unknown",
        )

    def _emit_open_calls(self) -> Iterator[Observation]:
        """Emit the calls that have no final result at the end of the log: they were aborted, or have not ended."""
        open_calls = list(self.running.values())
        for call in [*self.calls.values(), *self.cells.values()]:
            script_calls = codex_scripts.parse_calls(call) if call.name == codex_scripts.SCRIPT_TOOL else []
            open_calls += [] if call.is_emitted else script_calls or [call]
        for call in sorted(open_calls, key=lambda call: call.line):
            ending = self.endings.pop(call.id, None)
            yield build_call(
                call, None, ending, max(call.line, (self.at_line or self.session.lines) if ending else 0), self.agent
            )


def _put_bounded(values: OrderedDict[str, T], name: str, value: T) -> None:
    """Store a value by name, and remove the oldest value if there are more than ``MAX_OPEN_CALLS``."""
    values[name] = value
    if len(values) > MAX_OPEN_CALLS:
        values.popitem(last=False)


def _get_id_argument(call: Call, name: str) -> str:
    """Return an argument that is an id, given as an integer or a string, as a string."""
    value = call.inputs.get(name)
    return str(as_integer(value)) if as_integer(value) is not None else as_string(value)
