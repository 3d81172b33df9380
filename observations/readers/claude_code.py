"""Reader for Claude Code transcripts: JSONL with one content block per line; subagents have separate files.

``line`` is the JSONL line; for a subagent's observations, it is the line of the call in the parent's transcript. The format is
internal to the client, so unknown line types are ignored. Messages are in ``user`` and ``assistant`` lines; messages sent while the
agent works are in ``queue-operation`` and ``attachment`` lines. A background command is emitted when its end is reported, or at the
end of the log. Hook output, snapshots and progress lines do not become observations, because they only contain machine text and our
own output.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mind_skills.hosts.claude_code import SPEC
from mind_skills.observations import builders
from mind_skills.observations.builders import TextDeduplicator, UserMessages
from mind_skills.observations.codec import (
    JsonObject,
    as_integer,
    as_list,
    as_object,
    as_string,
    get_first_string,
    parse_time,
)
from mind_skills.observations.logfile import add_warning, read_objects, reread_lines
from mind_skills.observations.model import (
    Action,
    Agent,
    Kind,
    Observation,
    Position,
    Progress,
    Session,
    Source,
    State,
    ToolOutcome,
    extend_span,
)
from mind_skills.observations.readers import claude_files
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.store.project import digest_text

MAX_SEEN_IDS = 100_000
"""Maximum number of ids of lines and blocks that are stored to detect the lines that a resume repeats. They are repeated near the
originals, and without a limit, memory use would grow with the file."""
MAX_OPEN_CALLS = 10_000
"""Maximum number of calls without a result, and of running background commands, that are stored."""
MAX_PREDECESSORS = 8
"""Maximum number of transcripts that a session continues."""
MAX_EARLY_RESULTS = 10
"""Maximum number of results that are stored until the line with their call is read. In real logs, it is one of the next two lines."""
MAX_QUEUED = 1_000
"""Maximum number of queued texts that are stored."""
SYNTHETIC = "<synthetic>"
"""The model named in messages that the client writes on behalf of the agent: API errors and interruptions."""

_EXIT_CODE = compile_lazily(r"\s*(?:Error: )?Exit code (-?\d+)")
_CLIENT_COMMAND = compile_lazily(r"\s*/[a-z][\w:-]*(?:\s|\Z)")
"""A queued command for the client, such as ``/clear``."""
_TASK_NOTE = '{"task_id"'
"""The client's note that a background task was started."""
_MACHINE_TEXT = compile_lazily(r"\s*(?:<task-notification|\{\"task_id\")")
_REJECTED = compile_lazily(
    r"\s*(?:The user doesn't want to (?:proceed|take this action)|User chose to stay in plan mode)"
)
_FEEDBACK = compile_lazily(r"[^\n]{0,400}the user said:\n(.*?)(?:\n\nNote: The user's next message|\Z)", re.DOTALL)
"""What the user wrote when rejecting a call."""
_ABORTED = compile_lazily(
    r"\s*(?:\[Request interrupted by user|<tool_use_error>(?:Sibling tool call|Cancelled|Error: Streaming fallback)|"
    r"Interrupted by user)"
)
_DENIED = compile_lazily(
    r"\s*(?:Permission (?:to use|for this \w+ (?:was|has been) denied)\b|Claude requested permissions|"
    r"PreToolUse:\w+ hook error|This agent is isolated in the worktree|The server-side auto mode classifier gave no verdict|"
    r"<tool_use_error>Blocked:|.{0,80}(?:\bwas blocked\b|requires approval|auto mode cannot determine the safety))"
)
_DENIALS: dict[str, ToolOutcome] = {"user-rejected": "rejected", "interrupted": "aborted", "cancelled": "aborted"}
"""Outcomes by the kind of a denial, which clients record since 2.1.204. Any other kind is a denial by a rule, a hook or auto mode,
whose reason may have any form."""
_BACKGROUND = compile_lazily(
    r"^[^\S\n]*(?:Command (?:running|was manually|exceeded|did not|timed out)[^\n]{1,200}?\bID: |Monitor started \(task )"
    r"([\w-]{1,80})",
    re.MULTILINE,
)
"""The client's note that a command is running in the background: because the agent or the user asked for it, or after a time limit. The
command's output so far may precede the note."""
_TASK_ID = compile_lazily(r"<task-id>([\w-]{1,80})</task-id>")
_TASK_STATUS = compile_lazily(r"<status>(\w{1,20})</status>")
_TASK_SUMMARY = compile_lazily(r"<summary>([^<]{1,2000})</summary>")
_TASK_EXIT_CODE = compile_lazily(r"<exit_code>(-?\d{1,10})</exit_code>|\bexit (?:code )?(-?\d{1,10})\)?</summary>")
_TASK_OUTPUT = compile_lazily(r"<(output|stdout|stderr)>\n?(.*?)(?:</\1>|\Z)", re.DOTALL)
_STOPPED = frozenset({"killed", "stopped", "cancelled"})
_STOP_TOOLS = frozenset({"TaskStop", "KillShell", "KillBash"})
_CLIENT = "auto-continuation"
"""The origin of messages that the client itself writes, for example to carry out a plan in a new context. Their ``promptSource``, and
that of scheduled prompts and notes about stopped agents, is ``system``."""
_PLAN_COMMENT = "\n\nUser feedback on this plan: "
_NOTES_ONLY = "(notes only)"
"""The client's answer to a question for which the user chose no answer, but wrote a note."""
_COMMAND_KEYS = ("command", "pattern", "url", "query", "skill", "plan", "subject", "description", "prompt")


