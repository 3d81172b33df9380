"""Reader for Gemini CLI chats: JSONL since 2026, one JSON document before that.

``line`` is the JSONL line or, in a document, the message's 1-based index. A message is written again with the same id whenever it
grows (text first, then tool calls), and ``$set`` lines replace fields of the chat. Each text is emitted once, at the line of its
first occurrence, and each call once, at the first line that has its final status. A failed shell command is a *successful* tool call
whose text contains ``Exit Code: N``. Text injected by hooks is part of the user's message.
"""

from __future__ import annotations

import html
import re
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

from mind_skills.hosts.gemini import SPEC
from mind_skills.observations import builders
from mind_skills.observations.builders import UserMessages
from mind_skills.observations.codec import (
    JsonObject,
    as_list,
    as_object,
    as_string,
    find_whole_objects,
    get_first_string,
    parse_json,
    parse_object,
    parse_time,
)
from mind_skills.observations.logfile import read_document, read_numbered_lines, read_objects
from mind_skills.observations.model import Action, Agent, Kind, Observation, Session, State, ToolOutcome, extend_span
from mind_skills.redaction.lazy_pattern import compile_lazily
from mind_skills.store.project import digest_text

_ID = compile_lazily(r"[\w-]{8,64}")
_SHORT_ID = 8
"""Number of characters of a session's id in the name of its chat."""
MAX_HEADER_BYTES = 10_000
"""Maximum length of the header of a chat, in bytes."""
MAX_KEYS = 100_000
"""Maximum number of texts and tool calls whose keys are stored to detect repetitions."""

