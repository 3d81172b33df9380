"""Reader for transcripts of Antigravity (CLI, desktop app, IDE and SDK). ``line`` is the JSONL line.

Each line is a step with an index. The calls of the planner's step N are answered by the steps N+1, N+2 and so on, one a call, and
the two may be written in either order. The type of an answer differs by version (``RUN_COMMAND`` or ``GENERIC``), so calls are read
by the tool's name. A command that continues in the background stays ``RUNNING``; a system message reports its end. A subagent has a
transcript of its own, whose first step is a message from its parent. Steps may be missing: some versions do not write the answer to a
call that was refused, and a transcript may begin in the middle of a session.

``transcript_full.jsonl`` is complete. In ``transcript.jsonl``, long texts are cut and the arguments of calls are JSON in strings.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mind_skills.hosts.antigravity import FULL_NAME, PLAIN_NAME, SPEC, clean_path, find_workspace
from mind_skills.observations import builders
from mind_skills.observations.builders import UserMessages
from mind_skills.observations.codec import (
    JsonObject,
    as_integer,
    as_list,
    as_object,
    as_string,
    get_first_string,
    parse_json,
    parse_time,
)
from mind_skills.observations.logfile import add_warning, read_objects, reread_lines
from mind_skills.observations.model import (
    Action,
    Agent,
    Observation,
    Position,
    Progress,
    Session,
    State,
    ToolOutcome,
    extend_span,
)
from mind_skills.redaction.lazy_pattern import compile_lazily

_FOLDERS = (".system_generated", "logs")
"""The folders between a session's folder, which has its id, and its transcripts."""
MAX_OPEN = 10_000
"""Maximum number of calls without an answer, and of answers without a call, that are stored."""
MAX_TYPES = 100
"""Maximum number of types of steps about which there is a warning."""