class Call(NamedTuple):
    """A tool call that has no result yet."""

    line: int
    at: int | None
    name: str
    inputs: JsonObject
    agent: Agent
    position: Position = (0, 0)
    """Line number and offset in the log."""


class Result(NamedTuple):
    """A call's result: its block, and the log's entry that contains the block."""

    part: JsonObject
    entry: JsonObject
    position: Position
    """Line number and offset in the log."""


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of a transcript and its subagents, and fill the header of ``session``.

    A subagent file that cannot be read only adds a warning. Raises OSError, and RewrittenError if the transcript is not the one that
    ``session.progress`` belongs to.
    """
    session.session_id = path.stem
    yield from _Transcript(path, session).read_observations()


class _Transcript:
    """Reader state for one file. For a subagent's file, ``at_line`` is the line of all observations; otherwise it is 0."""

    def __init__(
        self,
        path: Path,
        session: Session,
        agent: Agent = "main",
        at_line: int = 0,
        successors: tuple[Path, ...] = (),
    ) -> None:
        """``successors`` are the transcripts in which this one goes on, the next one first."""
        self.path, self.session, self.agent, self.at_line, self.successors = path, session, agent, at_line, successors
        self.seen_ids: OrderedDict[str, None] = OrderedDict()
        self.calls: OrderedDict[str, Call] = OrderedDict()
        self.early_results: OrderedDict[str, Result] = OrderedDict()
        """Results without a call so far, by call id. The client may write the two lines in either order."""
        self.background = _Background()
        self.queue: list[tuple[str, Position]] = []
        """Queued texts, each with its position in the log."""
        self.queued_texts = TextDeduplicator()
        self.turns = _Turns()
        self.subagents = claude_files.find_subagent_logs(path) if agent == "main" else {}
        self.finished_subagents: list[str] = []
        """Ids of the subagents whose logs have been read."""
        self.progress = session.progress if agent == "main" and not at_line else None

    def read_observations(self) -> Iterator[Observation]:
        if self.progress is not None:
            self._restore(self.progress)
            self.progress.register_state_function(self._dump_state)
        if self.agent == "main" and (self.progress is None or self.progress.mark is None):
            yield from self._read_predecessor()
        for line_number, entry in read_objects(self.path, self.session):
            if entry.get("type") == "continued-in" and self._is_end(entry):
                break
            yield from self._read_entry(entry, line_number)
        for call in self.calls.values():
            yield build_tool_call(call, "", None, "aborted", call.line)
        for call, output in self.background.running.values():  # the log does not show whether they ended
            yield build_tool_call(call, output, None, "unknown", call.line)
        for agent_id in sorted(self.subagents):
            yield from self._read_subagent(agent_id, max(1, self.session.lines))

    def _read_entry(self, entry: JsonObject, line_number: int) -> Iterator[Observation]:
        kind, line = entry.get("type"), self.at_line or line_number
        if self.agent == "main" and (uuid := entry.get("uuid")):
            self.turns.add_entry(uuid, entry)
        attachment = as_object(entry.get("attachment"))
        if self.background.running and not (_is_from_others(entry) or _is_from_others(attachment)):
            notification = as_string(entry.get("content")) or as_string(as_object(entry.get("message")).get("content"))
            notification = notification or _get_text(attachment.get("prompt"))
            yield from self.background.read_notification(notification, line)
        if kind == "attachment":
            yield from self._read_attachment(entry, line)
        elif kind == "queue-operation":
            yield from self._update_queue(entry, line)
        if kind not in ("user", "assistant") or self._is_repeated(as_string(entry.get("uuid"))):
            return
        message = as_object(entry.get("message"))
        if message.get("model") == SYNTHETIC:
            return
        at = self._update_header(entry)
        yield from self._read_blocks(entry, message, as_string(kind), line, at)

    def _read_predecessor(self) -> Iterator[Observation]:
        """Emit the observations of the session that goes on in this one, all at the first line. It may have been copied, too."""
        log = claude_files.find_predecessor(self.path) if len(self.successors) < MAX_PREDECESSORS else None
        if log is not None and log not in self.successors:
            predecessor = _Transcript(log, self.session, "main", 1, (self.path, *self.successors))
            predecessor.seen_ids = self.seen_ids
            try:
                yield from predecessor.read_observations()
            except OSError as error:
                add_warning(self.session, 1, f"the previous transcript {log.name} cannot be read: {error.strerror}")

    def _is_end(self, entry: JsonObject) -> bool:
        """Return whether an entry says that this transcript goes on in the one that is read next."""
        return bool(self.successors) and entry.get("continuedInSessionId") == self.successors[0].stem

    def _get_position(self) -> Position:
        return (0, 0) if self.progress is None else self.progress.position

    def _dump_state(self) -> State:
        """Return the state for resuming. Open calls and queued texts are stored as the positions of the lines to read again."""
        positions = [call.position for call in self.calls.values()]
        for command_positions in self.background.positions.values():
            positions += command_positions
        positions += [result.position for result in self.early_results.values()]
        positions += [position for _, position in self.queue]
        return {
            "lines": [list(position) for position in sorted(set(positions))],
            "calls": [*self.calls, *self.early_results],
            "background": list(self.background.running),
            "seen": list(self.seen_ids),
            "meanwhile": self.queued_texts.dump(),
            "turns": self.turns.dump(),
            "subagents": list(self.finished_subagents),
        }

    def _restore(self, progress: Progress) -> None:
        """Restore the state by reading the lines of open calls and queued texts again. Raises OSError, RewrittenError."""
        state = progress.state
        for agent_id in as_list(state.get("subagents")):
            self.finished_subagents.append(as_string(agent_id))
            self.subagents.pop(as_string(agent_id), None)
        subagents, self.subagents = self.subagents, {}
        for line_number, entry in reread_lines(self.path, progress):
            for _ in self._read_entry(entry, line_number):  # already emitted
                pass
        self.subagents = subagents
        open_ids = {as_string(call_id) for call_id in as_list(state.get("calls"))}
        for opened in (self.calls, self.early_results):
            for call_id in [call_id for call_id in opened if call_id not in open_ids]:
                del opened[call_id]
        self.background.keep({as_string(task_id) for task_id in as_list(state.get("background"))})
        self.seen_ids = OrderedDict.fromkeys([as_string(seen_id) for seen_id in as_list(state.get("seen"))])
        self.queued_texts = TextDeduplicator()
        self.queued_texts.restore(state.get("meanwhile"))
        self.turns = _Turns()
        self.turns.restore(as_list(state.get("turns")), progress.saved_observations)

    def _read_attachment(self, entry: JsonObject, line: int) -> Iterator[Observation]:
        attachment = as_object(entry.get("attachment"))
        source = get_attachment_source(attachment, as_string(entry.get("cwd")), self.session.project)
        if source != "local" and not self._is_repeated(as_string(entry.get("uuid"))):
            text, at = "\n".join(_iterate_strings(_get_content(attachment))), parse_time(entry.get("timestamp"))
            name, file = as_string(attachment.get("type")), _get_attached_file(attachment)
            yield builders.build_attachment(name, text, source, line=line, at=at, file=file)
        if attachment.get("type") == "queued_command" and not self._is_repeated(as_string(entry.get("uuid"))):
            text = _get_text(attachment.get("prompt"))
            is_from_client = _is_from_client(attachment) and not builders.extract_subagent_report(text)
            if is_from_client or _is_from_others(attachment):
                return
            yield from self._emit_queued(text, 0, entry, line)

    def _update_queue(self, entry: JsonObject, line: int) -> Iterator[Observation]:
        """Update the queue of user messages and subagent reports that arrive while the agent works.

        If a line that removes a text from the queue does not contain the text, the oldest user message is removed, or else the oldest
        machine text. ``dequeue`` removes a text at the end of a turn, and a line with the message follows. ``remove`` passes a text
        to the agent during the turn; newer clients then write an attachment as well, whereas older clients write no other line.
        """
        operation, content = as_string(entry.get("operation")), as_string(entry.get("content"))
        if operation == "enqueue" and content:
            self.queue.append((content, self._get_position()))
            del self.queue[:-MAX_QUEUED]
        elif operation == "popAll":  # the user withdrew the queued messages
            self.queue.clear()
        elif operation in ("dequeue", "remove"):
            queued = [text for text, _ in self.queue]
            user_texts = [text for text in queued if not _MACHINE_TEXT.match(text)]
            text = content or next(iter(user_texts or queued), "")
            if text in queued:
                del self.queue[queued.index(text)]
            if operation == "remove":
                yield from self._emit_queued(text, 1, entry, line)

    def _emit_queued(self, text: str, channel: int, entry: JsonObject, line: int) -> Iterator[Observation]:
        if not text.strip() or not self.queued_texts.add("user", text.strip(), channel):
            return
        if _CLIENT_COMMAND.match(text) or text.startswith(_TASK_NOTE):
            return
        at = parse_time(entry.get("timestamp"))
        agent = self._get_agent(entry)
        if observation := builders.build_message("user", text, line=line, at=at, agent=agent):
            self.turns.add_message(observation)
            yield observation

    def _get_agent(self, entry: JsonObject) -> Agent:
        return "subagent" if self.agent == "subagent" or entry.get("isSidechain") is True else "main"

    def _is_repeated(self, uuid: str) -> bool:
        return bool(uuid) and not builders.add_if_new(self.seen_ids, uuid, MAX_SEEN_IDS)

    def _is_copy(self, part: JsonObject, at: int | None) -> bool:
        """Return whether an earlier line contained this block. A resume in the IDE (observed with 2.1.14) writes the lines of the
        session again, with their times but with new ids, and one line for each block.
        """
        block_id = get_first_string(part, "id", "tool_use_id") or digest_text(
            get_first_string(part, "text", "thinking")
        )
        is_new = builders.add_if_new(self.seen_ids, f"{at} {part.get('type')} {block_id}", MAX_SEEN_IDS)
        # In an imported log, all lines have the same time, so blocks of the same time may only look alike.
        return not is_new and at is not None and at < (self.session.ended or 0)

    def _update_header(self, entry: JsonObject) -> int | None:
        at = parse_time(entry.get("timestamp"))
        session = self.session
        session.known_files.folder = as_string(entry.get("cwd"))
        if self.agent == "main":
            if not session.project:
                session.project = as_string(entry.get("cwd"))
            # The file of a resumed session may begin with lines of older sessions. The last id is this session's.
            session.session_id = as_string(entry.get("sessionId")) or session.session_id
        extend_span(session, at)
        return at

    def _read_blocks(
        self, entry: JsonObject, message: JsonObject, role: str, line: int, at: int | None
    ) -> Iterator[Observation]:
        agent = self._get_agent(entry)
        content = message.get("content")
        plan = as_string(entry.get("planContent"))
        is_mixed_text = entry.get("isCompactSummary") is True or _is_from_others(entry)
        is_from_client = _is_from_client(entry)
        is_machine_text = entry.get("isMeta") is True or is_mixed_text
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        for block in as_list(content):
            part = as_object(block)
            kind = part.get("type")
            text = as_string(part.get("text"))
            if self._is_copy(part, at):
                continue
            if kind == "tool_use":
                call_id, name, inputs = (
                    as_string(part.get("id")),
                    as_string(part.get("name")),
                    as_object(part.get("input")),
                )
                call = Call(line, at, name, inputs, agent, self._get_position())
                builders.put_bounded(self.calls, call_id, call, MAX_OPEN_CALLS)
                if result := self.early_results.pop(call_id, None):
                    yield from self._read_result(result, line)
            elif kind == "tool_result":
                yield from self._read_result(Result(part, entry, self._get_position()), line)
            elif (
                kind == "text"
                and role == "user"
                and not is_mixed_text
                and builders.record_skill(self.session, text, line, at)
            ):
                pass
            elif kind == "text" and role == "user" and plan and not is_machine_text:
                yield from _read_plan(text, plan, line, at)
            elif (
                kind == "text"
                and role == "user"
                and (is_machine_text or (is_from_client and not builders.extract_subagent_report(text)))
            ):
                pass
            elif kind == "document" and role == "user" and agent == "main":
                text = as_string(as_object(part.get("source")).get("data")) if _is_text_document(part) else ""
                file = as_string(part.get("title"))
                yield builders.build_attachment("document", text, "remote", line=line, at=at, file=file)
            elif kind in ("text", "thinking"):
                message_kind: Kind = "thinking" if kind == "thinking" else "user" if role == "user" else "assistant"
                text = as_string(part.get(as_string(kind)))
                if observation := builders.build_message(message_kind, text, line=line, at=at, agent=agent):
                    if role == "user" and agent == "main":
                        self.turns.begin(entry, observation)
                    yield observation

    def _read_result(self, result: Result, line: int) -> Iterator[Observation]:
        part, entry, position = result
        call_id = as_string(part.get("tool_use_id"))
        call = self.calls.pop(call_id, None)
        if call is None:
            builders.put_bounded(self.early_results, call_id, result, MAX_EARLY_RESULTS)
            return
        output = _get_text(part.get("content"))
        is_error = part.get("is_error") is True
        outcome = get_outcome(is_error, output)
        if is_error and (kind := as_string(entry.get("toolDenialKind"))):
            outcome = _DENIALS.get(kind, "denied")
        elif as_object(entry.get("toolUseResult")).get("interrupted") is True:
            outcome = "aborted"
        positions = [call.position, position]
        if outcome == "ok" and self.background.add(call, output, entry.get("toolUseResult"), positions):
            return
        # A tool of an MCP server may have an argument of the same name.
        task_id = get_first_string(call.inputs, "task_id", "bash_id", "shell_id") if call.name in SPEC.tools else ""
        if outcome == "ok" and call.name in _STOP_TOOLS:
            yield from self.background.stop(task_id, line)
        else:
            yield from self.background.read_query(task_id, output, positions, line)
        typed = _list_typed_texts(call, output, entry)
        output = builders.remove_typed_texts(output, typed, call.inputs)
        yield build_tool_call(
            call, output, entry.get("toolUseResult"), outcome, line, has_non_text(part.get("content"))
        )
        for text in typed:
            at = parse_time(entry.get("timestamp"))
            if observation := builders.build_message("user", text, line=line, at=at, agent=call.agent):
                self.turns.add_message(observation)
                yield observation
        agent_id = as_string(as_object(entry.get("toolUseResult")).get("agentId"))
        if agent_id and agent_id not in (*self.subagents, *self.finished_subagents):
            log = claude_files.find_older_subagent_log(self.path, agent_id) if self.agent == "main" else None
            self.subagents |= {agent_id: log} if log is not None else {}
        if agent_id in self.subagents:
            yield from self._read_subagent(agent_id, call.line)

    def _read_subagent(self, agent_id: str, line: int) -> Iterator[Observation]:
        path = self.subagents.pop(agent_id)
        self.finished_subagents.append(agent_id)
        lines = self.session.lines
        try:
            yield from _Transcript(path, self.session, "subagent", line).read_observations()
        except OSError as error:
            add_warning(self.session, line, f"subagent log {path.name} cannot be read: {error.strerror}")
        self.session.lines = lines