_INJECTED_TEXT = compile_lazily(r"<(hook_context|session_context|system-reminder)>(?:.*</\1>|.*)", re.DOTALL)
_REFERENCED_FILES = compile_lazily(r"\n{0,20}--- Content from referenced files ---.*", re.DOTALL)
_REFERENCE = compile_lazily(r"^Content from @([^\n]{1,2000}):$", re.MULTILINE)
_RESOURCE = compile_lazily(r"[\w .-]{2,100}:|[^\n]{0,200}://")
"""The name of a resource of an MCP server. A path on Windows begins with one letter and a colon."""
_MEDIA_KEYS = frozenset({"inlineData", "fileData"})
"""Keys of the parts of a message that are images or documents."""
_CLIENT_TEXT = compile_lazily(
    r"\s*(?:Here is (?:the user's editor context as a JSON object|a summary of changes in the user's editor context)|"
    r"- \*\*Workspace Directories:\*\*\n|(?:User has manually exited Plan Mode|Plan approved)\. Switching to |"
    r"\[System: You previously |System: Potential loop detected\. |Please continue\.\s*\Z)"
)
"""A message that the client wrote."""
_USER_COMMAND = compile_lazily(r"\s*I ran the following shell command:\n```sh\n(.*?)\n```\n", re.DOTALL)
"""The message about a command that the user ran in the client. The command's output follows the command."""
_FOREIGN_TEXT = compile_lazily(r"\s*(?:Background execution update:\n<background_output>|<state_snapshot>)")
"""A message that contains the output of a command that ran in the background, or a summary of the session."""
_STEERING = compile_lazily(
    r"User (?:steering update|hints):\n<user_input>\n((?:(?!<user_input>).)*?)\n</user_input>\n{1,2}Internal instruction: [^\n]*",
    re.DOTALL,
)
"""What the user wrote while the agent worked, with an instruction of the client."""
_PLAN_COMMENT = compile_lazily(
    r"Plan rejected\. User feedback: (.*?)\n\nThe plan is stored at: [^\n]*\n\nRevise the plan\b", re.DOTALL
)
"""What the user wrote when rejecting a plan."""
_WRAPPER, _WRAPPER_END = "<untrusted_context>\n", "</untrusted_context>"
_OUTPUT_START = compile_lazily(
    r"\A(?:Command: .*?\nDirectory: [^\n]*\n)?(?:Output|Stdout): (?:\((?:none|empty)\)(?=\n|\Z))?\n?", re.DOTALL
)
_STDERR = compile_lazily(r"^Stderr: (?:\(empty\))?", re.MULTILINE)
_LABEL = compile_lazily(r"(Error|Exit Code|Signal|Background PIDs|Process Group PGID): (.*)")
"""A line after the output of a command. Until 2025, the client wrote all of these; since then, those with something to report."""
_INTEGER, _NO_SIGNAL = compile_lazily(r"-?\d{1,10}"), ("(none)", "0")
_BACKGROUND_READER = "read_background_output"
_PROCESS_ID = compile_lazily(r"(?:Background PIDs|\bPID): (\d{1,10})")
"""The number of a process that runs in the background, under which its output is read."""
_COMMAND_MESSAGES: dict[str, ToolOutcome] = {
    "Command moved to background (PID: ": "unknown",
    "Command is running in background. PID: ": "unknown",
    "Command was automatically cancelled because it exceeded the timeout": "failed",
    "Command was cancelled by user before it could complete.": "aborted",
}
"""What the client writes instead of the output of a command that has not ended, and the outcomes."""
_REJECTED = compile_lazily(r"did not allow|user rejected|rejected by user|User denied", re.IGNORECASE)
_DENIED = compile_lazily(
    r"denied by policy|blocked by policy|not allowed by policy|Tool execution denied|"
    r"\A(?:Tool execution blocked: |Agent execution stopped by hook: )",
    re.IGNORECASE,
)


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of a chat, and fill the header of ``session``. Raises OSError."""
    chat = _Chat(path, session)
    if session.progress is not None and not _is_document(path):
        chat.restore(session.progress.state)
        chat.user_messages.restore(session.progress.state.get("typed"), session.progress.saved_observations)
        session.progress.register_state_function(chat.dump_state)
    yield from chat.read_observations()
    session.session_id = session.session_id or path.stem


def list_messages(path: Path) -> Iterator[JsonObject]:
    """Yield the messages of a chat as its file contains them. Raises OSError."""
    if _is_document(path):
        yield from map(as_object, as_list(read_document(path, Session()).get("messages")))
        return
    for _, entry in read_objects(path, Session()):
        rewritten = as_list((as_object(entry.get("$set")) or entry).get("messages"))
        yield from map(as_object, rewritten) if rewritten else (entry,)


def is_subagent_log(path: Path) -> bool:
    """Return whether this is the chat of a subagent that is read together with its session's chat, because that exists.

    It is in a folder that has the session's id, next to the session's chat, whose name ends with the beginning of the id. A chat that
    says that it is a subagent's is not a session, either, although no chat names it.
    """
    session_id, chats = path.parent.name, path.parent.parent
    is_nested = chats.name == "chats" and _ID.fullmatch(session_id)
    if is_nested:
        return any(chats.glob(f"session-*{session_id[:_SHORT_ID]}.json*"))
    return path.parent.name == "chats" and path.suffix == ".jsonl" and _is_of_subagent(path)


def _is_of_subagent(path: Path) -> bool:
    """Return whether the header of a chat says that it is a subagent's."""
    try:
        with path.open("rb") as file:
            return as_object(parse_json(file.readline(MAX_HEADER_BYTES))).get("kind") == "subagent"
    except (OSError, ValueError):
        return False


def _is_document(path: Path) -> bool:
    """Return whether the file is one JSON document: its first line contains the messages, or only the opening brace."""
    for _, view in read_numbered_lines(path, Session()):
        line = bytes(view)
        try:
            return "messages" in as_object(parse_json(line))
        except ValueError:
            is_cut = line.startswith(b"{") and b'"messages"' in line and not find_whole_objects(line)[0]
            return line == b"{" or is_cut
    return False


ACKNOWLEDGEMENT = "Got it. Thanks for the additional context!"
"""The answer that the client attributes to the model after replacing the history with a summary in a user message (observed with
0.61.0)."""


