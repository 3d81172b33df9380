"""Bug reports, which contain enough to locate the bug and nothing that identifies the user."""

from __future__ import annotations

import platform
import traceback
from pathlib import Path

from mind_skills.plugin import VERSION

TRACKER = "the project's issue tracker"


def format_bug_report(failure: BaseException, arguments: list[str]) -> str:
    """Return the text of a bug report, to be pasted into an issue.

    The report omits the arguments of the command, the message of the exception, and all but the last three parts of
    each path: any of these may contain names, paths or secrets of the user.
    """
    frames = traceback.extract_tb(failure.__traceback__)
    command = next((word for word in arguments if not word.startswith("-")), "")
    lines = [
        f"mind-skills {VERSION}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        f"command: {command}",
        *(f"  {_shorten_path(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames),
        type(failure).__name__,
    ]
    return f"This is a bug. Please paste these lines into {TRACKER}:\n\n" + "\n".join(f"    {text}" for text in lines)


def _shorten_path(filename: str) -> str:
    return "/".join(Path(filename).parts[-3:])