class _Turns:
    """The user's turns. Entries form a tree: a prompt that follows an earlier entry than the last takes back the turns since then."""

    def __init__(self) -> None:
        self._turn_by_uuid: OrderedDict[str, int] = OrderedDict()
        """The turn of each entry: the line of the prompt that began it, or 0 before the first prompt."""
        self._active = [0]
        """The turns that were not taken back."""
        self._session_id: object = None
        """The session of the first prompt."""
        self._messages = UserMessages()

    def add_entry(self, uuid: object, entry: JsonObject) -> None:
        """Add an entry to the turn of its parent."""
        if isinstance(uuid, str) and uuid not in self._turn_by_uuid:
            builders.put_bounded(self._turn_by_uuid, uuid, self._find_turn(entry), MAX_SEEN_IDS)

    def _find_turn(self, entry: JsonObject) -> int:
        """Return the turn of an entry's parent; the current turn if the parent is unknown."""
        parent = entry.get("parentUuid") or entry.get("logicalParentUuid")
        return self._turn_by_uuid.get(parent, self._active[-1]) if isinstance(parent, str) else self._active[-1]

    def begin(self, entry: JsonObject, observation: Observation) -> None:
        """Begin a turn with a prompt of the user, and take back the turns that do not precede the prompt."""
        if observation.kind != "user" or observation.source != "user" or not observation.text:
            return
        line, turn = observation.line, self._find_turn(entry)
        session_id = entry.get("sessionId")
        if len(self._active) == 1:
            self._session_id = session_id
        elif "parentUuid" in entry and not entry.get("parentUuid") and not entry.get("logicalParentUuid"):
            turn = 0 if session_id == self._session_id else turn  # a prompt that replaces the first one has no parent
        if turn != self._active[-1] and turn in self._active and line not in self._active:
            index = self._active.index(turn) + 1
            self._messages.remove(self._active[index:])
            del self._active[index:]
        if line not in self._active:
            self._active.append(line)
            del self._active[: -builders.MAX_TURNS]
        if uuid := as_string(entry.get("uuid")):
            self._turn_by_uuid[uuid] = line
        self.add_message(observation)

    def add_message(self, observation: Observation) -> None:
        """Add a message of the user to the current turn."""
        self._messages.add(self._active[-1], observation)

    def dump(self) -> list[object]:
        """Return the state for ``restore``."""
        turns = list(self._turn_by_uuid.values())
        return [list(self._turn_by_uuid), turns, list(self._active), self._session_id, self._messages.dump()]

    def restore(self, state: list[object], observations: list[Observation]) -> None:
        """Restore a state that ``dump`` returned; ``observations`` are those that were saved with it."""
        if state:
            uuids, turns, active, self._session_id, messages = state
            for uuid, turn in zip(as_list(uuids), as_list(turns), strict=True):
                self._turn_by_uuid[as_string(uuid)] = as_integer(turn) or 0
            self._active = [as_integer(line) or 0 for line in as_list(active)]
            self._messages.restore(messages, observations)


