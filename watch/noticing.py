"""What has changed since it was looked at, when it is to be looked at, and what came of it. No clock, no thread."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from mind_skills.errors import MindSkillsError
from mind_skills.watch import skills
from mind_skills.watch.known import Known, key
from mind_skills.watch.paces import Paces
from mind_skills.watch.places import Log, Root, log_of
from mind_skills.watch.sweep import Found, state, sweep

OVER = Log("over", "")
"""Not a log: the look for sessions that have come to their end."""
BATCH = 32
"""Logs that one process looks at; the others wait."""
OLD = 24 * 60 * 60
"""Seconds. Sessions that were written longer ago, when a folder is watched for the first time, are for `replay`."""
TRIES, RETRY = 3, 30.0
"""How often a look is tried that fails, and the seconds before it is tried again, times the number of failures."""
SPARE = 10_000
"""Logs that are gone of which it is remembered how they were: a disk may come back."""
Tell = Callable[[dict[str, Any]], None]


class Settings(NamedTuple):
    """Seconds: the quiet step, the longest wait, the silence after which a session is over, and between two ticks.

    At a tick the watch looks at what tells of nothing by itself: folders that come and go, processes, skills.
    """

    quiet: float
    longest: float
    ended: float
    tick: float = 5.0


class Noticing:
    """What is known, what waits, and which projects' skills are looked after."""

    def __init__(self, known: Known, settings: Settings, tell: Tell) -> None:
        """``tell`` hears what happens, one plain dictionary each."""
        self.known, self.settings, self._tell = known, settings, tell
        self.paces: Paces[Log] = Paces(settings.quiet, settings.longest)
        self.roots: tuple[Root, ...] = ()
        self.projects: list[str] = []
        self._project_of: dict[str, str] = {}
        self.problems: list[str] = []
        self.totals = {"looked": 0, "candidates": 0, "ended": 0, "linked": 0, "failed": 0}

    def named(self, paths: tuple[str, ...]) -> None:
        """Say which of the paths that a user named are not there: they may come, or be mistyped.

        Raises MindSkillsError where none of them is there: then it is more likely the second.
        """
        missing = [path for path in paths if not os.path.exists(os.path.expanduser(path))]
        if missing and len(missing) == len(paths):
            verb, them = ("is", "it") if len(missing) == 1 else ("are", "one of them")
            hint = f"Check the spelling, or make {them} first; without a PATH, all hosts' own folders are watched."
            raise MindSkillsError("not_found", f"{', '.join(missing)} {verb} not there", hint)
        for path in missing:
            self.problem(f"{path} is not there; it is watched for until it comes")

    def event(self, path: str, now: float) -> Log | None:
        """Something happened to a file; the log that it belongs to, None where it belongs to none."""
        for root in self.roots:
            if path.startswith(root.real + os.sep) and (log := log_of(root, path)) is not None:
                self.paces.noticed(log, now)
                return log
        return None

    def swept(self, roots: Iterable[Root], now: float, today: float) -> int:
        """Notice whatever differs from what is known; how many logs there are. ``today`` is seconds since the epoch."""
        keys = set[int]()
        for root in roots:
            if not os.path.isdir(root.real):
                continue
            fresh = self.known.state(f"root:{root.path}") is None
            for found in sweep(root):
                keys.add(key(found.log.path))
                self._compared(found, now, old=fresh and today - found.changed > OLD)
            self.known.put(f"root:{root.path}", 1)
        if len(self.known) > 2 * len(keys) + SPARE:
            self.known.keep_only(keys)
        return len(keys)

    def _compared(self, found: Found, now: float, *, old: bool) -> None:
        known = self.known.state(found.log.path)
        if known == found.state or found.log in self.paces:
            return
        if old and known is None:
            self.known.put(found.log.path, found.state)
        else:
            self.paces.noticed(found.log, now)

    def skills_swept(self, now: float, today: float) -> None:
        """The same for skills and pending files; one that is met for the first time, and is old, is no news."""
        for log, root, found, changed in skills.states(self.projects):
            self._project_of[log.path] = root
            self._compared(Found(log, found, changed), now, old=today - changed > OLD)

    def take(self, now: float) -> tuple[list[tuple[Log, int, int | None]], list[dict[str, Any]]]:
        """The jobs that are due now, each with its tries and its state, and what the worker is told of each."""
        jobs: list[tuple[Log, int, int | None]] = []
        details: list[dict[str, Any]] = []
        for log, tries in self.paces.take(now, BATCH):
            found = self._now(log)
            if log != OVER and found is None:
                continue  # gone meanwhile: whatever it taught by then was looked at, or is for the end
            jobs.append((log, tries, found))
            details.append(self._detail(log))
        return jobs, details

    def _detail(self, log: Log) -> dict[str, Any]:
        root = self._project_of.get(log.path, "")
        said: dict[str, Any] = {"do": log.kind, "path": log.path, "root": root}
        if log.kind == "database":
            said["since"] = self.known.state(f"since:{log.path}") or 0
        return said

    def _now(self, log: Log) -> int | None:
        if log.kind == "spool":
            roots = [root for root in self.roots if root.host == "spool"]
            return next((found.state for root in roots for found in sweep(root)), None)
        if log.kind in ("skill", "pending"):
            return skills.now(log.path)
        found = state(log) if log != OVER else None
        return None if found is None else found.state

    def answered(self, job: tuple[Log, int, int | None], answer: dict[str, Any], now: float) -> None:
        """Take in what came of a job."""
        log, tries, found = job
        for text in answer.get("said", ()):
            self.problem(str(text))
        for look in [*answer.get("looks", ()), *([answer] if "candidates" in answer else [])]:
            self._tell(
                {"event": "looked", **{name: look[name] for name in ("host", "session", "project", "candidates")}}
            )
            self.totals["looked"] += 1
            self.totals["candidates"] += look["candidates"]
        for id_ in answer.get("linked", ()):
            self._tell({"event": "linked", "candidate": id_, "path": log.path})
            self.totals["linked"] += 1
        if answer.get("ended"):
            self._tell({"event": "ended", "sessions": answer["ended"]})
            self.totals["ended"] += answer["ended"]
        self._next(log, tries, found, answer, now)

    def _next(self, log: Log, tries: int, found: int | None, answer: dict[str, Any], now: float) -> None:
        if log == OVER and "roots" in answer:
            self.projects = list(answer["roots"])
        else:
            self.projects += [root for root in answer.get("roots", ()) if root not in self.projects]
        if answer.get("next") is not None:
            self.paces.within(OVER, now, answer["next"])
        if "recover" in answer:
            self.paces.within(OVER, now, 0.0 if answer["recover"] else self.settings.ended)
        if answer.get("again"):
            self.paces.later(log, now, answer["again"], tries)
        elif answer.get("failed") and tries + 1 < TRIES:
            self.paces.later(log, now, RETRY * (tries + 1), tries + 1)
        else:
            self.totals["failed"] += bool(answer.get("failed"))
            if "since" in answer:
                self.known.put(f"since:{log.path}", answer["since"])
            if found is not None:
                self.known.put(log.path, found)

    def problem(self, text: str) -> None:
        """Something that people should hear of."""
        self.problems.append(text)
        del self.problems[:-20]
        self._tell({"event": "problem", "message": text})