class _Chat:
    def __init__(self, path: Path, session: Session, agent: Agent = "main", at_line: int = 0) -> None:
        """For a subagent's chat, ``at_line`` is the line of all observations; otherwise it is 0."""
        self.path, self.session, self.at_line = path, session, at_line
        self.agent: Agent = agent
        self.seen_keys: OrderedDict[str, None] = OrderedDict()
        """The keys of the texts and calls that have been emitted."""
        self.messages: OrderedDict[str, None] = OrderedDict()
        """The ids of the messages, except those that were taken back."""
        self.user_messages = UserMessages()
        self.finished_subagents: list[str] = []

    def read_observations(self) -> Iterator[Observation]:
        if _is_document(self.path):
            data = read_document(self.path, self.session)
            self.update_header(data)
            for line, message in enumerate(as_list(data.get("messages")), 1):
                self.session.lines = line
                yield from self.read_message(as_object(message), self.at_line or line)
        else:
            for line, entry in read_objects(self.path, self.session):
                yield from self.read_entry(entry, self.at_line or line)
        if not self.at_line:
            for name in sorted(log.stem for log in self._find_subagent_logs()):
                yield from self._read_subagent(name, max(1, self.session.lines))

    def _find_subagent_logs(self) -> list[Path]:
        """Return the chats of the session's subagents."""
        folder = self.path.parent / self.session.session_id
        is_folder = _ID.fullmatch(self.session.session_id) and folder.is_dir()
        return [log for log in folder.iterdir() if log.suffix in (".json", ".jsonl")] if is_folder else []

    def _read_subagent(self, name: str, line: int) -> Iterator[Observation]:
        """Emit a subagent's observations at the line of the call that started it."""
        logs = [] if name in self.finished_subagents else self._find_subagent_logs()
        lines = self.session.lines
        for log in logs:
            if log.stem == name:
                self.finished_subagents.append(name)
                yield from _Chat(log, self.session, "subagent", line).read_observations()
        self.session.lines = lines

    def dump_state(self) -> State:
        """Return the state for resuming."""
        messages = {"messages": list(self.messages), "typed": self.user_messages.dump()}
        subagents = {"subagents": list(self.finished_subagents)}
        return {"seen": list(self.seen_keys), "agent": self.agent, **messages, **subagents}

    def restore(self, state: State) -> None:
        """Restore the state that ``dump_state`` returned."""
        self.seen_keys = OrderedDict.fromkeys([as_string(key) for key in as_list(state.get("seen"))])
        self.finished_subagents = [as_string(name) for name in as_list(state.get("subagents"))]
        self.messages = OrderedDict.fromkeys([as_string(name) for name in as_list(state.get("messages"))])
        self.agent = "subagent" if state.get("agent") == "subagent" else "main"

    def update_header(self, entry: JsonObject) -> None:
        session = self.session
        session.session_id = session.session_id or as_string(entry.get("sessionId"))
        for key in ("startTime", "lastUpdated"):
            extend_span(session, parse_time(entry.get(key)))
        folders = as_list(entry.get("directories"))
        session.project = session.project or (as_string(folders[0]) if folders else "")
        if entry.get("kind") == "subagent":
            self.agent = "subagent"

    def read_entry(self, entry: JsonObject, line: int) -> Iterator[Observation]:
        """Process a JSONL line: the header, a change to the chat, or a message."""
        change = as_object(entry.get("$set"))
        if change:
            self.update_header(change)
            for rewritten in _skip_summaries(as_list(change.get("messages"))):
                yield from self.read_message(rewritten, line)
        elif "type" in entry:
            yield from self.read_message(entry, line)
        elif "$rewindTo" in entry:
            self._take_back(as_string(entry.get("$rewindTo")))
        else:
            self.update_header(entry)
            for message in as_list(entry.get("messages")):
                yield from self.read_message(as_object(message), line)

    def read_message(self, message: JsonObject, line: int) -> Iterator[Observation]:
        """Emit the texts and calls of a message that have not been emitted yet."""
        at = parse_time(message.get("timestamp"))
        extend_span(self.session, at)
        message_id, kind = as_string(message.get("id")) or f"line {line}", message.get("type")
        text = _get_text(message.get("content"))
        builders.add_if_new(self.messages, message_id, MAX_KEYS)
        if kind == "user":
            self._update_project(text)
            yield from self._emit_attachments(message.get("content"), message_id, text, line, at)
            prompt = self._extract_prompt(text, _get_text(message.get("displayContent")), line)
            yield from self._emit_text("user", message_id, prompt, line, at)
        elif kind == "info" and text.startswith("Request cancelled") and self._add_if_new(f"{message_id} cancelled"):
            yield Observation("user", line, end_line=line, at=at, agent=self.agent, source="user", outcome="aborted")
        elif kind == "gemini":
            for value in as_list(message.get("thoughts")):
                thought = as_object(value)
                parts = [as_string(thought.get("subject")), as_string(thought.get("description"))]
                thought_text = "\n".join(part for part in parts if part)
                thought_time = parse_time(thought.get("timestamp"))
                thought_time = at if thought_time is None else thought_time
                yield from self._emit_text("thinking", f"{message_id} thought", thought_text, line, thought_time)
            yield from self._emit_text("assistant", message_id, text, line, at)
            for value in as_list(message.get("toolCalls")):
                yield from self._emit_call(as_object(value), message_id, line, at)

    def _take_back(self, message_id: str) -> None:
        """Remove what the user wrote from a message on, because the user returned to that message; if it is unknown, everything."""
        ids = list(self.messages)
        taken_back = ids[ids.index(message_id) if message_id in self.messages else 0 :]
        for name in taken_back:
            del self.messages[name]
        self.user_messages.remove(set(taken_back))

    def _update_project(self, text: str) -> None:
        """Set the project, if no earlier line named it, from the context that the client adds to the first message."""
        if not self.session.project and "<session_context>" in text:
            match = re.search(r"Workspace Directories:\*\*\n\s*- ([^\n]{1,4000})", text)
            self.session.project = match[1].strip() if match else ""

    def _extract_prompt(self, text: str, display: str, line: int) -> str:
        """Return what the user wrote in a message.

        ``display`` is what the user typed, if the message is not the same. When the client continues a turn, it writes a message of
        its own with the text of the turn's first prompt.
        """
        if _USER_COMMAND.match(text) or _FOREIGN_TEXT.match(text) or _CLIENT_TEXT.match(text):
            return ""
        prompt = remove_injected_text(_STEERING.sub(r"\1", display or text))
        is_new = self._add_if_new(f"prompt {digest_text(prompt)}")
        if display:
            is_typed = is_new or prompt in text or prompt.startswith("/")
            return prompt if is_typed else ""
        return prompt

    def _emit_attachments(
        self, content: object, message_id: str, text: str, line: int, at: int | None
    ) -> Iterator[Observation]:
        """Emit the referenced files and resources of a message that third parties may have written."""
        block = _REFERENCED_FILES.search(text)
        _, *sections = _REFERENCE.split(block[0]) if block else ("",)
        for name, attached in zip(sections[::2], sections[1::2], strict=True):
            is_resource = _RESOURCE.match(name) is not None
            source = "mcp" if is_resource else builders.find_file_source(name, self.session.project)
            if source != "local" and self._add_if_new(f"attached {message_id} {name}"):
                yield builders.build_attachment("@", attached, source, line=line, at=at, file=name)
        has_media = any(not as_object(part).keys().isdisjoint(_MEDIA_KEYS) for part in as_list(content))
        if has_media and self._add_if_new(f"attached {message_id}"):
            yield builders.build_attachment("@", "", "remote", line=line, at=at)

    def _add_if_new(self, key: str) -> bool:
        return builders.add_if_new(self.seen_keys, key, MAX_KEYS)

    def _emit_text(self, kind: Kind, text_id: str, text: str, line: int, at: int | None) -> Iterator[Observation]:
        is_new = text.strip() and self._add_if_new(f"{kind} {text_id} {digest_text(text)}")
        if is_new and (observation := builders.build_message(kind, text, line=line, at=at, agent=self.agent)):
            self.user_messages.add(text_id, observation)
            yield observation

    def _emit_call(self, call: JsonObject, message_id: str, line: int, at: int | None) -> Iterator[Observation]:
        status, name, timestamp = (as_string(call.get(key)) for key in ("status", "name", "timestamp"))
        call_id = as_string(call.get("id")) or f"{message_id} {name} {timestamp}"
        if status in ("success", "error", "cancelled") and self._add_if_new(f"call {call_id}"):
            call_time = parse_time(call.get("timestamp"))
            call_time = at if call_time is None else call_time
            typed = list_typed_answers(call) if status == "success" else []
            process = as_object(call.get("args")).get("pid")
            is_foreign = name == _BACKGROUND_READER and f"local process {process}" not in self.seen_keys
            made = build_tool_call(call, status, line, call_time, self.agent, typed, has_other_content=is_foreign)
            if SPEC.tools.get(name) == "run" and made.source == "local":
                for number in _PROCESS_ID.findall("\n".join(_get_result(call))):
                    self._add_if_new(f"local process {number}")
            yield made
            for answer in typed:
                if observation := builders.build_message("user", answer, line=line, at=call_time, agent=self.agent):
                    self.user_messages.add(message_id, observation)
                    yield observation
            if not self.at_line and (name := as_string(call.get("agentId"))):
                yield from self._read_subagent(name, line)