class _Background:
    """The background commands whose end has not been reported."""

    def __init__(self) -> None:
        self.running: OrderedDict[str, tuple[Call, str]] = OrderedDict()
        """The call of each command, and its output so far, by the command's id."""
        self.positions: dict[str, list[Position]] = {}
        """The positions in the log of the lines about each command, for resuming, by the command's id."""

    def add(self, call: Call, output: str, result: object, positions: list[Position]) -> bool:
        """Add a call if its result says that the command is running in the background. Return whether the call was added.

        ``result`` is the client's own record of the result; only if there is none, the output decides. ``positions`` are the positions
        of the lines that contain the call and its output.
        """
        is_recorded = SPEC.tools.get(call.name) != "run" or bool(as_object(result))
        match = None if is_recorded else _BACKGROUND.match(output)
        task_id = get_task_id(call.name, result) or (match[1] if match else "")
        if not task_id:
            return False
        self.running[task_id] = (call, output)
        self.positions[task_id] = positions
        if len(self.running) > MAX_OPEN_CALLS:
            self.positions.pop(self.running.popitem(last=False)[0], None)
        return True

    def keep(self, task_ids: set[str]) -> None:
        """Forget the commands with other ids."""
        for task_id in [task_id for task_id in self.running if task_id not in task_ids]:
            del self.running[task_id], self.positions[task_id]

    def stop(self, task_id: str, line: int) -> Iterator[Observation]:
        """Emit a running command that the agent has stopped. The client does not report the end of such a command."""
        if task_id in self.running:
            call, output = self.running.pop(task_id)
            del self.positions[task_id]
            yield build_tool_call(call, output, None, "aborted", line)

    def read_notification(self, text: str, line: int) -> Iterator[Observation]:
        """If a message from the client reports the end of a command, emit the command."""
        match = _TASK_ID.search(text) if text.startswith("<task-notification") else None
        if match:
            yield from self._emit_if_ended(match[1], text, line)

    def read_query(self, task_id: str, output: str, positions: list[Position], line: int) -> Iterator[Observation]:
        """Process the answer to an agent's query about a command: store the output so far, and emit the command if it has ended.

        ``positions`` are the positions of the lines that contain the query and its answer.
        """
        if task_id in self.running:
            printed = "\n".join(block[2] for block in _TASK_OUTPUT.finditer(output))
            if printed.strip():
                self.running[task_id] = (self.running[task_id][0], printed)
                self.positions[task_id] = [*self.positions[task_id][:2], *positions]
            yield from self._emit_if_ended(task_id, output, line)

    def _emit_if_ended(self, task_id: str, text: str, line: int) -> Iterator[Observation]:
        """Emit a running command if ``text`` reports its exit code, or that it failed or was stopped.

        A monitor that has completed exited with 0, although the client does not report that code.
        """
        if printed := _TASK_OUTPUT.search(text):  # what the command printed may have any form
            text = text[: printed.start()]
        status, code = _TASK_STATUS.search(text), _TASK_EXIT_CODE.search(text)
        if task_id not in self.running or status is None:
            return
        ends = {"failed", *_STOPPED, *(["completed"] if self.running[task_id][0].name == "Monitor" else [])}
        if code is None and status[1] not in ends:
            return
        call, output = self.running.pop(task_id)
        del self.positions[task_id]
        summary = _TASK_SUMMARY.search(text)
        notes = (match for match in _BACKGROUND.finditer(output) if match[1] == task_id)
        if note := next(notes, None):  # the rest of the command's output is in a separate file
            output = output[: note.start()] + (summary[1] if summary else "")
        exit_code = int(code[1] or code[2]) if code else 0
        outcome: ToolOutcome = "aborted" if status[1] in _STOPPED else "ok"
        if outcome == "ok" and (exit_code or status[1] == "failed"):
            outcome, output = "failed", f"Exit code {exit_code or 1}\n{output}"
        yield build_tool_call(call, output, None, outcome, line)


