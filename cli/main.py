"""The one place where a command line ends: in its output, or in an error and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from mind_skills.errors import DONE, INTERRUPTED, CodedError, MindSkillsError, as_error

Runner = Callable[[list[str], bool], int]
"""Given the arguments, and whether JSON is asked for: the exit code."""


def execute(arguments: list[str], run: Runner | None = None) -> int:
    """Run the command that ``arguments`` name and return the exit code. ``run`` is that of another program than `mind-skills`.

    Every way a command can end is turned into output here and nowhere else: a result, a usage error, an error of the user's, a bug, an
    interruption, a reader of our output that went away.
    """
    as_json = _wants_json(arguments)
    _stand_in_for_closed_streams()
    _tolerate_narrow_encodings()
    try:
        try:
            return _run(arguments, as_json, run)
        except KeyboardInterrupt:
            return _fail(MindSkillsError("interrupted", "Interrupted."), as_json)
    except BrokenPipeError:
        # `mind-skills ... | head`: the reader has what it wanted. Without this the interpreter complains when it flushes at exit.
        _throw_away_stdout()
        return DONE


def _run(arguments: list[str], as_json: bool, run: Runner | None) -> int:
    try:
        code = run(arguments, as_json) if run is not None else None
        if run is None and "status" in arguments:
            from mind_skills.cli.overview import print_plain

            code = print_plain(arguments)
        if code is None:
            # The parser of arguments costs more than `status` may as a whole.
            from mind_skills.cli import group

            code = group.run(arguments, as_json)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except Exception as failure:  # noqa: BLE001 -- the edge of the program: what is not the user's to repair is a bug
        known = as_error(failure)
        if known is None:
            from mind_skills.output.bug import report

            known = MindSkillsError("bug", f"{type(failure).__name__} in mind-skills", report(failure, arguments))
        return _fail(known, as_json)
    return code


def _wants_json(arguments: list[str]) -> bool:
    """Whether an error has to be JSON too, also when the arguments are too wrong to be parsed."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options


def _fail(error: CodedError, as_json: bool) -> int:
    from mind_skills.output.text import note
    from mind_skills.redaction.secrets import redact

    message, hint = redact(error.message), redact(error.hint)  # both may name what was typed
    text = ""
    if as_json:
        from mind_skills.output.document import text as written

        text = written({"error": {"code": error.code, "message": message, "hint": hint}}) + "\n"
    if _printed(text) and text:
        return error.exit_code
    if error.exit_code == INTERRUPTED:
        note("\nInterrupted.")
    else:
        note(f"mind-skills: {message}" + (f"\n{hint}" if hint else ""))
    return error.exit_code


def _printed(text: str) -> bool:
    """Print ``text`` after whatever waits to be printed; false where stdout takes nothing: a full disk, a device that is gone."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError:
        _throw_away_stdout()
        return False
    return True


def _throw_away_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _stand_in_for_closed_streams() -> None:
    """Who closes a stream (`>&-`) wants to read nothing: what would go there is thrown away, as with /dev/null.

    The descriptors are taken as well as the names, or the next file that is opened, a database perhaps, would become
    the standard output of every program below.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):  # in the order of their descriptors
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 -- open as long as the process


def _tolerate_narrow_encodings() -> None:
    """A terminal that cannot show a character gets a replacement for it, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None and (stream.encoding or "").lower().replace("-", "") != "utf8":
            reconfigure(errors="replace")