def _skip_summaries(messages: list[object]) -> Iterator[JsonObject]:
    """Yield the messages of a rewritten chat, without its summaries and their acknowledgements."""
    parsed = [as_object(message) for message in messages]
    acknowledgements = [
        index
        for index, message in enumerate(parsed)
        if message.get("type") == "gemini" and _get_text(message.get("content")).strip() == ACKNOWLEDGEMENT
    ]
    removed = {*acknowledgements, *(index - 1 for index in acknowledgements)}
    yield from (message for index, message in enumerate(parsed) if index not in removed)


def _get_text(content: object) -> str:
    """Return the text of a message: a string, a part, or a list of parts. Function responses and thoughts are not text."""
    if isinstance(content, str):
        return content
    parts: list[object] = [as_object(content)] if as_object(content) else as_list(content)
    parts = [part for part in parts if not as_object(part).get("thought")]
    return "\n".join(filter(None, (as_string(as_object(part).get("text")) or as_string(part) for part in parts)))


def remove_injected_text(text: str) -> str:
    """Remove the text that hooks and the client added to a user message."""
    if "<" in text or "---" in text:
        for pattern in (_INJECTED_TEXT, _REFERENCED_FILES):
            text = pattern.sub("", text)
    if "&lt;openception-skill-extraction" in text:  # the client escapes the text of hooks
        text = html.unescape(text)
    return text.strip()


