"""The tools of an acting agent. Each acts in the run's sandbox, records the call, and returns the text that the agent reads.

Results have the form, the limits and the error texts of Claude Code's tools of the same name.
"""

from __future__ import annotations

import json
import posixpath
import re
import sys
from collections.abc import Callable
from typing import Any

from mind_skills.learning.skills.files import FILE_NAME
from mind_skills.observations.codec import as_object, as_string
from research.evaluation.helps.runs import Run
from research.evaluation.helps.sandbox import HOME, PROJECT
from research.evaluation.helps.skills import SKILLS_FOLDER, parse_skill
from research.evaluation.helps.transcript import LOGS

DEFAULT_TIMEOUT, MAX_TIMEOUT = 120, 600
"""Seconds."""
MAX_OUTPUT, PREVIEW, MAX_ERROR = 30_000, 2_000, 10_000
"""Characters of an output; of the beginning that is shown of a longer one; and of the output of a failed call."""
MAX_LINES, MAX_LINE, MAX_READ = 2_000, 2_000, 100_000
"""Lines that are read at once, characters of a line, and characters in all."""
EMPTY = "(Bash completed with no output)"
_HARMLESS_EXITS = {
    "grep": "No matches found",
    "rg": "No matches found",
    "find": "Some directories were inaccessible",
    "diff": "Files differ",
    "test": "Condition is false",
    "[": "Condition is false",
}
"""Programs whose exit code 1 is no failure, and what the client calls it."""
_SEPARATORS = re.compile(r"\|\||&&|[|;\n]")
_WRITE = 'mkdir -p -- "$(dirname -- "$1")" && cat > "$1"'


class ToolError(Exception):
    """A call that failed; the text is what the agent reads."""


def run_command(run: Run, command: str, timeout: int = DEFAULT_TIMEOUT) -> str:
    """Run a shell command in the project; ``timeout`` is in seconds. A failed one may be answered with a reminder."""
    inputs: dict[str, Any] = {"command": command}
    if timeout != DEFAULT_TIMEOUT:
        inputs["timeout"] = min(timeout, MAX_TIMEOUT) * 1000
    call_id = run.transcript.add_call("Bash", inputs)
    ended = run.sandbox.run(
        ["bash", "-c", command],
        timeout=min(timeout, MAX_TIMEOUT),
        environment={"CLAUDE_CODE_SESSION_ID": run.facts.session},
    )
    output = ended.text.lstrip("\n").rstrip()
    note = _HARMLESS_EXITS.get(_find_last_program(command), "") if ended.code == 1 else ""
    if ended.code and not note:
        if ended.timed_out:
            output = f"Command timed out after {_format_duration(min(timeout, MAX_TIMEOUT))}\n{output}".rstrip()
        text = cut_middle(f"Exit code {ended.code}\n{output}".rstrip())
        run.transcript.add_result(call_id, text, None)
        reminder = run.ask_for_reminder(call_id, inputs, text)
        return f"{text}\n\n{reminder}" if reminder else text
    record = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}
    if note:
        record["returnCodeInterpretation"] = note
    text = output or EMPTY
    if len(output) > MAX_OUTPUT:
        text = record["stdout"] = _store_output(run, call_id, output)
    run.transcript.add_result(call_id, text, record)
    return text


def read_file(run: Run, path: str, lines: tuple[int, int] | None = None) -> str:
    """Read a file, or the ``lines`` (first, last) of it."""
    file = _resolve(path)
    first, limit = (lines[0], max(1, lines[1] - lines[0] + 1)) if lines else (1, MAX_LINES)

    def act() -> Answer:
        every = _read(run, file).removesuffix("\n").split("\n")
        chosen = every[first - 1 :][:limit]
        text = "\n".join(f"{number}\t{line[:MAX_LINE]}" for number, line in enumerate(chosen, first))
        if len(text) > MAX_READ:
            raise ToolError("File content exceeds maximum allowed tokens (25000). Use offset and limit to read a part.")
        shown: dict[str, Any] = {"filePath": file, "content": "\n".join(chosen), "numLines": len(chosen)}
        return text, {"type": "text", "file": {**shown, "startLine": first, "totalLines": len(every)}}

    return _call(run, "Read", {"file_path": file, **({"offset": first, "limit": limit} if lines else {})}, act)


def edit_file(run: Run, path: str, old: str, new: str, *, replaces_all: bool = False) -> str:
    """Replace the only occurrence of ``old`` in a file, or all of them."""
    file = _resolve(path)

    def act() -> Answer:
        content = _read(run, file)
        if "\ufffd" in content:  # what is no UTF-8 would be written back as something else
            raise ToolError("The file is not UTF-8 text, so it cannot be edited.")
        count = content.count(old) if old else 0
        if old == new:
            raise ToolError("No changes to make: old_string and new_string are exactly the same.")
        if not count:
            raise ToolError(f"String to replace not found in file.\nString: {old}")
        if count > 1 and not replaces_all:
            raise ToolError(
                f"Found {count} matches of the string to replace, but replace_all is false. To replace all occurrences,"
                " set replace_all to true. To replace only one occurrence, please provide more context to uniquely"
                f" identify the instance.\nString: {old}"
            )
        _write(run, file, content.replace(old, new))
        record: dict[str, Any] = {
            "filePath": file,
            "oldString": old,
            "newString": new,
            "originalFile": None,
            "structuredPatch": [],
        }
        return f"The file {file} has been updated successfully.", {**record, "replaceAll": replaces_all}

    inputs = {"file_path": file, "old_string": old, "new_string": new, "replace_all": replaces_all}
    return _call(run, "Edit", inputs, act)


