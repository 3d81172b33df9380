"""Reader for SWE-agent trajectories: one JSON document. ``line`` is the 1-based step.

A step has a thought, an action (a built-in command or a shell command) and the action's output. There are no exit codes, unless the
environment prints a marker with the exit code. Without the marker, a command that timed out counts as aborted. Any other built-in
command succeeded unless its output begins with an error message (``_FAILED``); the outcome of any other shell command is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mind_skills.hosts import map_tools
from mind_skills.observations import builders, shell
from mind_skills.observations.codec import JsonObject, as_list, as_object, as_string, parse_object
from mind_skills.observations.logfile import read_document
from mind_skills.observations.model import Action, Observation, Session, ToolOutcome
from mind_skills.redaction.lazy_pattern import compile_lazily

TOOLS = map_tools(
    read="open goto scroll_up scroll_down filemap view_image decompile disassemble",
    search="search_dir search_file find_file",
    edit="edit insert append undo_edit str_replace_editor",
    write="create",
    other="set_cursors submit exit_cost exit_context exit_format exit_forfeit skip",
)
"""The built-in commands; any other action is a shell command."""

_FAILED = compile_lazily(
    r"\s*(?:Your proposed edit has introduced new syntax error|Your (?:proposed )?edit was not applied|No replacement was performed|"
    r"Text not found|Text .{1,200} not found|Invalid|Usage:|Error: |ERROR: |No file open|File .{1,300} not found|"
    r"The path .{1,300} does not exist|Multiple occurrences|Your command .{0,300}(?:not executed|blocked))",
    re.DOTALL,
)
_TIMED_OUT = compile_lazily(
    r"EXECUTION TIMED OUT|\bThe command .{0,500} was cancelled because it took more than|CommandTimeoutError"
)
_TIMED_OUT_WORDS = ("EXECUTION TIMED OUT", "was cancelled because", "CommandTimeoutError")
"""Every match of ``_TIMED_OUT`` contains one of these."""
_EXIT_MARKER = compile_lazily(r"///PROCESS-DONE:(-?\d{1,5}):PROCESS-DONE///")
_EDIT_BODY = compile_lazily(r"(?:edit|insert)\b[^\n]*\n(.*?)(?:\n?end_of_(?:edit|insert)\s*)?\Z", re.DOTALL)
_EDITOR_ACTIONS = {"view": "read", "create": "write", "str_replace": "edit", "insert": "edit", "undo_edit": "edit"}
# Text with which harnesses surround the task.
_TASK_START, _TASK_END = "<pr_description>", "</pr_description>"
_TASK_INTRODUCTION = "Consider the following PR description:"
_PROMPT_INTRODUCTION = compile_lazily(
    r"\A\s*We're currently solving the following [^\n]{1,80}?\. (?:Here's the issue text:\s*ISSUE:\s*)?"
)
_INSTRUCTIONS = compile_lazily(r"^[^\S\n]*INSTRUCTIONS:[^\S\n]*$.*", re.MULTILINE | re.DOTALL)
_IGNORED_ACTIONS = frozenset({"exit_cost", "exit_context", "exit_format", "exit_forfeit", "skip"})


class _Action(NamedTuple):
    """A parsed action: a built-in command, or a shell command with the action ``run``."""

    tool: str
    action: Action
    command: str
    files: tuple[str, ...]
    removed: str
    added: str


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of a trajectory, and fill the header of ``session``. Raises OSError."""
    data = read_document(path, session)
    session.session_id = path.name.removesuffix(".traj")
    session.end_reason = as_string(as_object(data.get("info")).get("exit_status"))
    steps = as_list(data.get("trajectory"))
    if steps and (
        prompt := builders.build_message("user", extract_task(_find_task(as_list(data.get("history")))), line=1)
    ):
        yield prompt
    open_file = ""
    for line, value in enumerate(steps, 1):
        session.lines = line
        step = as_object(value)
        if thought := builders.build_message("assistant", as_string(step.get("thought")), line=line):
            yield thought
        action = as_string(step.get("action")).strip()
        open_file = _get_open_file(step) or open_file
        if action and action not in _IGNORED_ACTIONS:
            parsed = _parse_action(action, open_file)
            yield _build_call(parsed, as_string(step.get("observation")), line)


def extract_task(prompt: str) -> str:
    """Extract the task from a harness's prompt, or return the prompt itself if its template is not recognised."""
    _, opening_tag, rest = prompt.partition(_TASK_START)
    description, closing_tag, _ = rest.partition(_TASK_END)
    if opening_tag and closing_tag:
        return description.strip().removeprefix(_TASK_INTRODUCTION).strip()
    return _INSTRUCTIONS.sub("", _PROMPT_INTRODUCTION.sub("", prompt, count=1), count=1).strip() or prompt


