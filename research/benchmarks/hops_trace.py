"""Runs a hook and records the functions that it executes.

usage: python -I -S research/benchmarks/hops_trace.py FOLDER SCRIPT ARGUMENT...

Each process of the hook writes ``FOLDER/PID``, one line per function: number of calls, number of calls from another
file, file and name. None of our modules is imported before the profiler is active.
"""

import os
import posix
import sys
from pathlib import Path
from posix import _exit as end  # pyright: ignore[reportPrivateUsage]
from types import CodeType, FrameType

FUNCTION = 0x1
"""CO_OPTIMIZED of ``co_flags`` (inspect): set for the body of a function, not for that of a module or class."""
NOT_OURS = ("research", "tests")
"""Folders whose functions are not counted."""

calls: dict[CodeType, int] = {}
across: dict[CodeType, int] = {}
imports = [0]
"""Number of module bodies that are currently executing."""


def count(frame: FrameType, event: str, _: object) -> None:
    """Count a call, unless a module is being imported; resuming a generator also counts as a call."""
    if event not in ("call", "return"):
        return
    code = frame.f_code
    if code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__":
        imports[0] += 1 if event == "call" else -1
    if event == "return" or imports[0]:
        return
    calls[code] = calls.get(code, 0) + 1
    caller = frame.f_back
    if caller is not None and caller.f_code.co_filename != code.co_filename and caller.f_code.co_flags & FUNCTION:
        across[code] = across.get(code, 0) + 1


def write(folder: str, root: Path) -> None:
    """Write the functions of our files below ``root`` that this process executed."""
    sys.setprofile(None)
    ours = tuple(f"{path}{os.sep}" for path in root.iterdir() if path.name[0] != "." and path.name not in NOT_OURS)
    lines = [
        f"{number}\t{across.get(code, 0)}\t{os.path.relpath(code.co_filename, root)}\t{code.co_qualname}\n"
        for code, number in calls.items()
        if code.co_flags & FUNCTION and code.co_filename.startswith(ours)
    ]
    Path(folder, str(os.getpid())).write_text("".join(lines), encoding="utf-8")


def main(folder: str, script: str, arguments: list[str]) -> None:
    """Run ``script`` as a program under the profiler until it exits."""
    root = Path(script).parents[1]

    def leave(code: int) -> None:
        write(folder, root)
        end(code)

    def reset_counts() -> None:
        calls.clear()
        across.clear()

    for module in (posix, os):
        vars(module)["_exit"] = leave  # hooks exit with it
    os.register_at_fork(after_in_child=reset_counts)
    sys.argv = [script, *arguments]
    code = compile(Path(script).read_text(encoding="utf-8"), script, "exec")
    try:
        sys.setprofile(count)
        exec(code, {"__name__": "__main__", "__file__": script})
    finally:
        write(folder, root)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