def _get_result(call: JsonObject) -> tuple[str, str]:
    """Return a call's output and error, from its function responses; if they have neither, the output is the displayed result."""
    outputs: list[str] = []
    errors: list[str] = []
    for value in as_list(call.get("result")):
        response = as_object(as_object(as_object(value).get("functionResponse")).get("response"))
        outputs.append(as_string(response.get("output")))
        errors.append(as_string(response.get("error")))
    output, error = "\n".join(filter(None, outputs)), "\n".join(filter(None, errors))
    return output or ("" if error else as_string(call.get("resultDisplay"))), error


def list_typed_answers(call: JsonObject) -> list[str]:
    """Return what the user typed in answer to a call: answers of their own to questions, or a comment on a plan."""
    name, (output, _) = call.get("name"), _get_result(call)
    if name == "exit_plan_mode":
        comment = _PLAN_COMMENT.match(output)
        return [comment[1]] if comment else []
    if name != "ask_user":
        return []
    answers = as_object(parse_object(output).get("answers"))
    questions = as_list(as_object(call.get("args")).get("questions"))[: builders.MAX_QUESTIONS]
    typed = [
        builders.remove_chosen_labels(as_string(answers.get(str(index))), as_object(question))
        for index, question in enumerate(questions)
        if as_object(question).get("type") != "yesno"
    ]
    return [answer for answer in typed if answer]