def get_task_id(name: str, result: object) -> str:
    """Return the id of the background task that a command runs in, according to the client's own record of its result; else "".

    ``name`` is the tool. ``Monitor`` always starts a task.
    """
    is_command = SPEC.tools.get(name) == "run"
    return get_first_string(as_object(result), "backgroundTaskId", "taskId") if is_command else ""


_LOCAL_ATTACHMENTS = frozenset(
    """agent_listing_delta agent_mention agent_pending_messages already_read_file async_agent_status async_hook_response auto_mode
    auto_mode_exit budget_usd command_permissions compaction_reminder context_efficiency critical_system_reminder current_session_memory
    date date_change deferred_tools_delta diagnostics directory dynamic_skill effort environment hook_additional_context
    hook_blocking_error hook_cancelled hook_error_during_execution hook_non_blocking_error hook_permission_decision
    hook_stopped_continuation hook_success hook_system_message instructions invoked_skills max_turns_reached model nested_memory
    output_style output_token_usage plan_file_reference plan_mode plan_mode_exit plan_mode_reentry prompt_snapshot queued_command
    relevant_memories remote_session_change session_context skill_discovery skill_listing structured_output task_reminder task_status
    team_context teammate_mailbox teammate_shutdown_batch todo todo_reminder token_usage total_tokens_reminder ultramemory
    ultrathink_effort unified_tasks verify_plan_reminder""".split()
)
"""Kinds of attachments that the client or hooks write, or whose text is from this project, such as a CLAUDE.md or a rule."""
_FILE_KEYS = ("filename", "filePath", "path", "uri")


