"""`mind-skills watch`: learn from session logs as they are written, with or without hooks."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from mind_skills.cli import options

PRINT_TIMEOUT_SECONDS = 0.5
"""Maximum seconds to wait for stdout to become writable before a line is dropped."""
MIN_INTERVAL_SECONDS = 0.1
"""Minimum value of the options that are intervals, in seconds."""
F = TypeVar("F", bound=Callable[..., Any])


def _interval_option(name: str, default: float, limit: float, text: str, *, hidden: bool = False) -> Callable[[F], F]:
    """Add an option for an interval of at most ``limit`` seconds."""
    kind = options.NumberRange(MIN_INTERVAL_SECONDS, limit)
    return click.option(
        name, type=kind, default=default, show_default=True, metavar="SECONDS", help=text, hidden=hidden
    )


@options.top_level_command(
    "mind-skills watch", "mind-skills watch --once --json", "mind-skills watch --quiet 30 ~/runs/swe-agent"
)
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATH]...")
@click.option("--once", is_flag=True, help="Read what changed since the last run and exit, for use with cron.")
@click.option(
    "--poll", is_flag=True, help="Poll all logs every few seconds, for file systems that do not report changes."
)
@_interval_option("--quiet", 10.0, 3600, "Read a log once it has not changed for this long.")
@_interval_option("--longest", 60.0, 86_400, "Read a log after this long even if it keeps changing.")
@_interval_option("--ended", 1800.0, 604_800, "Treat a session as finished after this long without a change.")
@_interval_option("--tick", 5.0, 3600, "Polling interval for sources without change notifications.", hidden=True)
@click.option("--verbose", is_flag=True, help="Also print each change of a log.")
@options.as_json
def command(
    paths: tuple[str, ...],
    once: bool,
    poll: bool,
    quiet: float,
    longest: float,
    ended: float,
    tick: float,
    verbose: bool,
    as_json: bool,
) -> int:
    """Learn from session logs as they are written, with or without hooks.

    Watches the session folders of Claude Code, Codex, Gemini CLI, Antigravity and OpenCode, each PATH, and the skills of your
    projects. It learns the same as hooks do; if both are in use, everything counts once. Stop it with Ctrl-C or
    SIGTERM. After an upgrade it restarts automatically. `mind-skills install watch` installs it as a systemd service.

    With --json, each event is a separate line; with --once, one document is printed at the end.
    """
    from mind_skills.store.home import ensure_folder

    home = ensure_folder()
    if once:
        return _run_once(home, ended, paths, as_json)
    from mind_skills.watch.schedule import Settings
    from mind_skills.watch.watcher import Watcher

    emit = _print_json_event if as_json else _print_event
    watcher = Watcher(home, Settings(quiet, longest, ended, tick), paths, emit, poll=poll, verbose=verbose)
    code = watcher.run()
    if watcher.was_upgraded and not code:
        _restart()
    return code


def _restart() -> None:
    """Replace this process with the version that is now installed. Raises MindSkillsError if that is not possible."""
    import sys

    sys.stdout.flush()
    try:
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 -- the command line of this process
    except OSError as error:
        from mind_skills.errors import MindSkillsError

        hint = "Start `mind-skills watch` again."
        raise MindSkillsError(
            "not_restarted", f"{sys.executable} could not be started: {error.strerror}", hint
        ) from error


def _run_once(home: str, ended: float, paths: tuple[str, ...], as_json: bool) -> int:
    from mind_skills.errors import MindSkillsError
    from mind_skills.output.text import emit, format_count, print_line, print_note
    from mind_skills.watch.instance import read_holder
    from mind_skills.watch.watcher import inspect_once

    events: list[dict[str, Any]] = []
    try:
        done = inspect_once(home, ended, paths, events.append)
    except MindSkillsError as failure:
        holder = read_holder(home)
        if failure.code != "already_watching" or holder is None:
            raise
        report = {"watching": holder.pid, **dict.fromkeys(("looked", "candidates", "ended", "linked", "failed"), 0)}
        emit(
            report | {"problems": []},
            as_json,
            lambda: print_note(f"Nothing to do: process {holder.pid} is already watching."),
        )
        return 0

    def render() -> None:
        for event in events:
            if event["event"] != "problem":
                _print_event(event)
        for text in done.problems:
            print_note(text)
        logs, candidates = (
            format_count(done.totals["looked"], "log"),
            format_count(done.totals["candidates"], "candidate"),
        )
        print_line(f"{logs} read, {candidates}, {format_count(done.totals['ended'], 'session')} finished.")

    emit({"watching": None, **done.totals, "problems": done.problems}, as_json, render)
    return 0


def _print_json_event(event: dict[str, Any]) -> None:
    import json
    import time

    from mind_skills.output.text import format_path

    fields = {name: format_path(value) if isinstance(value, str) else value for name, value in event.items()}
    _print_line(json.dumps({"version": 1, "at": time.time_ns() // 1_000_000, **fields}))


def _print_event(event: dict[str, Any]) -> None:
    from mind_skills.output.text import format_count, format_path, print_note

    kind = event["event"]
    if kind == "problem":
        print_note(event["message"])
    else:
        counts = {name: format_count(event[name], noun) for name, noun in _COUNTED_NOUNS.items() if name in event}
        _print_line(format_path(_EVENT_TEXTS[kind].format(**event | counts)))


def _print_line(text: str) -> None:
    """Print a line. On POSIX, drop it if stdout does not become writable in time, so that watching never blocks."""
    import select
    import sys

    from mind_skills.output.text import strip_control_characters

    timeout = 0.0 if _dropped_lines else PRINT_TIMEOUT_SECONDS  # after a dropped line, do not wait again
    _dropped_lines.clear()
    if os.name != "posix" or select.select([], [sys.stdout], [], timeout)[1]:
        sys.stdout.write(strip_control_characters(text) + "\n")
        sys.stdout.flush()
    else:
        _dropped_lines.append(text)


_dropped_lines: list[str] = []
"""Contains the last line if it was dropped."""
_EVENT_TEXTS = {
    "started": "Watching {files}. Press Ctrl-C to stop.",
    "noticed": "{path} changed.",
    "looked": "{host} session {session} in {project}: {candidates}.",
    "linked": "{path} was made from {candidate}.",
    "ended": "Finished: {sessions}.",
    "stopped": "Stopped.",
    "upgraded": "Another version of mind-skills was installed and takes over.",
    "gone": "mind-skills is no longer installed; stopping.",
}
_COUNTED_NOUNS = {"files": "session log", "candidates": "candidate", "sessions": "session"}