def build_tool_call(
    call: JsonObject,
    status: str,
    line: int,
    at: int | None,
    agent: Agent,
    typed: list[str] | None = None,
    *,
    has_other_content: bool = False,
) -> Observation:
    """Build the observation of a call. ``status`` is the status that the client reported; ``typed`` is what the user typed."""
    name, arguments = as_string(call.get("name")), as_object(call.get("args"))
    action: Action = SPEC.tools.get(name, "mcp")  # type: ignore[assignment]
    output, error = _get_result(call)
    output = builders.remove_typed_texts(output, typed or [], arguments)
    exit_code: int | None = None
    outcome = _get_outcome(status, error or output)
    if action == "run" and status == "success":
        output, exit_code, outcome = _parse_command_output(output)
    is_change = action in ("edit", "write")
    return builders.build_tool_call(
        name,
        action,
        line=line,
        at=at,
        agent=agent,
        command=_get_command(name, arguments),
        arguments=arguments,
        files=tuple(
            as_string(arguments.get(key))
            for key in ("file_path", "absolute_path", "dir_path", "path")
            if as_string(arguments.get(key))
        ),
        removed=as_string(arguments.get("old_string")) if is_change else "",
        added=get_first_string(arguments, "new_string", "content") if is_change else "",
        output=output or error,
        outcome=outcome,
        exit_code=exit_code,
        error=error,
        has_other_content=has_other_content
        or any(not as_object(part).keys() <= {"functionResponse", "text"} for part in as_list(call.get("result"))),
    )


def _parse_command_output(text: str) -> tuple[str, int | None, ToolOutcome]:
    """Return a command's output without what the client adds to it, its exit code, and its outcome.

    The exit code is None if the command has not ended, or was ended by a signal.
    """
    output, _, additions = text.rpartition(_WRAPPER_END) if text.startswith(_WRAPPER) else (text, "", "")
    output = output.removeprefix(_WRAPPER).rstrip()
    labels: dict[str, str] = {}
    while label := _LABEL.fullmatch(output, output.rfind("\n") + 1):
        if label[1] in labels or (label[1] == "Error" and label[2] != "(none)"):
            break
        labels[label[1]] = label[2]
        output = output[: max(0, label.start() - 1)]
    for message, outcome in _COMMAND_MESSAGES.items():
        if not labels and output.startswith(message):
            return output + additions, None, outcome
    if start := _OUTPUT_START.match(output):
        output = output[start.end() :]
        output = _STDERR.sub("", output, count=1) if "Stdout: " in start[0] else output
    output = (output + additions).rstrip()
    if labels.get("Signal", "0") not in _NO_SIGNAL:
        return output, None, "failed"
    code = labels.get("Exit Code", "0")
    exit_code = int(code) if _INTEGER.fullmatch(code) else None
    return output, exit_code, "failed" if exit_code else "ok"


def _get_outcome(status: str, text: str) -> ToolOutcome:
    if status == "cancelled":
        return "rejected" if _REJECTED.search(text[:500]) else "aborted"
    if status == "error":
        return "denied" if _DENIED.search(text[:500]) else "failed"
    return "ok"


def _get_command(name: str, arguments: JsonObject) -> str:
    """Return the main argument of a call, such as its command, pattern, query, prompt or plan."""
    if name == "write_todos":
        return "\n".join(as_string(as_object(todo).get("description")) for todo in as_list(arguments.get("todos")))
    return get_first_string(
        arguments, "command", "pattern", "url", "query", "prompt", "objective", "title", "fact", "name"
    )
