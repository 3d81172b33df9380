"""The outermost layer of the command line: run a command and turn its result or error into output and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from mind_skills.errors import DONE, INTERRUPTED, CodedError, MindSkillsError, as_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

Runner = Callable[[list[str], bool], int]
"""A function that runs a command, given its arguments and whether to print JSON, and returns the exit code."""


def execute(arguments: list[str], run: Runner | None = None) -> int:
    """Run the command in ``arguments`` and return the exit code. ``run`` replaces the runner of `mind-skills`."""
    as_json = _is_json_requested(arguments)
    _replace_closed_streams()
    _accept_all_characters()
    try:
        try:
            return _run(arguments, as_json, run)
        except KeyboardInterrupt:
            return _print_error(MindSkillsError("interrupted", "Interrupted."), as_json)
    except BrokenPipeError:
        # As in `mind-skills ... | head`. Without this, the interpreter reports an error when it flushes stdout at exit.
        _discard(sys.stdout)
        return DONE


def _run(arguments: list[str], as_json: bool, run: Runner | None) -> int:
    try:
        code = run(arguments, as_json) if run is not None else None
        if run is None and "status" in arguments:
            from mind_skills.cli.status_report import run_fast_status

            code = run_fast_status(arguments)
        if code is None:
            # Imported only here, because the import alone takes longer than `status` may take in total.
            from mind_skills.cli import group

            code = group.run(arguments, as_json)
        sys.stdout.flush()
    except (BrokenPipeError, EOFError):  # EOFError: cached bytecode is cut short, which plugin/cli.py handles
        raise
    except Exception as failure:  # noqa: BLE001 -- at the top level, any other exception is a bug
        error = as_error(failure)
        if error is None:
            from mind_skills.output.text import format_bug_report

            error = MindSkillsError(
                "bug", f"{type(failure).__name__} in mind-skills", format_bug_report(failure, arguments)
            )
        return _print_error(error, as_json)
    return code


def _is_json_requested(arguments: list[str]) -> bool:
    """Return whether ``--json`` is given, even if the arguments cannot be parsed."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options


def _print_error(error: CodedError, as_json: bool) -> int:
    from mind_skills.output.text import print_note
    from mind_skills.redaction.secrets import redact

    message, hint = redact(error.message), redact(error.hint)  # either may quote user input
    text = ""
    if as_json:
        from mind_skills.output.document import to_json as serialise

        text = serialise({"error": {"code": error.code, "message": message, "hint": hint}}) + "\n"
    if _print_and_flush(text) and text:
        return error.exit_code
    is_interrupted = error.exit_code == INTERRUPTED
    try:
        print_note("\nInterrupted." if is_interrupted else f"mind-skills: {message}" + (f"\n{hint}" if hint else ""))
    except BrokenPipeError:
        raise
    except OSError:
        _discard(sys.stderr)  # the exit code is all that can be reported
    return error.exit_code


def _print_and_flush(text: str) -> bool:
    """Print ``text`` and flush stdout. Return False if that fails, for example because the disk is full."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except (BrokenPipeError, EOFError):  # EOFError: cached bytecode is cut short, which plugin/cli.py handles
        raise
    except OSError:
        _discard(sys.stdout)
        return False
    return True


def _discard(stream: TextIO) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _replace_closed_streams() -> None:
    """Redirect closed standard streams (`>&-`) to /dev/null.

    This also occupies the file descriptors of these streams. Otherwise the next file that is opened, such as a
    database, would become the standard output of every child process.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):  # in descriptor order
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 -- stays open until the process exits


def _accept_all_characters() -> None:
    """Make stdin preserve bytes that are invalid in its encoding, as in names of files, and stdout and stderr replace
    characters that their encoding lacks, instead of raising UnicodeError.
    """
    if reconfigure := getattr(sys.stdin, "reconfigure", None):
        try:  # noqa: SIM105 -- importing contextlib takes time
            reconfigure(errors="surrogateescape")
        except (OSError, ValueError):
            pass  # a program that calls this function has read from stdin or closed it
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None and (stream.encoding or "").lower().replace("-", "") != "utf8":
            reconfigure(errors="replace")