def get_attachment_source(attachment: JsonObject, *projects: str) -> Source:
    """Return the source of an attachment. That of an unknown kind counts as third-party text."""
    kind = as_string(attachment.get("type"))
    if kind in _LOCAL_ATTACHMENTS or not attachment:
        return "local"
    if kind.startswith("mcp"):
        return "mcp"
    file = _get_attached_file(attachment)
    content_kind = as_object(attachment.get("content")).get("type")
    is_text = content_kind in ("text", "notebook", "file_unchanged", None)
    return builders.find_file_source(file, *projects) if file and is_text and "pdf" not in kind else "remote"


def _get_attached_file(attachment: JsonObject) -> str:
    return get_first_string(attachment, *_FILE_KEYS)


def _get_content(attachment: JsonObject) -> JsonObject:
    """Return the fields of an attachment that contain text, without those that only name it."""
    return {key: value for key, value in attachment.items() if key not in ("type", "displayPath", *_FILE_KEYS)}


def _iterate_strings(attachment: JsonObject) -> Iterator[str]:
    """Yield all strings of an attachment, which contains files, hook output or lists of skills in various structures."""
    # A queued message is emitted as an observation instead.
    pending: list[object] = [] if attachment.get("type") == "queued_command" else [attachment]
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            yield value
        pending += as_list(value) or as_object(value).values()