_TYPE = compile_lazily(r"[A-Z][A-Z_]{1,59}")
_CUT_FIELDS = frozenset({"content", "thinking", "tool_calls", "error"})
_CUT_ARGUMENT = compile_lazily(r'"[^\n]*\n<truncated \d+ bytes>')
"""A JSON string without its end. In JSON, lines do not end within a string."""
_ID = compile_lazily(r"[0-9a-f][0-9a-f-]{7,63}")
_REQUEST_START, _REQUEST_END = "<USER_REQUEST>", "</USER_REQUEST>"
_METADATA = compile_lazily(r"(?<!\s)\s*+<(ADDITIONAL_METADATA|USER_SETTINGS_CHANGE)>.*", re.DOTALL)
_UPLOADS = compile_lazily(r"^The user has uploaded \d{1,4} ", re.MULTILINE)
"""How the metadata mention pictures, where a step has no list of them."""
_COMMENTS, _SELECTION, _COMMENT = "Comments on artifact URI: ", "\n\nSelection:\n>", '\n\nComment: "'
"""What precedes the request if the user commented on a plan: the plan's URI, then each selected passage with its comment."""
_MESSAGE = compile_lazily(r"\[Message\] timestamp=\S+ sender=(\S+) [^\n]*?content=(.*)", re.DOTALL)
_MESSAGE_END = "</SYSTEM_MESSAGE>"
_TASK = compile_lazily(r"\S{1,100}/task-(\d{1,9})")
_TASK_ENDED = compile_lazily(r"[^\n]{1,300} (finished|was canceled) with result:\n")
_TASK_LOG = compile_lazily(r"\s+Log: file://[^\n]*\s*\Z")
_IDLE_SUBAGENT = compile_lazily(
    r"Subagent (\S+) has gone idle\. This was the subagent's most recent response: (.*)", re.DOTALL
)
_TIMES = compile_lazily(r"(?:Created At: [^\n]*(?:\n|\Z))?(?:Completed At: [^\n]*(?:\n|\Z))?\n?")
"""The lines that begin every answer to a call."""
_STATUS = compile_lazily(
    r"\s*+(?:(?<=(?P<indent>\t)))?The command "
    r"(?:(?:exited with code|failed with exit code:?) (?P<code>-?\d{1,10})|completed successfully)\.?\s*"
    r"(?:(?:Output|(?P<split>Stdout)):\n|\Z)"
)
"""How the text of an answer names the exit code: current versions, and those of May to August 2026, which indent it with tabs."""
_STDERR = compile_lazily(r"(?:^|\n)\t+Stderr:\n\t*")
_BAD_CALL = compile_lazily(r"invalid tool call|parsing the tool call", re.IGNORECASE)
"""An error of the client that answers a call. Others are of the turn, such as an error of the model's API."""
_NOT_RUN = compile_lazily(
    r"(?P<user>\buser denied permission)|tool call denied |denied by pre-tool hook|\bPermission prompt for [^\n]{1,400} timed out",
    re.IGNORECASE,
)
_DENIED = compile_lazily(r"\bden(?:y|ied)\b|not allowed|blocked by", re.IGNORECASE)
_REJECTED = compile_lazily(
    r"\b(?:user|USER) (?:denied|rejected|declined|canceled|cancelled)|by the user", re.IGNORECASE
)
_QUESTION_ANSWER = compile_lazily(r"^A(\d{1,2}): (.*?)(?=^A\d{1,2}: |\Z)", re.MULTILINE | re.DOTALL)
_DIFF = compile_lazily(r"\[diff_block_start\]\n(.*?)\n\[diff_block_end\]", re.DOTALL)
_PATH_KEYS = ("AbsolutePath", "TargetFile", "DirectoryPath", "SearchPath", "SearchDirectory", "File", "Path")
_COMMAND_KEYS = (
    "CommandLine",
    "Query",
    "Pattern",
    "query",
    "Url",
    "Uri",
    "Prompt",
    "TaskSummary",
    "Message",
    "name",
    "Action",
)
_ENDED_BY_USER = frozenset({"CANCELED", "INTERRUPTED", "HALTED", "CLEARED"})
_NOT_ENDED = frozenset({"RUNNING", "PENDING", "QUEUED", "WAITING", "GENERATING"})
_OTHER_TYPES = frozenset(
    """CHECKPOINT CONVERSATION_HISTORY DIRECTORY_RULES EPHEMERAL_MESSAGE FILE_CHANGE KI_INSERTION KNOWLEDGE_ARTIFACTS
    KNOWLEDGE_GENERATION MEMORY PLAN_INPUT RETRIEVE_MEMORY SUGGESTED_RESPONSES SYSTEM_MESSAGE USER_INPUT""".split()
)
"""Types of steps that answer no call. Only user input and system messages are read; the client wrote the others for the model."""


class _Call(NamedTuple):
    """A call without an answer. ``number`` is the expected index of the answer, and ``step`` the index of the planner's step."""

    number: int
    step: int
    line: int
    at: int | None
    name: str
    arguments: JsonObject
    is_cut: bool
    position: Position


class _Answer(NamedTuple):
    """An answer without a call: the client may write it first."""

    row: JsonObject
    line: int
    position: Position


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of a transcript and of its subagents, and fill the header of ``session``.

    The project is the one that the app's own lists name, or else the folder of the first command. Raises OSError, and
    RewrittenError if the transcript is not the one that ``session.progress`` belongs to.
    """
    session.session_id = _get_session_id(path)
    if path.parts[-3:-1] == _FOLDERS and not session.project:
        session.project = find_workspace(session.session_id, str(path))
    agent: Agent = "subagent" if _read_parent_id(path) else "main"
    yield from _Transcript(path, session, agent).read_observations()


def is_secondary_log(path: Path) -> bool:
    """Return whether the content of this transcript is read from another one.

    That is the case for one that is a cut copy, a part of one, or a subagent's whose parent has a transcript.
    """
    if path.parts[-3:-1] != _FOLDERS:
        return ".system_generated" in path.parts and path.suffix == ".jsonl"
    if path.name == PLAIN_NAME and path.with_name(FULL_NAME).exists():
        return True
    return _find_transcript(_get_folder(path).with_name(_read_parent_id(path) or "?")) is not None


def _find_transcript(folder: Path) -> Path | None:
    """Return the transcript of the session with this folder; None if there is none, or if the folder's name is no id."""
    paths = [folder.joinpath(*_FOLDERS, name) for name in (FULL_NAME, PLAIN_NAME)] if _ID.fullmatch(folder.name) else []
    return next((path for path in paths if path.is_file()), None)


