"""The console script: from arguments to an exit code.

Only `sys` is imported before it is clear what is asked for, since a hook runs through here too. Exit codes: plugin/errors.py.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run `mind-skills` with the process's own arguments and exit."""
    sys.exit(run(sys.argv[1:]))


NOT_LOADED = "not_loaded"
READABLE = (
    "Check that its files can be read, that more files can be opened (`ulimit -n`) and that memory is left; "
    "where all that is so, install mind-skills again."
)
"""The error of a program that could not be read, told here where none of its modules may be at hand (plugin/errors.py)."""


def run(arguments: list[str]) -> int:
    """Run one command line; print what it has to say; return the exit code. Never raises, but for SystemExit of a hook."""
    try:
        return _run(arguments)
    except (ImportError, OSError, MemoryError) as failure:  # nothing else leaves the place where commands end
        return 0 if arguments[:1] == ["hook"] else _unreadable(failure, "--json" in arguments)


def _run(arguments: list[str]) -> int:
    if sys.stdout is not None and arguments in (["--version"], ["-V"]):
        from mind_skills.plugin.version import VERSION

        sys.stdout.write(f"mind-skills {VERSION}\n")
        return 0
    if arguments[:1] == ["hook"] and len(arguments) > 1 and not arguments[1].startswith("-"):
        # Past the argument parser: importing it costs as much as the whole hook.
        from mind_skills.plugin.hook import main as hook

        return hook(arguments[1:], leave=True)
    from mind_skills.plugin.outcome import execute

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
