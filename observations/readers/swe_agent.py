"""SWE-agent trajectories: one JSON document, ``line`` is the 1-based step.

A step is a thought, an action (one of the agent's own commands, or a shell command) and what came back. The host states
no exit codes: its own commands say in words whether they did what they were asked, and of a shell command nothing is
known but a time-out, unless the environment prints its own marker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mind_skills.hosts.swe_agent import TOOLS
from mind_skills.observations import build, wrappers
from mind_skills.observations.codec import Json, items, loads_object, mapping, string
from mind_skills.observations.logfile import read_document
from mind_skills.observations.model import Action, Observation, Session, ToolOutcome
from mind_skills.redaction.lazy_pattern import compile_later

FORMAT = "swe-agent-traj"
HOST = "swe-agent"

_SNIFF = compile_later(rb'"trajectory"\s*:\s*\[')
_STEP = compile_later(rb'"(?:action|observation|thought|response)"\s*:')
_FAILED = compile_later(
    r"\s*(?:Your proposed edit has introduced new syntax error|Your (?:proposed )?edit was not applied|No replacement was performed|"
    r"Text not found|Text .{1,200} not found|Invalid|Usage:|Error: |ERROR: |No file open|File .{1,300} not found|"
    r"The path .{1,300} does not exist|Multiple occurrences|Your command .{0,300}(?:not executed|blocked))",
    re.DOTALL,
)
_TIMED_OUT = compile_later(
    r"EXECUTION TIMED OUT|\bThe command .{0,500} was cancelled because it took more than|CommandTimeoutError"
)
_TIMED_OUT_WORDS = ("EXECUTION TIMED OUT", "was cancelled because", "CommandTimeoutError")
"""Whatever it matches holds one of these."""
_MARKER = compile_later(r"///PROCESS-DONE:(-?\d{1,5}):PROCESS-DONE///")
_EDIT = compile_later(r"(?:edit|insert)\b[^\n]*\n(.*?)(?:\n?end_of_(?:edit|insert)\s*)?\Z", re.DOTALL)
_EDITOR = {"view": "read", "create": "write", "str_replace": "edit", "insert": "edit", "undo_edit": "edit"}
# What the harnesses put around the task that they give to the agent.
_DESCRIBED, _ENDS = "<pr_description>", "</pr_description>"
_INTRODUCED = "Consider the following PR description:"
_LEAD = compile_later(
    r"\A\s*We're currently solving the following [^\n]{1,80}?\. (?:Here's the issue text:\s*ISSUE:\s*)?"
)
_TAIL = compile_later(r"^[^\S\n]*INSTRUCTIONS:[^\S\n]*$.*", re.MULTILINE | re.DOTALL)
_MACHINE = frozenset({"exit_cost", "exit_context", "exit_format", "exit_forfeit", "skip"})


class _Act(NamedTuple):
    """What an action does: the agent's own command, or ``run`` for the shell."""

    tool: str
    action: Action
    command: str
    files: tuple[str, ...]
    removed: str
    added: str


def sniff(head: bytes) -> bool:
    """Whether the first bytes of a file look like this format."""
    text = head.lstrip(b"\xef\xbb\xbf \r\n\t\x00")
    found = _SNIFF.search(text) if text.startswith(b"{") and b"}\n{" not in text and b'"trajectory"' in text else None
    return found is not None and (bool(_STEP.search(text, found.end())) or b'"environment"' in text[: found.start()])


def read(path: Path, session: Session) -> Iterator[Observation]:
    """Yield the observations of a trajectory; fills the header of ``session`` first.

    Raises:
        OSError: the file cannot be read.
    """
    data = read_document(path, session)
    session.session_id = path.name.removesuffix(".traj")
    session.end_reason = string(mapping(data.get("info")).get("exit_status"))
    steps = items(data.get("trajectory"))
    if steps and (prompt := build.said("user", task_of(_task(items(data.get("history")))), line=1)):
        yield prompt
    opened = ""
    for number, value in enumerate(steps, 1):
        session.lines = number
        step = mapping(value)
        if thought := build.said("assistant", string(step.get("thought")), line=number):
            yield thought
        action = string(step.get("action")).strip()
        before, opened = opened, _open_file(step) or opened
        if action and action not in _MACHINE:
            yield _tool(_act(action, before or opened), string(step.get("observation")), number)