def _get_session_id(path: Path) -> str:
    """Return the id of a session, which only the folder contains; for a transcript elsewhere, the name of the file."""
    return _get_folder(path).name if path.parts[-3:-1] == _FOLDERS else path.stem


def _get_folder(path: Path) -> Path:
    """Return the folder of the session to which a transcript at its place belongs."""
    return path.absolute().parents[2]


def _read_parent_id(path: Path) -> str:
    """Return the id of the session that started this one as a subagent, or an empty string."""
    try:
        _, first = next(read_objects(path, Session()), (0, JsonObject()))
    except OSError:
        return ""  # reading the log reports the problem
    message = _read_message(as_string(first.get("content"))) if first.get("type") == "SYSTEM_MESSAGE" else None
    return message[0] if message and _ID.fullmatch(message[0]) else ""


def _read_message(text: str) -> tuple[str, str] | None:
    """Return the sender and the content of a system message, or None if the text is another one."""
    match = _MESSAGE.search(text)
    return (match[1], match[2].rpartition(_MESSAGE_END)[0].strip() or match[2].strip()) if match else None


class _Transcript:
    """Reader state for one file. For a subagent's file, ``at_line`` is the line of all observations; otherwise it is 0."""

    def __init__(self, path: Path, session: Session, agent: Agent = "main", at_line: int = 0) -> None:
        self.path, self.session, self.at_line = path, session, at_line
        self.agent: Agent = agent
        self.calls: OrderedDict[int, _Call] = OrderedDict()
        """By the index of the answer."""
        self.answers: OrderedDict[int, _Answer] = OrderedDict()
        self.running: OrderedDict[int, tuple[_Call, str, Position]] = OrderedDict()
        """Commands that continue in the background: call, output so far, and position of the answer; by the index of the answer."""
        self.input_step = -1
        """Index of the last step of the user."""
        self.user_messages = UserMessages()
        self.inputs: OrderedDict[str, None] = OrderedDict()
        """Indexes of the steps of the user."""
        self.reported: OrderedDict[str, None] = OrderedDict()
        """Types of steps, and kinds of cuts, about which there is a warning."""
        self.subagents: list[str] = []
        """Ids of the subagents whose transcripts have been read."""
        self.progress = session.progress if not at_line else None
        self.is_restoring = False

    def read_observations(self) -> Iterator[Observation]:
        if self.progress is not None:
            state = self.progress.state
            self.reported = OrderedDict.fromkeys([as_string(key) for key in as_list(state.get("reported"))])
            self.is_restoring = True
            for line, row in reread_lines(self.path, self.progress) if self.progress.mark else ():
                for _ in self._read_row(row, line):  # already emitted
                    pass
            self.is_restoring = False
            self._restore(self.progress)
            self.progress.register_state_function(self._dump_state)
        for line, row in read_objects(self.path, self.session):
            yield from self._read_row(row, self.at_line or line)
        for call in self.calls.values():
            yield _build_call(call, {}, "aborted", call.line, self.agent)
        for call, output, _ in self.running.values():  # the log does not show whether they ended
            yield _build_call(call, {"content": output}, "unknown", call.line, self.agent)
        for answer in self.answers.values():
            self._warn_of_answer(answer)

    def _dump_state(self) -> State:
        """Return the state for resuming. Open calls and early answers are stored as the positions of the lines to read again."""
        positions = {call.position for call in self.calls.values()} | {each.position for each in self.answers.values()}
        for call, _, position in self.running.values():
            positions |= {call.position, position}
        return {
            "lines": [list(position) for position in sorted(positions)],
            "calls": list(self.calls),
            "answers": list(self.answers),
            "running": list(self.running),
            "moved": {
                str(index): call.number
                for index, call in (
                    *self.calls.items(),
                    *((index, call) for index, (call, _, _) in self.running.items()),
                )
                if call.number != index
            },
            "input": self.input_step,
            "inputs": list(self.inputs),
            "typed": self.user_messages.dump(),
            "reported": list(self.reported),
            "subagents": list(self.subagents),
        }

    def _restore(self, progress: Progress) -> None:
        state = progress.state
        self._restore_moved(as_object(state.get("moved")))
        for name, opened in (("calls", self.calls), ("answers", self.answers), ("running", self.running)):
            indexes = as_list(state.get(name))
            for index in [index for index in opened if index not in indexes]:
                del opened[index]
        self.input_step = as_integer(state.get("input")) or 0
        self.inputs = OrderedDict.fromkeys([as_string(key) for key in as_list(state.get("inputs"))])
        self.subagents = [as_string(name) for name in as_list(state.get("subagents"))]
        self.user_messages.restore(state.get("typed"), progress.saved_observations)

    def _restore_moved(self, moved: JsonObject) -> None:
        """Move the calls that a step between them and their answers had moved; that step is not read again."""
        calls = {index: self.calls.pop(as_integer(number) or 0, None) for index, number in moved.items()}
        for index, call in ((int(index), call) for index, call in calls.items() if call and index.isdecimal()):
            self.calls[index] = call
            if answer := self.answers.get(index):
                self.running[index] = (call, as_string(answer.row.get("content")), answer.position)

    def _read_row(self, row: JsonObject, line: int) -> Iterator[Observation]:
        kind, index = as_string(row.get("type")), as_integer(row.get("step_index"))
        at = parse_time(row.get("created_at"))
        if index is None:
            self._warn(kind, line)
            return
        extend_span(self.session, at)
        for field in _list_cut_fields(row):
            text = f"the client cut the {field} of steps of the type {_name_type(kind)}"
            self._warn_once(f"{field} {_name_type(kind)}", line, text)
        if is_other := kind in _OTHER_TYPES or _is_error_of_turn(row):
            self._move_calls(index)
        if kind == "PLANNER_RESPONSE":
            yield from self._read_response(row, index, line, at)
        elif kind == "USER_INPUT":
            yield from self._read_input(row, index, line, at)
        elif kind == "SYSTEM_MESSAGE":
            yield from self._read_message(as_string(row.get("content")), line, at)
        elif is_other:
            return
        elif call := self.calls.pop(index, None):
            yield from self._read_answer(call, row, index, line)
        elif index in self.running:
            call, _, _ = self.running.pop(index)
            yield from self._read_answer(call, row, index, line)
        elif row.get("source") == "MODEL" or kind == "ERROR_MESSAGE":
            builders.put_bounded(self.answers, index, _Answer(row, line, self._get_position()), MAX_OPEN)
        else:
            self._warn(kind, line)

    def _get_position(self) -> Position:
        return (0, 0) if self.progress is None else self.progress.position

    def _warn(self, kind: str, line: int) -> None:
        name = _name_type(kind)
        self._warn_once(name, line, f"steps of the type {name} were not understood")

    def _warn_of_answer(self, answer: _Answer) -> None:
        """Warn that the log does not contain the call that a step answers; an error may be about a call that could not be parsed."""
        kind = as_string(answer.row.get("type"))
        if kind != "ERROR_MESSAGE":
            name = _name_type(kind)
            self._warn_once(f"answer {name}", answer.line, f"steps of the type {name} answer no call in the log")

    def _warn_once(self, key: str, line: int, message: str) -> None:
        if len(self.reported) < MAX_TYPES and builders.add_if_new(self.reported, key, MAX_TYPES):
            add_warning(self.session, line, message)

    def _move_calls(self, index: int) -> None:
        """Make room for a step that answers no call, and came between a call and its answer."""
        moved: list[_Call] = []
        while call := self.calls.pop(index + len(moved), None):
            moved.append(call)
        self.calls.update({index + place: call for place, call in enumerate(moved, 1)})

    def _read_input(self, row: JsonObject, index: int, line: int, at: int | None) -> Iterator[Observation]:
        if row.get("source") != "USER_EXPLICIT":
            return
        self.input_step = index
        if not builders.add_if_new(
            self.inputs, str(index), MAX_OPEN
        ):  # the user took back this message and all later ones
            self.user_messages.remove({each for each in map(int, self.inputs) if each >= index})
        text = as_string(row.get("content"))
        if as_list(row.get("media")) or _UPLOADS.search(text[text.rfind(_REQUEST_END) :]):
            yield builders.build_attachment("media", "", "remote", line=line, at=at)
        if observation := builders.build_message("user", _get_request(text), line=line, at=at, agent=self.agent):
            self.user_messages.add(index, observation)
            yield observation

    def _read_message(self, text: str, line: int, at: int | None) -> Iterator[Observation]:
        """Process a message of the client, of a subagent, or of the parent of this subagent."""
        sender, content = _read_message(text) or ("", "")
        if (task := _TASK.fullmatch(sender)) and int(task[1]) in self.running:
            if ended := _TASK_ENDED.match(content):
                call, _, _ = self.running.pop(int(task[1]))
                content = _TASK_LOG.sub("", content[ended.end() :])
                outcome: ToolOutcome = "unknown" if ended[1] == "finished" else "aborted"
                yield _build_call(call, {"content": content}, outcome, line, self.agent)
        elif report := _IDLE_SUBAGENT.match(content):
            if report[1] not in self.subagents:
                yield builders.build_subagent_report(report[2].strip(), line=line, at=at)
        elif self.agent == "main" and _ID.fullmatch(sender):
            if sender not in self.subagents:
                yield builders.build_subagent_report(content, line=line, at=at)
        elif self.agent == "subagent" and (
            observation := builders.build_message("user", content, line=line, at=at, agent="subagent")
        ):
            yield observation

    def _read_response(self, row: JsonObject, index: int, line: int, at: int | None) -> Iterator[Observation]:
        """Emit the texts of the model, and its calls if they have been answered."""
        yield from self._end_earlier_calls(index)
        for kind, key in (("thinking", "thinking"), ("assistant", "content")):
            text = as_string(row.get(key))
            if observation := builders.build_message(kind, text, line=line, at=at, agent=self.agent):  # type: ignore[arg-type]
                yield observation
        is_cut = "tool_calls" in _list_cut_fields(row)
        for number, value in enumerate(map(as_object, as_list(row.get("tool_calls"))), index + 1):
            arguments = _decode_arguments(as_object(value.get("args")), is_cut=is_cut)
            self.session.project = self.session.project or clean_path(arguments.get("Cwd"))
            call = _Call(number, index, line, at, as_string(value.get("name")), arguments, is_cut, self._get_position())
            if answer := self.answers.pop(number, None):
                yield from self._read_answer(call, answer.row, number, self.at_line or answer.line)
            else:
                builders.put_bounded(self.calls, number, call, MAX_OPEN)

    def _end_earlier_calls(self, index: int) -> Iterator[Observation]:
        """Emit the calls whose answers are missing, and warn of answers without a call: no step before this one follows any more."""
        if self.is_restoring:  # the steps between those that are read again are not
            return
        for number in [number for number in self.calls if number <= index]:
            call = self.calls.pop(number)
            outcome: ToolOutcome = "aborted" if self.input_step > call.step else "unknown"
            yield _build_call(call, {}, outcome, call.line, self.agent)
        for number in [number for number in self.answers if number <= index]:
            self._warn_of_answer(self.answers.pop(number))

    def _read_answer(self, call: _Call, row: JsonObject, index: int, line: int) -> Iterator[Observation]:
        """Emit a call with its answer; a call that has not ended is stored."""
        status = as_string(row.get("status"))
        if status in _NOT_ENDED:
            self.running[index] = (call, as_string(row.get("content")), self._get_position())
            return
        typed = _list_typed_answers(call, row)
        yield _build_call(call, row, _get_outcome(row, status), line, self.agent, typed)
        for text in typed:
            if observation := builders.build_message("user", text, line=line, at=call.at, agent=self.agent):
                self.user_messages.add(index, observation)
                yield observation
        if call.name == "invoke_subagent" and not self.at_line:
            for name in re.findall(r'"conversationId":\s{0,8}"([0-9a-f-]{8,64})"', as_string(row.get("content"))):
                yield from self._read_subagent(name, call.line)

    def _read_subagent(self, name: str, line: int) -> Iterator[Observation]:
        """Emit the observations of a subagent at the line of the call that started it."""
        path = _find_transcript(_get_folder(self.path).with_name(name)) if self.path.parts[-3:-1] == _FOLDERS else None
        if path is None or name in self.subagents:
            return
        self.subagents.append(name)
        lines = self.session.lines
        yield from _Transcript(path, self.session, "subagent", line).read_observations()
        self.session.lines = lines