def write_file(run: Run, path: str, content: str) -> str:
    """Write a whole file."""
    file = _resolve(path)

    def act() -> Answer:
        exists = _exists(run, file)
        _write(run, file, content)
        text = f"The file {file} has been updated successfully." if exists else f"File created successfully at: {file}"
        kind = "update" if exists else "create"
        return text, {"type": kind, "filePath": file, "content": content, "structuredPatch": [], "originalFile": None}

    return _call(run, "Write", {"file_path": file, "content": content}, act)


def load_skill(run: Run, name: str) -> str:
    """Load a skill of the project by its name. The client adds its text as a message."""
    folder = f"{PROJECT}/{SKILLS_FOLDER}/{name}"

    def act() -> Answer:
        if not re.fullmatch(r"[\w.-]+", name) or not _exists(run, f"{folder}/{FILE_NAME}"):
            raise ToolError(f"Unknown skill: {name}")
        return f"Launching skill: {name}", {"success": True, "commandName": name}

    def add_text() -> str:
        body = parse_skill(_read(run, f"{folder}/{FILE_NAME}")).body
        return f"Base directory for this skill: {folder}\n\n{body}"

    return _call(run, "Skill", {"skill": name}, act, add_text)


Answer = tuple[str, dict[str, Any]]
"""What the agent reads, and the client's own record of it."""


def _call(
    run: Run, tool: str, inputs: dict[str, Any], act: Callable[[], Answer], add_text: Callable[[], str] | None = None
) -> str:
    """Record a call and its result, and after a call that did not fail, the text that the client adds."""
    call_id = run.transcript.add_call(tool, inputs)
    try:
        text, record = act()
    except ToolError as error:
        text = f"<tool_use_error>{error}</tool_use_error>"
        run.transcript.add_result(call_id, text, None)
        return text
    run.transcript.add_result(call_id, text, record)
    if add_text is None:
        return text
    added = add_text()
    run.transcript.add_machine_text(call_id, added)
    return f"{text}\n\n{added}"


def cut_middle(text: str) -> str:
    """Cut the middle of the output of a failed call, as the client does."""
    if len(text) <= MAX_ERROR:
        return text
    half = MAX_ERROR // 2
    return f"{text[:half]}\n\n... [{len(text) - MAX_ERROR} characters truncated] ...\n\n{text[-half:]}"


def read_edit(text: str) -> tuple[str, str, bool]:
    """Return (old, new, is every occurrence meant) of a JSON object. Raises ValueError."""
    fields = as_object(json.loads(text))
    if not {"old", "new"} <= set(fields):
        raise ValueError('expected {"old": "...", "new": "..."}, and "all": true to replace every occurrence')
    return as_string(fields["old"]), as_string(fields["new"]), fields.get("all") is True


def _exists(run: Run, file: str) -> bool:
    return not run.sandbox.run(["test", "-e", file]).code


def _read(run: Run, file: str) -> str:
    """Return the content of a file. Raises ToolError."""
    ended = run.sandbox.run(["cat", "--", file])
    if ended.code and not _exists(run, file):
        raise ToolError(f"File does not exist. Note: your current working directory is {PROJECT}.")
    if ended.code:
        raise ToolError(cut_middle(ended.text.strip()))
    return ended.text


def _write(run: Run, file: str, content: str) -> None:
    """Write a file, and the folders above it. Raises ToolError."""
    ended = run.sandbox.run(["sh", "-c", _WRITE, "sh", file], stdin=content.encode("utf-8", "surrogateescape"))
    if ended.code:
        raise ToolError(ended.text.strip())


def _resolve(path: str) -> str:
    return posixpath.normpath(posixpath.join(PROJECT, path))


def _find_last_program(command: str) -> str:
    words = _SEPARATORS.split(command.strip())[-1].split()
    return posixpath.basename(words[0]) if words else ""


def _store_output(run: Run, call_id: str, output: str) -> str:
    """Write a long output to a file of the session, as the client does, and return what the agent reads."""
    name = f"{LOGS}/{run.facts.session}/tool-results/{call_id}.txt"
    path = run.sandbox.home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(output, encoding="utf-8")
    size = f"{len(output.encode()) / 1024:.1f}KB"
    return (
        f"<persisted-output>\nOutput too large ({size}). Full output saved to: {HOME}/{name}\n\n"
        f"Preview (first 2KB):\n{output[:PREVIEW]}\n...\n</persisted-output>"
    )


def _format_duration(seconds: int) -> str:
    return f"{seconds // 60}m {seconds % 60}s" if seconds >= 60 else f"{seconds}s"


def read_stdin() -> str:
    """Return what was piped to the command; "" on a terminal."""
    return "" if sys.stdin.isatty() else sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