def _find_task(history: list[object]) -> str:
    """Return the task that the agent received: the first user message that is not a demonstration."""
    for value in history[:20]:
        entry = as_object(value)
        if (
            entry.get("role") == "user"
            and entry.get("is_demo") is not True
            and entry.get("message_type") != "demonstration"
        ):
            return get_text(entry.get("content"))
    return ""


def get_text(content: object) -> str:
    """Return the text of a message, which is a string or a list of text blocks."""
    return as_string(content) or "\n".join(as_string(as_object(block).get("text")) for block in as_list(content))


def _get_open_file(step: JsonObject) -> str:
    """Return the open file in a step's ``state``, which is an object or a string with JSON.

    Older versions record the state before the action, newer ones the state after it. An action that uses the open file does not
    change which file is open, so either is the file that it uses.
    """
    state = step.get("state")
    name = as_string((parse_object(state) if isinstance(state, str) else as_object(state)).get("open_file"))
    return "" if name == "n/a" else name


def _parse_action(action: str, open_file: str) -> _Action:
    name = action.split(None, 1)[0] if action.split() else ""
    kind: Action = TOOLS.get(name, "run")  # type: ignore[assignment]
    if kind == "run":
        return _Action("bash", "run", action, (), "", "")
    words = shell.split_words(action)
    first_line = action.split("\n", 1)[0]
    if name == "str_replace_editor":
        return _parse_editor_command(words, first_line)
    if name in ("edit", "insert", "append"):
        removed, added = _parse_edit(action, words)
        return _Action(name, kind, first_line, (open_file,) if open_file else (), removed, added)
    files: list[str] = []
    if name in ("open", "create", "view_image", "filemap"):
        files = words[1:2]
    elif name in ("goto", "scroll_up", "scroll_down"):
        files = [open_file]
    elif name == "search_file":
        files = words[2:3]
    return _Action(name, kind, first_line, tuple(word for word in files if word), "", "")


def _parse_edit(action: str, words: list[str]) -> tuple[str, str]:
    """Return the removed and the added text of ``edit 'old' 'new'``, or of a command that only contains the added text."""
    body = _EDIT_BODY.match(action)
    if body and re.match(r"(?:edit|insert)(?:[ \t]+\d+:?\d*)?[ \t]*\n", action):
        return "", body[1]
    if words[0] == "edit" and len(words) >= 3:
        return words[1], words[2]
    return "", " ".join(words[1:2])


def _parse_editor_command(words: list[str], first_line: str) -> _Action:
    """Parse ``str_replace_editor COMMAND PATH --old_str ... --new_str ...``."""
    verb = words[1] if len(words) > 1 else ""
    kind: Action = _EDITOR_ACTIONS.get(verb, "other")  # type: ignore[assignment]
    options = {words[index]: words[index + 1] for index in range(2, len(words) - 1) if words[index].startswith("--")}
    file = next((word for word in words[2:3] if not word.startswith("--")), options.get("--path", ""))
    added = options.get("--new_str", "") or options.get("--file_text", "")
    is_change = kind in ("edit", "write")
    return _Action(
        "str_replace_editor",
        kind,
        first_line,
        (file,) if file else (),
        options.get("--old_str", "") if is_change else "",
        added if is_change else "",
    )


def _build_call(action: _Action, printed: str, line: int) -> Observation:
    marker = _EXIT_MARKER.search(printed) if "///PROCESS-DONE:" in printed else None
    code = int(marker[1]) if marker else None
    text = (_EXIT_MARKER.sub("", printed) if marker else printed).replace("\r", "")
    outcome: ToolOutcome
    if code is not None:
        outcome = "ok" if code == 0 else "failed"
    elif any(map((head := text[:2_000]).__contains__, _TIMED_OUT_WORDS)) and _TIMED_OUT.search(head):
        outcome = "aborted"  # the harness killed the command, which may have been correct
    elif action.action == "run":
        outcome = "unknown"
    else:
        outcome = "failed" if action.tool != "submit" and _FAILED.match(text) else "ok"
    return builders.build_tool_call(
        action.tool,
        action.action,
        line=line,
        command=action.command,
        files=action.files,
        removed=action.removed,
        added=action.added,
        output=text,
        outcome=outcome,
        exit_code=code,
    )