def _name_type(kind: str) -> str:
    """Return the name of a type of steps for a warning, unless it does not look like one."""
    return kind if _TYPE.fullmatch(kind) else "?"


def _list_cut_fields(row: JsonObject) -> set[str]:
    """Return the fields of a step that the client cut. Versions before July 2026 do not list them: only arguments are recognised."""
    fields = _CUT_FIELDS.intersection(map(as_string, as_list(row.get("truncated_fields"))))
    arguments = (as_object(as_object(call).get("args")).values() for call in as_list(row.get("tool_calls")))
    is_cut = any(_CUT_ARGUMENT.fullmatch(as_string(value)) for values in arguments for value in values)
    return {*fields, "tool_calls"} if is_cut else set(fields)


def _get_request(text: str) -> str:
    """Return what the user wrote in a step: the request without the metadata that the client adds."""
    start, end = text.find(_REQUEST_START), text.rfind(_REQUEST_END)
    before, request = text, ""
    if 0 <= start < end:
        before, request = text[:start], text[start + len(_REQUEST_START) : end].strip()
    elif not text.startswith(_COMMENTS):
        return _METADATA.sub("", text).strip()
    return "\n\n".join(filter(None, [*_list_comments(before), request]))


def _list_comments(text: str) -> list[str]:
    """Return the user's comments on passages of a plan."""
    if not text.startswith(_COMMENTS):
        return []
    passages = _METADATA.sub("", text).rstrip().split(_SELECTION)[1:]
    return [passage.rpartition(_COMMENT)[2].removesuffix('"') for passage in passages if _COMMENT in passage]


