"""The console script: from arguments to an exit code.

Only `sys` is imported before it is clear what is asked for, since a hook runs through here too. Exit codes: plugin/errors.py.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run `mind-skills` with the process's own arguments and exit."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command line; print what it has to say; return the exit code. Never raises, but for SystemExit of a hook."""
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
