"""The JSON that `watch` prints."""

from __future__ import annotations

from typing import Literal

from mind_skills.output.document import Report


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


class WatchingReport(Report):
    """Who watches: its process, since when (UTC milliseconds), how many logs it knows of, and whether it polls."""

    pid: int
    since: int
    files: int
    polling: bool