def _decode_arguments(arguments: JsonObject, *, is_cut: bool) -> JsonObject:
    """Return the arguments of a call. In ``transcript.jsonl``, all of them are JSON in strings, some of which may be cut."""
    decoded: JsonObject = {}
    for key, value in arguments.items():
        text = as_string(value)
        try:
            argument = parse_json(text.encode("utf-8", "replace"))
        except ValueError:
            if not (is_cut and text.startswith('"')):
                return arguments
            argument = _decode_cut_string(text)
        decoded[key] = argument if isinstance(argument, str | list) else text
    return decoded


def _decode_cut_string(text: str) -> str:
    """Decode the beginning of a JSON string, up to the mark of the cut."""
    begin = text.rpartition("\n<truncated ")[0] or text
    for end in range(len(begin), max(0, len(begin) - 12), -1):  # the cut may be in an escape
        try:
            return as_string(parse_json(f'{begin[:end]}"'.encode("utf-8", "replace")))
        except ValueError:
            continue
    return ""


def _is_error_of_turn(row: JsonObject) -> bool:
    """Return whether a step reports an error that answers no call, such as one of the model's API."""
    return (
        row.get("type") == "ERROR_MESSAGE" and row.get("source") == "SYSTEM" and not _BAD_CALL.search(_get_error(row))
    )


