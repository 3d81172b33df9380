"""The report that a bug leaves behind: everything needed to find it, nothing that identifies anybody."""

from __future__ import annotations

import platform
import traceback
from pathlib import Path

from mind_skills.plugin import VERSION

TRACKER = "the project's issue tracker"


def report(failure: BaseException, arguments: list[str]) -> str:
    """Text to paste into an issue.

    The command is named without its arguments, the exception without its message, and paths are cut at the program's own folder: all three
    may hold the user's names, paths or secrets.
    """
    frames = traceback.extract_tb(failure.__traceback__)
    command = next((word for word in arguments if not word.startswith("-")), "")
    lines = [f"mind-skills {VERSION}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"]
    lines += [
        f"command: {command}",
        *(f"  {_place(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames),
    ]
    lines += [f"{type(failure).__name__}"]
    return f"This is a bug. Please paste these lines into {TRACKER}:\n\n" + "\n".join(f"    {text}" for text in lines)


def _place(filename: str) -> str:
    return "/".join(Path(filename).parts[-3:])
