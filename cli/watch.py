"""`mind-skills watch`: learn from session logs as they are written, with hooks or without."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Literal, TypeVar

import click

from mind_skills.cli import options
from mind_skills.output.document import Report

PATIENCE = 0.5
"""Seconds that a line of output waits for its reader; then it is left out."""
SHORTEST = 0.1
"""Seconds of any pace."""
F = TypeVar("F", bound=Callable[..., Any])


class WatchReport(Report):
    """`mind-skills watch --once --json`.

    ``watching`` is the process that watches all the time, null where there is none; where there is one, nothing was left
    to be done. ``looked`` counts logs that were read, ``candidates`` what they taught, ``ended`` sessions that were
    finished, ``linked`` candidates that a skill was found to have come from, ``failed`` looks that were given up.
    """

    version: Literal[1] = 1
    watching: int | None
    looked: int
    candidates: int
    ended: int
    linked: int
    failed: int
    problems: list[str]


class WatchEventReport(Report):
    """One line of `mind-skills watch --json`; ``at`` is UTC milliseconds. What does not belong to an event is left out.

    ``started`` (files, polling), ``noticed`` (path; with --verbose only), ``looked`` (host, session, project, candidates),
    ``linked`` (candidate, path), ``ended`` (sessions), ``problem`` (message), and at the end ``stopped``,
    ``upgraded`` (another version was installed: what follows is told by that one) or ``gone`` (uninstalled).
    """

    version: Literal[1] = 1
    at: int
    event: Literal["started", "noticed", "looked", "linked", "ended", "problem", "stopped", "upgraded", "gone"]
    files: int | None = None
    polling: bool | None = None
    path: str | None = None
    host: str | None = None
    session: str | None = None
    project: str | None = None
    candidates: int | None = None
    candidate: str | None = None
    sessions: int | None = None
    message: str | None = None


def _seconds(name: str, usual: float, most: float, text: str, *, hidden: bool = False) -> Callable[[F], F]:
    """An option for a pace."""
    kind = click.FloatRange(SHORTEST, most)
    return click.option(name, type=kind, default=usual, show_default=True, metavar="SECONDS", help=text, hidden=hidden)


@options.command(
    "mind-skills watch", "mind-skills watch --once --json", "mind-skills watch --quiet 30 ~/runs/swe-agent"
)
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATH]...")
@click.option("--once", is_flag=True, help="Look at what has changed since the last look, and end; for cron.")
@click.option(
    "--poll", is_flag=True, help="Look at all logs every few seconds, where the file system tells of no changes."
)
@_seconds("--quiet", 10.0, 3600, "Look at a log when it has not been written to for so long.")
@_seconds("--longest", 60.0, 86_400, "Look at it after so long even if it is written to all the time.")
@_seconds("--ended", 1800.0, 604_800, "A session is over after so much silence, where nothing else says so.")
@_seconds("--tick", 5.0, 3600, "Look so often at what tells of nothing by itself.", hidden=True)
@click.option("--verbose", is_flag=True, help="Say each change that is noticed, too.")
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
    """Learn from session logs as they are written, with hooks or without.

    Watches where Claude Code, Codex, Gemini CLI and OpenCode keep their sessions, each PATH as well, and the skills of
    your projects. What is noticed is the same as with hooks, and counts once where there are both. Ends with Ctrl-C or
    SIGTERM; after an upgrade it begins anew by itself. `mind-skills install watch` has systemd run it.

    With --json each event is a line of its own; with --once there is one document at the end.
    """
    from mind_skills.store.home import ensure

    home = ensure()
    if once:
        return _once(home, ended, paths, as_json)
    from mind_skills.watch.schedule import Settings
    from mind_skills.watch.watcher import Watcher

    emit = _lines if as_json else _sentences
    watcher = Watcher(home, Settings(quiet, longest, ended, tick), paths, emit, poll=poll, verbose=verbose)
    code = watcher.run()
    if watcher.upgraded and not code:
        _again()
    return code


def _again() -> None:
    """Begin anew, in the same process, as what is installed now. Raises MindSkillsError where that is not possible."""
    import sys

    sys.stdout.flush()
    try:
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 -- the line that started this one
    except OSError as error:
        from mind_skills.errors import MindSkillsError

        hint = "Start `mind-skills watch` again."
        raise MindSkillsError(
            "not_restarted", f"{sys.executable} could not be started: {error.strerror}", hint
        ) from error


def _once(home: str, ended: float, paths: tuple[str, ...], as_json: bool) -> int:
    from mind_skills.errors import MindSkillsError
    from mind_skills.output.text import count, emit, line, note
    from mind_skills.watch.instance import read_holder
    from mind_skills.watch.watcher import inspect_once

    told: list[dict[str, Any]] = []
    try:
        done = inspect_once(home, ended, paths, told.append)
    except MindSkillsError as failure:
        known = read_holder(home)
        if failure.code != "already_watching" or known is None:
            raise
        none = WatchReport(watching=known.pid, looked=0, candidates=0, ended=0, linked=0, failed=0, problems=[])
        emit(none, as_json, lambda: note(f"Nothing to do: process {known.pid} watches all the time."))
        return 0
    report = WatchReport.of({"watching": None, "problems": done.problems, **done.totals})

    def show() -> None:
        for event in told:
            if event["event"] != "problem":
                _sentences(event)
        for text in report.problems:
            note(text)
        read, found = count(report.looked, "log"), count(report.candidates, "candidate")
        line(f"{read} read, {found}, {count(report.ended, 'session')} finished.")

    emit(report, as_json, show)
    return 0


def _lines(event: dict[str, Any]) -> None:
    import json
    import time

    from mind_skills.output.text import path_text

    said = {name: path_text(value) if isinstance(value, str) else value for name, value in event.items()}
    _print(json.dumps({"version": 1, "at": time.time_ns() // 1_000_000, **said}))


def _sentences(event: dict[str, Any]) -> None:
    from mind_skills.output.text import count, note, path_text

    kind = event["event"]
    if kind == "problem":
        note(event["message"])
    else:
        counted = {name: count(event[name], noun) for name, noun in _COUNTED.items() if name in event}
        _print(path_text(_SAID[kind].format(**event | counted)))


def _print(text: str) -> None:
    """Print a line, unless its reader has stopped to read: who watches is not to wait for who listens."""
    import select
    import sys

    from mind_skills.output.text import printable

    wait = 0.0 if _unread else PATIENCE  # once is enough
    _unread.clear()
    if os.name != "posix" or select.select([], [sys.stdout], [], wait)[1]:
        sys.stdout.write(printable(text) + "\n")
        sys.stdout.flush()
    else:
        _unread.append(text)


_unread: list[str] = []
"""The last line that nobody took, where nobody did."""
_SAID = {
    "started": "Watching {files}. Ctrl-C ends it.",
    "noticed": "{path} was written to.",
    "looked": "{host} session {session} in {project}: {candidates}.",
    "linked": "{path} came of {candidate}.",
    "ended": "Finished: {sessions}.",
    "stopped": "Stopped.",
    "upgraded": "Another version of mind-skills has been installed, which watches from here on.",
    "gone": "mind-skills is not installed any more, so nothing is watched.",
}
_COUNTED = {"files": "session log", "candidates": "candidate", "sessions": "session"}
