"""The console script: runs a command line and exits with its code.

Only a few small modules are imported before the command is determined, since hooks also start here. The exit codes are
in errors/.
"""

from __future__ import annotations

import sys

from mind_skills.errors import NOT_LOADED, NOT_LOADED_HINT

NORMAL_EXIT_COMMANDS = frozenset({"replay", "demo", "eval", "watch", "mcp", "install", "uninstall", "hook"})
"""Commands that start processes or threads, or edit other programs' files, and so need a normal interpreter shutdown."""
GC_THRESHOLD = 100_000
"""Number of new objects after which garbage is collected; high, because imports create hardly any cycles."""


def main() -> None:
    """Run `mind-skills` with the arguments of this process and exit."""
    import gc
    import os

    os.umask(os.umask(0o022) | 0o022)  # as in hooks/hotpath.py: other users cannot write to our files
    gc.set_threshold(GC_THRESHOLD, *gc.get_threshold()[1:])
    code = run(sys.argv[1:])
    if NORMAL_EXIT_COMMANDS.isdisjoint(sys.argv[1:]):
        _exit_fast(code)
    sys.exit(code)


def _exit_fast(code: int) -> None:
    """Exit with ``os._exit``, which skips interpreter teardown; return if the output cannot be flushed."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return  # the normal shutdown reports it
    import os

    os._exit(code)  # all files have been closed by now


def run(arguments: list[str]) -> int:
    """Run one command line, print its output and return the exit code. Raises nothing; a hook exits the process."""
    try:
        return _run(arguments)
    except (ImportError, OSError, MemoryError, EOFError) as failure:  # commands handle all other exceptions
        if isinstance(failure, EOFError):  # as in plugin/entry.py
            sys.implementation.cache_tag = None  # type: ignore[assignment]
            try:
                from mind_skills.store.bytecode import remove_bytecode

                remove_bytecode()
            except (ImportError, OSError, MemoryError):
                pass
        return 0 if arguments[:1] == ["hook"] else _report_load_failure(failure, "--json" in arguments)


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["hook"] and len(arguments) > 1 and not arguments[1].startswith("-"):
        # Bypass the argument parser: importing it takes as long as the whole hook.
        from mind_skills.plugin.hook import main as hook

        return hook(arguments[1:], leave=True)
    from mind_skills.cli.main import execute

    if arguments in (["--version"], ["-V"]):
        return execute(arguments, _print_version)
    return execute(arguments, _print_count if arguments == ["status", "--count"] else None)


def _print_version(_: list[str], __: bool) -> int:
    from mind_skills.plugin import VERSION

    sys.stdout.write(f"mind-skills {VERSION}\n")
    return 0


def _print_count(_: list[str], __: bool) -> int:
    from mind_skills.plugin.segment import describe_waiting

    sys.stdout.write(f"{describe_waiting()}\n")
    return 0


def _report_load_failure(failure: Exception, as_json: bool) -> int:
    """Report that the program cannot be loaded, using only modules that are already loaded."""
    reason = str(failure) or type(failure).__name__
    message = "".join(c if " " <= c <= "~" else "?" for c in f"mind-skills cannot be loaded: {reason}")
    if as_json:
        message = message.replace("\\", "\\\\").replace('"', '\\"')
        text = f'{{"error": {{"code": "{NOT_LOADED}", "message": "{message}", "hint": "{NOT_LOADED_HINT}"}}}}\n'
    else:
        text = f"mind-skills: {message}\n{NOT_LOADED_HINT}\n"
    stream = sys.stdout if as_json else sys.stderr
    try:
        if stream is not None:
            stream.write(text)
            stream.flush()
    except OSError:
        return 1  # the output cannot be written
    return 1