def _get_error(row: JsonObject) -> str:
    """Return the error of an answer. Some versions write that of a call that was refused as the content."""
    content = as_string(row.get("content")) if row.get("type") == "ERROR_MESSAGE" else ""
    return as_string(row.get("error")) or _TIMES.sub("", content, count=1)


def _get_outcome(row: JsonObject, status: str) -> ToolOutcome:
    error = _get_error(row)
    if status in _ENDED_BY_USER:
        return "aborted"
    if refusal := _NOT_RUN.search(error[:500]):
        return "rejected" if refusal["user"] else "denied"
    if row.get("type") == "ERROR_MESSAGE" and status == "ERROR" and _REJECTED.search(error[:500]):
        return "rejected"
    if row.get("type") == "ERROR_MESSAGE" and status == "ERROR" and _DENIED.search(error[:500]):
        return "denied"
    return "failed" if error or status == "ERROR" else "ok"


def _list_typed_answers(call: _Call, row: JsonObject) -> list[str]:
    """Return what the user typed in answer to the questions of a call, instead of choosing an answer."""
    if call.name != "ask_question":
        return []
    typed: list[str] = []
    questions = as_list(call.arguments.get("questions"))[: builders.MAX_QUESTIONS]
    for match in _QUESTION_ANSWER.finditer(as_string(row.get("content"))):
        number = int(match[1]) - 1
        question = as_object(questions[number]) if 0 <= number < len(questions) else {}
        options = [{"label": option} for option in as_list(question.get("options"))]
        is_multiple = question.get("IsMultiSelect", question.get("is_multi_select"))
        known: JsonObject = {"options": options, "multiSelect": is_multiple}
        typed.append(builders.remove_chosen_labels(match[2].strip(), known) if question else "")
    return [text for text in typed if text]


