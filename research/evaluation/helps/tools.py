"""The tools of an acting agent. Each acts in the run's sandbox, records the call, and returns the text that the agent reads.

Results have the form, the limits and the error texts of Claude Code's tools of the same name.
"""

from __future__ import annotations

import json
import posixpath
import re
import sys
from typing import Any

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
    inputs: dict[str, Any] = {"file_path": _resolve(path)}
    if lines:
        inputs |= {"offset": lines[0], "limit": max(1, lines[1] - lines[0] + 1)}
    call_id = run.transcript.add_call("Read", inputs)
    try:
        content = _read(run, inputs["file_path"])
        every = content.split("\n")
        if every[-1] == "":
            del every[-1]
        first = inputs.get("offset", 1)
        chosen = every[first - 1 :][: inputs.get("limit", MAX_LINES)]
        text = "\n".join(f"{number}\t{line[:MAX_LINE]}" for number, line in enumerate(chosen, first))
        if len(text) > MAX_READ:
            raise ToolError("File content exceeds maximum allowed tokens (25000). Use offset and limit to read a part.")
    except ToolError as error:
        return _fail(run, call_id, str(error))
    shown = {"filePath": inputs["file_path"], "content": "\n".join(chosen)}
    counts = {"numLines": len(chosen), "startLine": first, "totalLines": len(every)}
    text = text or "<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>"
    run.transcript.add_result(call_id, text, {"type": "text", "file": shown | counts})
    return text


def edit_file(run: Run, path: str, old: str, new: str, *, replaces_all: bool = False) -> str:
    """Replace the only occurrence of ``old`` in a file, or all of them."""
    file = _resolve(path)
    inputs = {"file_path": file, "old_string": old, "new_string": new, "replace_all": replaces_all}
    call_id = run.transcript.add_call("Edit", inputs)
    try:
        content = _read(run, file)
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
    except ToolError as error:
        return _fail(run, call_id, str(error))
    text = f"The file {file} has been updated successfully."
    record = {"filePath": file, "oldString": old, "newString": new, "originalFile": None, "structuredPatch": []}
    run.transcript.add_result(call_id, text, {**record, "userModified": False, "replaceAll": replaces_all})
    return text


def write_file(run: Run, path: str, content: str) -> str:
    """Write a whole file."""
    file = _resolve(path)
    call_id = run.transcript.add_call("Write", {"file_path": file, "content": content})
    exists = not run.sandbox.run(["test", "-e", file]).code
    try:
        _write(run, file, content)
    except ToolError as error:
        return _fail(run, call_id, str(error))
    text = f"The file {file} has been updated successfully." if exists else f"File created successfully at: {file}"
    record = {"type": "update" if exists else "create", "filePath": file, "content": content, "structuredPatch": []}
    run.transcript.add_result(call_id, text, {**record, "originalFile": None, "userModified": False})
    return text


def load_skill(run: Run, name: str) -> str:
    """Load a skill of the project by its name."""
    call_id = run.transcript.add_call("Skill", {"skill": name})
    folder = f"{PROJECT}/{SKILLS_FOLDER}/{name}"
    try:
        if not re.fullmatch(r"[\w.-]+", name):
            raise ToolError(f"Unknown skill: {name}")
        body = parse_skill(_read(run, f"{folder}/SKILL.md")).body
    except ToolError:
        return _fail(run, call_id, f"Unknown skill: {name}")
    text, body = f"Launching skill: {name}", f"Base directory for this skill: {folder}\n\n{body}"
    run.transcript.add_result(call_id, text, {"success": True, "commandName": name})
    run.transcript.add_machine_text(call_id, body)
    return f"{text}\n\n{body}"


def cut_middle(text: str) -> str:
    """Cut the middle of the output of a failed call, as the client does."""
    if len(text) <= MAX_ERROR:
        return text
    half = MAX_ERROR // 2
    return f"{text[:half]}\n\n... [{len(text) - MAX_ERROR} characters truncated] ...\n\n{text[-half:]}"


def read_edit(text: str) -> tuple[str, str, bool]:
    """Return (old, new, is every occurrence meant) of a JSON object. Raises ValueError."""
    fields = json.loads(text)
    if not isinstance(fields, dict) or not {"old", "new"} <= set(fields):  # type: ignore[arg-type]
        raise ValueError('expected {"old": "...", "new": "..."}, and "all": true to replace every occurrence')
    return str(fields["old"]), str(fields["new"]), fields.get("all") is True  # type: ignore[index]


def _read(run: Run, file: str) -> str:
    """Return the content of a file. Raises ToolError."""
    ended = run.sandbox.run(["cat", "--", file])
    if not ended.code:
        return ended.text
    if run.sandbox.run(["test", "-e", file]).code:
        raise ToolError(f"File does not exist. Note: your current working directory is {PROJECT}.")
    raise ToolError(ended.text.strip())


def _write(run: Run, file: str, content: str) -> None:
    ended = run.sandbox.run(["sh", "-c", _WRITE, "sh", file], stdin=content.encode("utf-8", "surrogateescape"))
    if ended.code:
        raise ToolError(ended.text.strip())


def _fail(run: Run, call_id: str, message: str) -> str:
    text = f"<tool_use_error>{message}</tool_use_error>"
    run.transcript.add_result(call_id, text, None)
    return text


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