def _list_typed_texts(call: Call, output: str, entry: JsonObject) -> list[str]:
    """Return what the user typed in answer to a call: an answer of their own to a question, or a comment on a rejected call.

    Both are only accepted if the client's own record shows that they come from it: a tool may print text of any form.
    """
    if call.name == "AskUserQuestion":
        return list_typed_answers(as_object(entry.get("toolUseResult")))
    match = _FEEDBACK.match(output) if entry.get("toolDenialKind") == "user-rejected" else None
    return [match[1]] if match else []


def list_typed_answers(result: JsonObject) -> list[str]:
    """Return the answers and notes that the user typed, without the offered answers, which the agent wrote.

    ``result`` is the client's own record of the result of ``AskUserQuestion``. Several chosen answers are joined with commas.
    """
    answers, annotations = as_object(result.get("answers")), as_object(result.get("annotations"))
    typed: list[str] = []
    for question in map(as_object, as_list(result.get("questions"))[: builders.MAX_QUESTIONS]):
        name = as_string(question.get("question"))
        answer = builders.remove_chosen_labels(as_string(answers.get(name)), question)
        notes = as_string(as_object(annotations.get(name)).get("notes"))
        typed += [text for text in (answer, notes) if text not in ("", _NOTES_ONLY, *builders.list_labels(question))]
    return typed


