"""Where a hook says what went wrong, since it may say it nowhere else: one line each, in a file of bounded size.

``<state folder>/log/hooks.log``, and one older file beside it. Standard library and little of it; this module is
imported only once there is something to say.
"""

from __future__ import annotations

import os
import time

from mind_skills.store.home import ensure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

SIZE = 256 * 1024
"""Bytes of one file, about 1,500 lines; the older half is kept in ``hooks.log.1``."""
LINE = 600
"""Characters of one line."""


def log_path(home: str) -> str:
    """Where the log of the state folder ``home`` is."""
    return os.path.join(home, "log", "hooks.log")


def append_note(home: str, at: int, what: str, text: str) -> None:
    """Append a line: ``at`` (UTC milliseconds), ``what`` was being done, and what there is to say about it.

    One write on an appending descriptor, so that processes do not tear each other's lines. Raises OSError, HomeError.
    """
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at // 1000))
    from mind_skills.redaction.personal import redact_personal
    from mind_skills.redaction.secrets import redact
    from mind_skills.redaction.text import strip

    # A session's id and what an error says come from a payload: nothing of them may drive the terminal that shows this.
    said = strip(f"{what}: {text[: 4 * LINE]}".replace("\n", " ").replace("\r", " "))
    line = redact_personal(redact(" ".join(f"{stamp} {said}".split())))[:LINE] + "\n"
    target = log_path(home)
    for folder in (home, os.path.dirname(target)):
        ensure(folder)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(target, flags, 0o600)
    try:
        if os.fstat(descriptor).st_size > SIZE:
            os.replace(target, target + ".1")
            os.close(descriptor)
            descriptor = os.open(target, flags, 0o600)
        os.write(descriptor, line.encode("utf-8", "backslashreplace"))
    finally:
        os.close(descriptor)


def describe_error(error: BaseException) -> str:
    """An exception in one line: its type, what it says, and where in our code it came from."""
    place = ""
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        place = f" ({os.path.basename(os.path.dirname(code.co_filename))}/{os.path.basename(code.co_filename)}:{trace.tb_lineno})"
        trace = trace.tb_next
    return f"{type(error).__name__}: {str(error)[:300]}{place}"
