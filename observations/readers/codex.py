"""Reader for Codex rollouts: JSONL of ``{timestamp, type, payload}``.

``line`` is the JSONL line; for a subagent's observations, it is the line of the call in the parent's rollout. Messages and actions are
in ``response_item`` lines. ``event_msg`` lines repeat most of them for the UI, and in older rollouts some are only there, so both
are read, and duplicates are removed. If a command has not ended when its first result is returned, ``write_stdin`` calls continue it:
their output is added to the command's output, and each of them is also an observation with the action ``other``. Each call of a
script is emitted separately. The script itself is emitted only if no calls were found in it, or if it failed after events had reported
its calls. In rollouts of 2025, items have no ``payload``.

A subagent's rollout is a file of its own (codex_files.py). The parent's log contains the subagent's id in the result of
``spawn_agent``, ``{"agent_id": "<id>", ...}`` (observed with 0.125 and 0.169), or in an event, if that result contains only the name
of the task (0.144). If there is no such event, the subagent's header has the name. The log of a subagent that received its parent's
history may begin with a copy of that history: up to the record whose number the header contains, up to the event that applies settings
to the subagent's own thread, or up to the first message or call that is not in the parent's log.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from mind_skills.observations import builders
from mind_skills.observations.builders import TextDeduplicator, UserMessages
from mind_skills.observations.codec import (
    JsonObject,
    as_integer,
    as_list,
    as_object,
    as_string,
    get_first_string,
    parse_object,
    parse_time,
)
from mind_skills.observations.logfile import add_warning, read_objects, reread_lines
from mind_skills.observations.model import (
    Agent,
    Kind,
    Observation,
    Position,
    Progress,
    Session,
    State,
    ToolOutcome,
    extend_span,
)
from mind_skills.observations.readers import codex_calls, codex_files
from mind_skills.observations.readers.codex_calls import Call, Ending, Result
from mind_skills.observations.readers.codex_files import Header
from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_OPEN_CALLS = 10_000
"""Maximum size of each of the mappings in which ``_Rollout`` stores calls and endings by id."""
MAX_BASES = 20
"""Maximum number of rollouts that precede one because the user edited prompts or forked the session."""
MAX_COPIED_RECORDS = 1_000_000
"""Maximum number of records of a parent whose keys are held in memory, as 8-byte hashes in a set."""

_ITEMS = frozenset({"message", "reasoning", "function_call", "function_call_output", "local_shell_call"})
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "tool_search_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "tool_search_output"})
_NAMES_BY_TYPE = {"local_shell_call": "local_shell", "tool_search_call": "tool_search"}
"""The names of tools whose calls contain none."""
_CLIENT_REASONS = frozenset({"budget_limited", "review_ended"})
"""Reasons for which the client ends a turn, other than an interruption by the user."""
_CLIENT_TEXT = compile_lazily(
    r"\s*(?:<([a-z]+_[a-z_]+)(?:\s[^<>]{0,200})?>.*</\1>|</?image\b[^<>]*>|"
    r"Warning: (?:The maximum number of unified exec processes|apply_patch was requested via ).*|"
    r"Review the (?:current code changes \(staged,|code changes (?:against the base branch '|introduced by commit )).*)\s*\Z",
    re.DOTALL,
)
"""A message that the client wrote: a single element such as ``<user_shell_command>``, to which each version adds more, a tag around
an image, a warning about how the model uses tools, or the prompt of a review (``/review``)."""
_USER_COMMAND = compile_lazily(r"\s*<user_shell_command>\s*<command>\n?(.*?)\n?</command>", re.DOTALL)
"""A command that the user ran in the client. Its output follows it in the same element."""
_PLAN_ACCEPTED = compile_lazily(
    r"\s*(?:Implement the plan\.\s*\Z|A previous agent produced the plan below to accomplish the user's task\. [^\n]*\n\s*(.*)"
    r"|PLEASE IMPLEMENT THIS PLAN:\s*\n(.*))",
    re.DOTALL,
)
"""The message with which a client carries out a plan that the user accepted. In a new context, the plan follows; in the app and in the
IDE, it follows also in the thread that planned."""
_SUMMARY = "Another language model started to solve this problem and produced a summary"
"""The beginning of the message with which a compacted history continues."""
_REQUEST_HEADING = "## My request for Codex:"
"""The heading of the user's text, if the client writes other sections before it, such as the files that are open in the IDE."""


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of a rollout, and fill the header of ``session``.

    Raises OSError, and RewrittenError if the rollout is not the one that ``session.progress`` belongs to.
    """
    yield from _Rollout(path, session).read_observations()


class _Rollout:
    """Reader state for one file. For a subagent's file, ``at_line`` is the line of all observations; otherwise it is 0."""

    def __init__(
        self,
        path: Path,
        session: Session,
        parent: _Rollout | None = None,
        at_line: int = 0,
        agent: Agent = "main",
        end: int | None = None,
    ) -> None:
        """For a rollout that is read as a part of ``parent``, all observations are at ``at_line``. It ends at the record ``end``."""
        self.path, self.session, self.parent, self.at_line, self.end = path, session, parent, at_line, end
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.agent: Agent = agent
        self.has_header = False
        self.header = Header()
        self.number = 0
        """The number of the record that is being read. Its time follows, in UTC milliseconds."""
        self.at: int | None = None
        self.is_copy = False
        """Whether the records are a copy of the parent's, with which the log of a subagent may begin."""
        self.copied_keys: set[int] | None = None
        """The keys of the parent's records; None if they have not been read, or if the parent's log is missing."""
        self.cut: int | None = None
        """The number of the first record that the user took back by editing a prompt."""
        self.subagents: set[str] = set() if parent is None else parent.subagents
        """Ids of the subagents whose logs have been read. All rollouts of a session share this set."""
        self.reported_spawns: set[str] = set()
        """The ids of the calls that started the subagents that events name."""
        self.calls: OrderedDict[str, Call] = OrderedDict()
        """Calls without a result, by call id."""
        self.running: OrderedDict[str, Call] = OrderedDict()
        """Commands that have not ended, by process id."""
        self.cells: OrderedDict[str, Call] = OrderedDict()
        """Scripts that have not ended, by cell id."""
        self.endings: OrderedDict[str, Ending] = OrderedDict()
        """Reported ends of calls that have not been emitted, by call id."""
        self.seen_texts = TextDeduplicator()
        self.turns: list[int] = []
        """The lines of the messages that began the user's turns, except those that were taken back."""
        self.user_messages = UserMessages()
        self.progress = session.progress if parent is None else None

    def read_observations(self) -> Iterator[Observation]:
        if self.progress is not None:
            self._restore(self.progress)
            self.progress.register_state_function(self._dump_state)
        for line_number, entry in read_objects(self.path, self.session):
            number = as_integer(entry.get("ordinal"))
            self.number = line_number - 1 if number is None else number
            if self.end is not None and self.number >= self.end:
                break
            yield from self._read_entry(entry, line_number)
        yield from self._emit_open_calls()
        self.session.session_id = self.session.session_id or self.path.stem

    def _read_entry(self, entry: JsonObject, line_number: int) -> Iterator[Observation]:
        self.at = at = parse_time(entry.get("timestamp"))
        line = self.at_line or line_number
        kind, payload = as_string(entry.get("type")), as_object(entry.get("payload"))
        if self.is_copy and self._is_copied(entry, payload):
            return
        extend_span(self.session, at)
        if kind == "session_meta" or (not payload and "instructions" in entry):
            yield from self._read_header(payload or entry, line)
        elif kind == "turn_context":
            self.session.project = self.session.project or as_string(payload.get("cwd"))
        elif kind == "response_item" or (not payload and kind in _ITEMS):
            yield from self._read_item(payload or entry, line, at)
        elif kind == "event_msg":
            yield from self._read_event(payload, line, at)

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
            "turns": list(self.turns),
            "messages": self.user_messages.dump(),
            "subagents": sorted(self.subagents),
            "agent": self.agent,
            "header": [list(self.header), self.is_copy, self.cut] if self.has_header else [],
        }

    def _restore(self, progress: Progress) -> None:
        """Restore the state by reading the lines of open calls and endings again. Raises OSError, RewrittenError."""
        state = progress.state
        self.agent = "subagent" if state.get("agent") == "subagent" else "main"
        if header := as_list(state.get("header")):
            self.has_header, self.header = True, Header(*as_list(header[0]))  # type: ignore[arg-type] # we wrote them
            self.is_copy, self.cut = header[1] is True, as_integer(header[2])
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
        self.turns = [as_integer(line) or 0 for line in as_list(state.get("turns"))]
        self.user_messages.restore(state.get("messages"), progress.saved_observations)

    def _read_header(self, payload: JsonObject, line: int) -> Iterator[Observation]:
        """Read the header, and emit the rollout that precedes this one, if there is one.

        A second header shows that a copy of another thread's history follows.
        """
        header = codex_files.parse_header(payload, self.at)
        if self.has_header:
            self.is_copy = self.is_copy or (self.agent == "subagent" and header.thread_id != self.header.thread_id)
            return
        self.has_header, self.header = True, header
        if not self.at_line:
            self.session.session_id = header.thread_id
            self.session.project = as_string(payload.get("cwd"))
            self.agent = "subagent" if header.is_subagent else "main"
        if self.agent == "subagent":
            self.is_copy = bool(header.forked_from or header.start_ordinal) and not header.base_id
            return
        self.cut = codex_files.find_cut(self.path, header)
        if codex_files.is_id(header.base_id) and self.depth < MAX_BASES:
            log = codex_files.find_log(self.path, header.base_id, later=False)
            yield from self._read_part(log, line, "main", header.base_end)

    def _is_copied(self, entry: JsonObject, payload: JsonObject) -> bool:
        """Return whether a record is a part of the parent's history; at the first one that is not, the copy ends."""
        if (payload.get("type"), payload.get("thread_id")) == ("thread_settings_applied", self.header.thread_id):
            self.is_copy = False
            return True
        start = self.header.start_ordinal
        if start is not None and as_integer(entry.get("ordinal")) is not None:
            self.is_copy = self.number < start
            return self.is_copy
        if self.copied_keys is None and (log := self._find_parent_log()) is not None:
            records = islice(read_objects(log, Session()), MAX_COPIED_RECORDS)
            self.copied_keys = {
                hash(get_record_key(as_object(record.get("payload")) or record)) for _, record in records
            }
        if self.copied_keys is None:
            self.is_copy = self.at is None or self.header.at is None or self.at < self.header.at
        elif key := get_record_key(payload or entry):
            self.is_copy = hash(key) in self.copied_keys
        return self.is_copy

    def _find_parent_log(self) -> Path | None:
        if self.parent is not None:
            return self.parent.path
        parent_id = self.header.parent_id or self.header.forked_from
        return codex_files.find_log(self.path, parent_id, later=False) if codex_files.is_id(parent_id) else None

    def _read_item(self, payload: JsonObject, line: int, at: int | None) -> Iterator[Observation]:
        kind = as_string(payload.get("type"))
        if kind == "message":
            texts = [as_string(as_object(part).get("text")) for part in as_list(payload.get("content"))]
            if payload.get("role") in ("user", "assistant"):
                message_kind: Kind = "user" if payload.get("role") == "user" else "assistant"
                for text in texts:
                    yield from self._emit_text(message_kind, text, 0, line, at)
                own_texts = [text for text in texts if text and not _CLIENT_TEXT.match(text)]
                if message_kind == "user" and len(own_texts) > 1:  # an event contains them as one text
                    self.seen_texts.add("user", "".join(own_texts), 0)
        elif kind == "reasoning":
            for part in [*as_list(payload.get("summary")), *as_list(payload.get("content"))]:
                yield from self._emit_text("thinking", as_object(part).get("text"), 0, line, at)
        elif kind in _CALLS:
            self._open_call(payload, line, at)
        elif kind in _OUTPUTS:
            yield from self._handle_output(payload, line)
        elif kind == "web_search_call":
            yield self._build_web_search(payload, line, at)
        elif kind == "agent_message":
            message = "\n".join(as_string(as_object(part).get("text")) for part in as_list(payload.get("content")))
            if report := message.partition("\nPayload:\n")[2].strip():
                yield builders.build_subagent_report(report, line=line, at=at)

    def _read_event(self, payload: JsonObject, line: int, at: int | None) -> Iterator[Observation]:
        kind = payload.get("type")
        if kind == "user_message":
            yield from self._emit_text("user", payload.get("message"), 1, line, at)
        elif kind == "agent_message":
            yield from self._emit_text("assistant", payload.get("message"), 1, line, at)
        elif kind in ("agent_reasoning", "agent_reasoning_raw_content"):
            yield from self._emit_text("thinking", payload.get("text"), 1, line, at)
        elif kind == "sub_agent_activity" and payload.get("kind") == "started":
            call = self.calls.get(as_string(payload.get("event_id")))
            self.reported_spawns.add(as_string(payload.get("event_id")))
            yield from self._read_subagent(as_string(payload.get("agent_thread_id")), call.line if call else line)
        elif kind == "thread_rolled_back":
            count = max(0, as_integer(payload.get("num_turns")) or 0)
            taken_back = self.turns[-count:] if count else []
            del self.turns[len(self.turns) - len(taken_back) :]
            self.user_messages.remove(taken_back)
        elif kind == "turn_aborted" and as_string(payload.get("reason")) not in _CLIENT_REASONS:
            yield Observation("user", line, end_line=line, at=at, agent=self.agent, source="user", outcome="aborted")
        elif running := self.running.pop(codex_calls.get_process(payload), None):
            ending = Ending.parse(payload, self._get_position())
            running.printed = (ending.text if ending else "") or running.printed
            yield codex_calls.build_call(running, None, ending, line, self.agent)
        elif script_call := codex_calls.build_event_call(payload, line=line, at=at, agent=self.agent):
            for call in (*self.calls.values(), *self.cells.values()):
                call.is_emitted = call.is_emitted or call.name == codex_calls.SCRIPT_TOOL
            yield script_call
        else:
            ending = Ending.parse(payload, self._get_position())
            if ending is not None:
                builders.put_bounded(self.endings, ending.call_id, ending, MAX_OPEN_CALLS)

    def _emit_text(self, kind: Kind, text: object, channel: int, line: int, at: int | None) -> Iterator[Observation]:
        """Emit a text once, even if the log contains it both as an item (channel 0) and as an event (channel 1)."""
        message = as_string(text)
        if kind == "user":
            if _REQUEST_HEADING in message and message.lstrip().startswith("#"):
                # Text that the user selected in the IDE may contain the heading as well, so the last one begins the request.
                message = message.rpartition(_REQUEST_HEADING)[2]
            builders.record_skill(self.session, message, line, at)
            if _USER_COMMAND.match(message) or message.lstrip().startswith(_SUMMARY):
                return
            if plan := _PLAN_ACCEPTED.match(message):
                text_of_plan = plan[1] or ("" if self.turns else plan[2]) or ""
                self._begin_turn(line)
                yield from self._emit_plan(text_of_plan, channel, line, at)
                return
            if _CLIENT_TEXT.match(message) and not builders.extract_subagent_report(message):
                return
        is_new = message.strip() and self.seen_texts.add(kind, message, channel)
        if is_new and (observation := builders.build_message(kind, message, line=line, at=at, agent=self.agent)):
            if observation.kind == "user":
                if self.cut is not None and self.number >= self.cut:
                    return
                self._begin_turn(line)
                self.user_messages.add(line, observation)
            yield observation

    def _begin_turn(self, line: int) -> None:
        if self.turns[-1:] != [line]:  # a message may have several texts
            self.turns.append(line)
            del self.turns[: -builders.MAX_TURNS]

    def _emit_plan(self, plan: str, channel: int, line: int, at: int | None) -> Iterator[Observation]:
        """Emit a plan that is carried out in a new context as the session's request, in the words of an agent."""
        is_new = plan and self.seen_texts.add("user", plan, channel)
        if is_new and (request := builders.build_message("user", plan, line=line, at=at, agent=self.agent)):
            request.source = "agent"
            yield request

    def _open_call(self, payload: JsonObject, line: int, at: int | None) -> None:
        call_id = as_string(payload.get("call_id")) or as_string(payload.get("id"))
        name = codex_calls.name_tool(as_string(payload.get("name")), as_string(payload.get("namespace")))
        name = name or _NAMES_BY_TYPE.get(as_string(payload.get("type")), "")
        inputs = codex_calls.parse_arguments(payload)
        # The headers of 2025 name no folder.
        self.session.project = self.session.project or as_string(inputs.get("workdir"))
        call = Call(call_id, line, at, name, inputs, positions=(self._get_position(),))
        builders.put_bounded(self.calls, call_id, call, MAX_OPEN_CALLS)

    def _handle_output(self, payload: JsonObject, line: int) -> Iterator[Observation]:
        call = self.calls.pop(as_string(payload.get("call_id")), None)
        if call is None:
            return
        output = payload.get("output")
        if call.name == codex_calls.SCRIPT_TOOL or (call.name == codex_calls.WAIT_TOOL and "cell_id" in call.inputs):
            yield from self._finish_script(call, output, line)
        else:
            tools = as_list(payload.get("tools"))
            result = codex_calls.parse_tool_list(tools) if tools else codex_calls.parse_result(output)
            yield from self._finish_call(call, result, line)

    def _finish_script(self, call: Call, output: object, line: int) -> Iterator[Observation]:
        """Process the result of ``exec`` or ``wait``: emit each wait, and the calls of the script once the script has ended."""
        printed = codex_calls.parse_script_output(output)
        wait = call if call.name == codex_calls.WAIT_TOOL else None
        call = call if wait is None else self.cells.pop(_get_id_argument(call, "cell_id"), call)
        calls = codex_calls.parse_script_calls(call)
        text = "\n".join(printed.texts)
        is_untrusted = codex_calls.is_script_untrusted(call, calls)
        if wait is not None:
            yield codex_calls.build_call(wait, Result(text, has_other_content=is_untrusted), None, line, self.agent)
            if wait is call:  # the script is unknown
                return
            call.positions += wait.positions
        call.positions += (self._get_position(),)
        printed = printed._replace(texts=(*call.texts, *printed.texts))
        if printed.cell:
            call.texts, call.is_continued = printed.texts, True
            builders.put_bounded(self.cells, printed.cell, call, MAX_OPEN_CALLS)
            return
        has_events = call.is_emitted
        if (not calls and not has_events) or (printed.has_failed and (has_events or not calls)):
            text = "\n".join(printed.texts)
            script_result = Result(text, has_failed=printed.has_failed, has_other_content=is_untrusted)
            yield codex_calls.build_call(call, script_result, None, line, self.agent)
        script = as_string(call.inputs.get("input"))
        if has_events and printed.has_failed:
            return
        for script_call, call_result in codex_calls.assign_results(calls, printed, script, is_untrusted=is_untrusted):
            if has_events and codex_calls.is_reported(script_call):
                continue
            script_call.is_continued, script_call.positions = call.is_continued, call.positions
            yield from self._finish_call(script_call, call_result, line)

    def _finish_call(self, call: Call, result: Result, line: int) -> Iterator[Observation]:
        """Process a call's result: emit each ``write_stdin`` call, and any other call once its process has ended."""
        if call.name == "write_stdin":
            original_call = self.running.pop(_get_id_argument(call, "session_id"), None)
            if original_call is not None:
                codex_calls.note_input(original_call, call)
            is_untrusted = original_call is not None and codex_calls.is_untrusted(original_call, result.text)
            printed = result._replace(exit_code=None, has_other_content=is_untrusted)
            yield codex_calls.build_call(call, printed, None, line, self.agent)
            if original_call is None:
                return
            original_call.positions += call.positions
            if not (result.status or call.is_from_script):  # the input was refused, and the process has not ended
                builders.put_bounded(self.running, _get_id_argument(call, "session_id"), original_call, MAX_OPEN_CALLS)
                return
            has_ended = result.exit_code is not None or result.has_failed
            if call.is_from_script and not has_ended and not result.running_process:
                # The script did not print whether the process has ended.
                result = result._replace(running_process=_get_id_argument(call, "session_id"))
            call = original_call
        ending = self.endings.pop(call.id, None)
        call.append_output(result.text)
        if result.running_process:
            call.is_continued = True
            call.positions += (self._get_position(),)
            builders.put_bounded(self.running, result.running_process, call, MAX_OPEN_CALLS)
            return
        typed = codex_calls.list_typed_answers(call, result.text)
        call.printed = builders.remove_typed_texts(call.printed, typed, call.inputs)
        yield codex_calls.build_call(call, result, ending, line, self.agent)
        for text in typed:
            if observation := builders.build_message("user", text, line=line, at=self.at, agent=self.agent):
                self.user_messages.add(self.turns[-1] if self.turns else 0, observation)
                yield observation
        if call.name == "spawn_agent":
            spawned = parse_object(result.text)
            if as_string(spawned.get("agent_id")):
                yield from self._read_subagent(as_string(spawned.get("agent_id")), call.line)
            elif call.id not in self.reported_spawns:
                yield from self._read_task(as_string(spawned.get("task_name")), call.line)

    def _read_subagent(self, subagent_id: str, line: int) -> Iterator[Observation]:
        """Emit a subagent's observations at the line of the call that started it."""
        if codex_files.is_id(subagent_id) and subagent_id not in self.subagents:
            self.subagents.add(subagent_id)
            try:
                log = codex_files.find_log(self.path, subagent_id, later=True)
                yield from self._read_part(log, line, "subagent")
            except OSError as error:
                add_warning(self.session, line, f"the log of subagent {subagent_id} cannot be read: {error.strerror}")

    def _read_task(self, name: str, line: int) -> Iterator[Observation]:
        """Emit a subagent's observations, given the name of its task."""
        children = codex_files.list_children(self.path, self.header.thread_id, name) if name else ()
        yield from self._read_subagent(next((child for child in children if child not in self.subagents), ""), line)

    def _read_part(self, log: Path | None, line: int, agent: Agent, end: int | None = None) -> Iterator[Observation]:
        """Emit the observations of another rollout, up to the record ``end``, at a line of this one. Raises OSError."""
        if log is not None:
            lines = self.session.lines
            yield from _Rollout(log, self.session, self, line, agent, end).read_observations()
            self.session.lines = lines

    def _build_web_search(self, payload: JsonObject, line: int, at: int | None) -> Observation:
        action = as_object(payload.get("action"))
        query = get_first_string(action, "query", "url", "pattern") or "; ".join(
            map(as_string, as_list(action.get("queries")))
        )
        outcomes: dict[str, ToolOutcome] = {"completed": "ok", "failed": "failed"}
        outcome = outcomes.get(as_string(payload.get("status")), "unknown")
        return builders.build_tool_call(
            "web_search", "web", line=line, at=at, agent=self.agent, command=query, outcome=outcome
        )

    def _emit_open_calls(self) -> Iterator[Observation]:
        """Emit the calls that have no final result at the end of the log: they were aborted, or have not ended."""
        open_calls = list(self.running.values())
        for call in [*self.calls.values(), *self.cells.values()]:
            script_calls = codex_calls.parse_script_calls(call) if call.name == codex_calls.SCRIPT_TOOL else []
            open_calls += [] if call.is_emitted else script_calls or [call]
        for call in sorted(open_calls, key=lambda call: call.line):
            ending = self.endings.pop(call.id, None)
            yield codex_calls.build_call(
                call, None, ending, max(call.line, (self.at_line or self.session.lines) if ending else 0), self.agent
            )


def get_record_key(payload: JsonObject) -> str:
    """Return what identifies a record in a copy: the id of a call, or the text of a message; empty for other records."""
    kind = as_string(payload.get("type"))
    if kind in _CALLS or kind in _OUTPUTS:
        return f"{kind} {as_string(payload.get('call_id'))}"
    if kind in ("user_message", "agent_message"):
        text = as_string(payload.get("message"))
        return f"{'user' if kind == 'user_message' else 'assistant'} {text}" if text else ""
    if kind != "message" or payload.get("role") not in ("user", "assistant"):
        return ""
    texts = [as_string(as_object(part).get("text")) for part in as_list(payload.get("content"))]
    text = "".join(text for text in texts if text and not _CLIENT_TEXT.match(text))
    # A compacted history is written into the copy only.
    return f"{payload.get('role')} {text}" if text and not text.lstrip().startswith(_SUMMARY) else ""


def _get_id_argument(call: Call, name: str) -> str:
    """Return an argument that is an id, given as an integer or a string, as a string."""
    value = call.inputs.get(name)
    return str(as_integer(value)) if as_integer(value) is not None else as_string(value)