def task_of(prompt: str) -> str:
    """The task of a harness's prompt; the prompt itself where it is of no known template."""
    _, opened, rest = prompt.partition(_DESCRIBED)
    described, closed, _ = rest.partition(_ENDS)
    if opened and closed:
        return described.strip().removeprefix(_INTRODUCED).strip()
    return _TAIL.sub("", _LEAD.sub("", prompt, count=1), count=1).strip() or prompt


def _task(history: list[object]) -> str:
    """The issue that the agent was given: the first user message that is not a demonstration."""
    for value in history[:20]:
        entry = mapping(value)
        if (
            entry.get("role") == "user"
            and entry.get("is_demo") is not True
            and entry.get("message_type") != "demonstration"
        ):
            content = entry.get("content")
            return string(content) or "\n".join(string(mapping(part).get("text")) for part in items(content))
    return ""


def _open_file(step: Json) -> str:
    """The file that the agent's editor shows after the step; the state is an object, or JSON in a string."""
    state = step.get("state")
    name = string((loads_object(state) if isinstance(state, str) else mapping(state)).get("open_file"))
    return "" if name == "n/a" else name


def _act(action: str, opened: str) -> _Act:
    name = action.split(None, 1)[0] if action.split() else ""
    kind: Action = TOOLS.get(name, "run")  # type: ignore[assignment]
    if kind == "run":
        return _Act("bash", "run", action, (), "", "")
    words = wrappers.split_words(action)
    first = action.split("\n", 1)[0]
    if name == "str_replace_editor":
        return _editor(words, first)
    if name in ("edit", "insert", "append"):
        removed, added = _edited(action, words)
        return _Act(name, kind, first, (opened,) if opened else (), removed, added)
    named = (
        words[1:2]
        if name in ("open", "create", "view_image", "filemap")
        else [opened]
        if name in ("goto", "scroll_up")
        else []
    )
    if name in ("search_file", "find_file", "search_dir"):
        named = words[2:3] if name == "search_file" else []
    return _Act(name, kind, first, tuple(word for word in named if word), "", "")


def _edited(action: str, words: list[str]) -> tuple[str, str]:
    """Removed and added text: ``edit 'old' 'new'``, or a line range and the new text below it."""
    body = _EDIT.match(action)
    if body and re.match(r"(?:edit|insert)(?:[ \t]+\d+:?\d*)?[ \t]*\n", action):
        return "", body[1]
    if words[0] == "edit" and len(words) >= 3:
        return words[1], words[2]
    return "", " ".join(words[1:2])


def _editor(words: list[str], first: str) -> _Act:
    """``str_replace_editor COMMAND PATH --old_str ... --new_str ...``."""
    verb = words[1] if len(words) > 1 else ""
    kind: Action = _EDITOR.get(verb, "other")  # type: ignore[assignment]
    given = {words[at]: words[at + 1] for at in range(2, len(words) - 1) if words[at].startswith("--")}
    file = next((word for word in words[2:3] if not word.startswith("--")), given.get("--path", ""))
    added = given.get("--new_str", "") or given.get("--file_text", "")
    changes = kind in ("edit", "write")
    return _Act(
        "str_replace_editor",
        kind,
        first,
        (file,) if file else (),
        given.get("--old_str", "") if changes else "",
        added if changes else "",
    )


def _tool(act: _Act, printed: str, line: int) -> Observation:
    marker = _MARKER.search(printed) if "///PROCESS-DONE:" in printed else None
    code = int(marker[1]) if marker else None
    text = (_MARKER.sub("", printed) if marker else printed).replace("\r", "")
    outcome: ToolOutcome
    if code is not None:
        outcome = "ok" if code == 0 else "failed"
    elif any(map((head := text[:2_000]).__contains__, _TIMED_OUT_WORDS)) and _TIMED_OUT.search(head):
        outcome = "aborted"  # the harness killed it: whether the command was wrong is not known
    elif act.action == "run":
        outcome = "unknown"
    else:
        outcome = "failed" if act.tool != "submit" and _FAILED.match(text) else "ok"
    return build.tool(
        act.tool,
        act.action,
        line=line,
        command=act.command,
        files=act.files,
        removed=act.removed,
        added=act.added,
        output=text,
        outcome=outcome,
        exit_code=code,
    )