def _read_plan(text: str, plan: str, line: int, at: int | None) -> Iterator[Observation]:
    """Yield the message that carries out a plan in a new context, and what the user wrote when accepting the plan.

    The client writes the message on the user's behalf, but its words are the agent's.
    """
    comment = text.partition(plan)[2].partition(_PLAN_COMMENT)[2]
    request = builders.build_message("user", text.removesuffix(_PLAN_COMMENT + comment), line=line, at=at)
    if request:
        request.source = "agent"
        yield request
    if observation := builders.build_message("user", comment, line=line, at=at):
        yield observation


def _get_origin(record: JsonObject) -> str:
    """Return the kind of sender that newer clients record for a message; empty if there is none."""
    return as_string(as_object(record.get("origin")).get("kind"))


def _is_from_client(record: JsonObject) -> bool:
    """Return whether the client wrote a message, or sent it on a schedule."""
    return _get_origin(record) == _CLIENT or record.get("promptSource") == "system"


def _is_from_others(record: JsonObject) -> bool:
    """Return whether neither a person, a task of this session nor the client sent a message.

    It comes from another session or a channel, for example, and any part of it may be third-party text.
    """
    return _get_origin(record) not in ("", "human", "task-notification", _CLIENT)


def _get_text(content: object) -> str:
    """Return the text of a result, which is a string or a list of text and image blocks."""
    if isinstance(content, str):
        return content
    return "\n".join(
        as_string(as_object(block).get("text")) for block in as_list(content) if as_object(block).get("type") == "text"
    )


def _is_text_document(part: JsonObject) -> bool:
    return as_object(part.get("source")).get("type") == "text"


def has_non_text(content: object) -> bool:
    """Return whether a result contains anything other than text, such as documents, images or references.

    A search for tools returns references. Those to the client's own tools do not count; those to other tools do, because the
    description of an MCP server's tool may contain anything.
    """
    return any(map(_is_non_text, map(as_object, as_list(content))))


def _is_non_text(block: JsonObject) -> bool:
    if block.get("type") == "tool_reference":
        return as_string(block.get("tool_name")) not in SPEC.tools
    return block.get("type") not in ("text", None)


def get_outcome(is_error: bool, output: str) -> ToolOutcome:
    """Return a call's outcome. ``is_error`` is the field of the result; it is also true for rejections, interruptions and denials."""
    if _ABORTED.match(output):
        return "aborted"
    if not is_error:
        return "ok"
    if _REJECTED.match(output):
        return "rejected"
    return "denied" if _DENIED.match(output[:300]) else "failed"


def build_tool_call(
    call: Call, output: str, result: object, outcome: ToolOutcome, end_line: int, has_other_content: bool = False
) -> Observation:
    """Build the observation of a call.

    ``result`` is the client's own record of the result; if it is a string, it replaces the empty output of a failed call. For
    ``has_other_content``, see observations/builders.py.
    """
    name, inputs = call.name, call.inputs
    action: Action = SPEC.tools.get(name, "mcp")  # type: ignore[assignment]
    removed, added = (
        as_string(inputs.get("old_string")),
        get_first_string(inputs, "new_string", "content", "new_source"),
    )
    for edit in as_list(inputs.get("edits")):
        removed += "\n" + as_string(as_object(edit).get("old_string"))
        added += "\n" + as_string(as_object(edit).get("new_string"))
    file = get_first_string(inputs, "file_path", "notebook_path", "path")
    exit_match = _EXIT_CODE.match(output) if action == "run" else None
    error = result if isinstance(result, str) and outcome == "failed" else ""
    return builders.build_tool_call(
        name,
        action,
        line=call.line,
        end_line=end_line,
        at=call.at,
        agent=call.agent,
        command=_get_command(name, inputs),
        files=(file,) if file else (),
        arguments=inputs,
        removed=removed if action in ("edit", "write") else "",
        added=added if action in ("edit", "write") else "",
        output=output or error,
        outcome=outcome,
        exit_code=int(exit_match.group(1)) if exit_match else 0 if action == "run" and outcome == "ok" else None,
        has_other_content=has_other_content,
        is_outside_sandbox=inputs.get("dangerouslyDisableSandbox") is True,
    )


def _get_command(name: str, inputs: JsonObject) -> str:
    """Return the main argument of a call: its command, pattern, URL, query, skill, plan, description or prompt, or its to-do items."""
    if name == "TodoWrite":
        return "\n".join(as_string(as_object(todo).get("content")) for todo in as_list(inputs.get("todos")))
    return get_first_string(inputs, *_COMMAND_KEYS)
