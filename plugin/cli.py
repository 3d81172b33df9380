"""The console script: from arguments to an exit code.

Only `sys` and the errors are imported before it is clear what is asked for, since a hook runs through here too. Exit codes: errors/.
"""

from __future__ import annotations

import sys

from mind_skills.errors import NOT_LOADED, READABLE

LASTING = frozenset({"replay", "demo", "eval", "watch", "mcp", "install", "uninstall", "hook"})
"""Commands that start processes or threads, or change what is not ours: these end as every program of Python does."""
YOUNG = 100_000
"""New objects between two looks for cycles among them, of which there are hardly any in what a command imports."""


def main() -> None:
    """Run `mind-skills` with the process's own arguments and exit."""
    import gc
    import os

    os.umask(os.umask(0o022) | 0o022)  # as hooks/hotpath.py: what is made here is not for others to write
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
    code = run(sys.argv[1:])
    if LASTING.isdisjoint(sys.argv[1:]):
        _leave(code)
    sys.exit(code)


def _leave(code: int) -> None:
    """End the process without taking the interpreter apart, which nobody waits for with reason. Returns if it cannot be done."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return  # somebody has to say so
    import os

    os._exit(code)  # what was opened has been closed by now, by whoever opened it


def run(arguments: list[str]) -> int:
    """Run one command line; print what it has to say; return the exit code. Never raises, but for SystemExit of a hook."""
    try:
        return _run(arguments)
    except (ImportError, OSError, MemoryError) as failure:  # nothing else leaves the place where commands end
        return 0 if arguments[:1] == ["hook"] else _unreadable(failure, "--json" in arguments)


def _run(arguments: list[str]) -> int:
    if sys.stdout is not None and arguments in (["--version"], ["-V"]):
        from mind_skills.plugin import VERSION

        sys.stdout.write(f"mind-skills {VERSION}\n")
        return 0
    if arguments[:1] == ["hook"] and len(arguments) > 1 and not arguments[1].startswith("-"):
        # Past the argument parser: importing it costs as much as the whole hook.
        from mind_skills.plugin.hook import main as hook

        return hook(arguments[1:], leave=True)
    from mind_skills.cli.main import execute

    return execute(arguments)


def _unreadable(failure: Exception, as_json: bool) -> int:
    """Say that the program itself cannot be read, with what is loaded already: no encoder, no other module of ours."""
    said = str(failure) or type(failure).__name__
    plain = "".join(c if " " <= c <= "~" else "?" for c in f"mind-skills cannot be loaded: {said}")
    if as_json:
        plain = plain.replace("\\", "\\\\").replace('"', '\\"')
        text = f'{{"error": {{"code": "{NOT_LOADED}", "message": "{plain}", "hint": "{READABLE}"}}}}\n'
    else:
        text = f"mind-skills: {plain}\n{READABLE}\n"
    stream = sys.stdout if as_json else sys.stderr
    try:
        if stream is not None:
            stream.write(text)
            stream.flush()
    except OSError:
        return 1  # there is nobody left to tell
    return 1