def _build_call(
    call: _Call,
    row: JsonObject,
    outcome: ToolOutcome,
    end_line: int,
    agent: Agent,
    typed: list[str] | None = None,
) -> Observation:
    """Build the observation of a call. ``outcome`` is the outcome unless the exit code of a command tells another.

    ``typed`` is what the user typed in the answer.
    """
    arguments = call.arguments
    action: Action = SPEC.tools.get(call.name, "mcp")  # type: ignore[assignment]
    output, error = (
        _TIMES.sub("", as_string(row.get("content")), count=1).replace("\r\n", "\n"),
        _get_error(row),
    )
    exit_code = as_integer(row.get("exit_code"))
    if action == "run" and not error:
        if status := _STATUS.match(output):
            output = output[status.end() :]
            output = output.lstrip("\t") if status["indent"] else output
            output = _STDERR.sub("\n", output) if status["split"] else output
            exit_code = exit_code if exit_code is not None else int(status["code"] or 0)
        if outcome in ("ok", "unknown"):
            outcome = "unknown" if exit_code is None else "failed" if exit_code else "ok"
    output = builders.remove_typed_texts(output, typed or [], call.arguments)
    is_cut = "content" in _list_cut_fields(row)
    removed, added = _get_change(call, output, is_cut=is_cut) if action in ("edit", "write") else ("", "")
    return builders.build_tool_call(
        _name_tool(call),
        action,
        line=min(call.line, end_line),
        end_line=max(call.line, end_line),
        at=call.at,
        agent=agent,
        command=get_first_string(arguments, *_COMMAND_KEYS),
        arguments=arguments,
        files=tuple(filter(None, (clean_path(arguments.get(key)) for key in _PATH_KEYS))),
        removed=removed,
        added=added,
        output=error or output.rstrip("\n"),
        outcome=outcome,
        exit_code=exit_code,
        error=error,
        has_other_content=bool(as_list(row.get("media"))),
    )


def _name_tool(call: _Call) -> str:
    """Return the name of a tool; that of an MCP server's tool begins with the name of the server."""
    server, tool = (as_string(call.arguments.get(key)) for key in ("ServerName", "ToolName"))
    return f"{server}__{tool}" if call.name == "call_mcp_tool" and tool else call.name


def _get_change(call: _Call, output: str, *, is_cut: bool) -> tuple[str, str]:
    """Return the lines that a call removed and added: from the answer, unless it is cut, or else from the arguments.

    The client applies an edit whose arguments do not match the file as well as it can, so that the two can differ.
    """
    if (call.is_cut or not is_cut) and (blocks := _DIFF.findall(output)):
        lines = "\n".join(blocks).split("\n")
        return tuple("\n".join(line[1:] for line in lines if line.startswith(sign)) for sign in "-+")  # type: ignore[return-value]
    chunks = [as_object(chunk) for chunk in as_list(call.arguments.get("ReplacementChunks"))] or [call.arguments]
    removed = "\n".join(filter(None, (as_string(chunk.get("TargetContent")) for chunk in chunks)))
    added = "\n".join(filter(None, (get_first_string(chunk, "ReplacementContent", "CodeContent") for chunk in chunks)))
    return removed, added
