"""The log of hooks, which cannot report errors anywhere else: one line per error, in a file of limited size.

The file is ``<state folder>/log/hooks.log``; when it is full, it becomes ``hooks.log.1``. Standard library only, with
few imports; the modules that redact are imported only if there is an error to log.
"""

from __future__ import annotations

import os
import time

from mind_skills.store.home import ensure_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

MAX_LOG_BYTES = 256 * 1024
"""Size in bytes above which the file is renamed and a new one begun: about 1,500 lines."""
MAX_LINE_LENGTH = 600
"""Maximum characters of a line."""


def find_log_path(home: str) -> str:
    """Return the path of the log in the state folder ``home``."""
    return os.path.join(home, "log", "hooks.log")


def append_note(home: str, at: int, operation: str, text: str) -> None:
    """Append a line with the time ``at`` (UTC milliseconds), the failed ``operation`` and the error ``text``.

    Uses a single write in append mode, so that lines of concurrent processes do not mix. Raises OSError, HomeError.
    """
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at // 1000))
    from mind_skills.redaction.personal import redact_personal
    from mind_skills.redaction.secrets import redact
    from mind_skills.redaction.text import strip_controls

    # Session ids and error messages may come from a payload, and must not control the terminal that shows them.
    message = strip_controls(f"{operation}: {text[: 4 * MAX_LINE_LENGTH]}".replace("\n", " ").replace("\r", " "))
    line = redact_personal(redact(" ".join(f"{stamp} {message}".split())))[:MAX_LINE_LENGTH] + "\n"
    target = find_log_path(home)
    for folder in (home, os.path.dirname(target)):
        ensure_folder(folder)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(target, flags, 0o600)
    try:
        if os.fstat(descriptor).st_size > MAX_LOG_BYTES:
            os.replace(target, target + ".1")
            os.close(descriptor)
            descriptor = os.open(target, flags, 0o600)
        os.write(descriptor, line.encode("utf-8", "backslashreplace"))
    finally:
        os.close(descriptor)


def describe_error(error: BaseException) -> str:
    """Describe an exception by its type, its message, and the location where it was raised."""
    location = ""
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        location = f" ({os.path.basename(os.path.dirname(code.co_filename))}/{os.path.basename(code.co_filename)}:{trace.tb_lineno})"
        trace = trace.tb_next
    return f"{type(error).__name__}: {str(error)[:300]}{location}"
