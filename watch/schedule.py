"""What has changed since it was inspected, when it is inspected, and what follows from the result. No clock, no thread.

Times are seconds of a clock that never goes back, unless a docstring says otherwise.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from struct import Struct
from typing import Any, NamedTuple

from mind_skills.errors import MindSkillsError
from mind_skills.store.home import FILE_MODE, ensure
from mind_skills.watch.watched_files import (
    Item,
    Root,
    Snapshot,
    digest_name,
    find_item,
    list_skills,
    list_snapshots,
    take_snapshot,
)

ENDED = Item("ended", "")
"""No file: the search for sessions that have come to their end."""
BATCH = 32
"""Items that one process inspects; the others wait."""
OLD = 24 * 60 * 60
"""Seconds. Sessions that were written longer ago, when a folder is watched for the first time, are for `replay`."""
TRIES, RETRY = 3, 30.0
"""How often an inspection is tried that fails, and the seconds before the next try, times the number of failures."""
SPARE = 10_000
"""Logs that are gone whose state is remembered: a disk may come back."""
PROBLEMS = 20
"""Sentences of the problems that are kept, the last ones."""
MOST_STATES = 1_000_000
"""Logs; more are forgotten, and inspected again."""
_HEAD = b"mind-skills watch 1\n"
_PAIR = Struct("<QQ")
Answer = dict[str, Any]


class Settings(NamedTuple):
    """Seconds: the quiet step, the longest wait, the silence after which a session is over, and between two ticks.

    At a tick the watch looks at what reports no change by itself: folders that come and go, processes, skills.
    """

    quiet: float
    longest: float
    ended: float
    tick: float = 5.0


class Job(NamedTuple):
    """An item to inspect in the ``state`` that it has now, after so many failed ``tries``.

    ``project`` is the folder of a skill's or pending file's project, ``since`` the time (its own UTC ms) up to which a
    database has been inspected.
    """

    item: Item
    tries: int
    state: int | None
    project: str = ""
    since: int = 0


class InspectedStates:
    """The state in which each log was inspected last: 16 bytes a log, in ``<state folder>/watch/known``.

    It says only what need not be inspected again. Losing it costs inspections that find nothing new, never a learning:
    what was learned, and from how much of a log, stands in the database.
    """

    def __init__(self, home: str) -> None:
        """``home`` is the state folder. Nothing is read yet."""
        self._path = os.path.join(home, "watch", "known")
        self._states: dict[int, int] = {}
        self.changed = False

    def __len__(self) -> int:
        return len(self._states)

    def load(self) -> bool:
        """Read what was saved; False where there is nothing that can be read: then no state is known."""
        try:
            with open(self._path, "rb") as file:
                data = file.read(len(_HEAD) + MOST_STATES * _PAIR.size)
        except OSError:
            return False
        body = data[len(_HEAD) :]
        if not data.startswith(_HEAD) or len(body) % _PAIR.size:
            return False
        self._states = dict(_PAIR.iter_unpack(body))
        return True

    def save(self) -> None:
        """Write it in one step, without a sync, since it may be lost. Raises OSError, HomeError."""
        ensure(os.path.dirname(self._path))
        temporary = f"{self._path}.{os.getpid()}"
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
        try:
            with open(descriptor, "wb") as file:
                file.write(b"".join((_HEAD, *(_PAIR.pack(*pair) for pair in self._states.items()))))
            os.replace(temporary, self._path)
        except BaseException:
            os.unlink(temporary)
            raise
        self.changed = False

    def get(self, name: str) -> int | None:
        """The state of a path, or the number kept under a name."""
        return self._states.get(digest_name(name))

    def put(self, name: str, state: int) -> None:
        """Keep ``state`` (64 bits) for a path or a name."""
        key = digest_name(name)
        if self._states.get(key) != state:
            self._states[key] = state
            self.changed = True

    def retain(self, names: Iterable[int]) -> None:
        """Forget every name whose digest is not among these."""
        wanted = set(names)
        if len(self._states) > len(wanted) or len(self._states) > MOST_STATES:
            self._states = {name: state for name, state in self._states.items() if name in wanted}
            self.changed = True


@dataclass(slots=True)
class _Wait:
    first: float
    last: float
    not_before: float = 0.0
    tries: int = 0


class DelayQueue:
    """Items that wait for a quiet moment, each once however often it changed, but never longer than the longest wait.

    Without the longest wait a log that is written to all the time would never be inspected; without the quiet step one
    that is written in bursts would be inspected in the middle of each.
    """

    def __init__(self, quiet: float, longest: float) -> None:
        """``quiet`` and ``longest`` in seconds."""
        self._quiet, self._longest = quiet, max(quiet, longest)
        self._waiting: dict[Item, _Wait] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, item: Item) -> bool:
        return item in self._waiting

    def add_change(self, item: Item, now: float) -> None:
        """Wait for an item that was written to just now."""
        self._waiting.setdefault(item, _Wait(now, now)).last = now

    def postpone(self, item: Item, now: float, seconds: float, tries: int = 0) -> None:
        """Inspect an item in ``seconds`` at the earliest; ``tries`` is for the caller to count by."""
        wait = self._waiting.setdefault(item, _Wait(-math.inf, -math.inf))
        wait.not_before, wait.tries = now + seconds, tries

    def hasten(self, item: Item, now: float, seconds: float) -> None:
        """Inspect an item in ``seconds``, quiet or not, unless it is due before."""
        wait = self._waiting.get(item)
        self.postpone(item, now, seconds if wait is None else min(seconds, wait.not_before - now))

    def next_due(self) -> float | None:
        """When the next item is due; None where nothing waits."""
        return min(map(self._due, self._waiting.values()), default=None)

    def take_due(self, now: float, most: int) -> list[tuple[Item, int]]:
        """Remove what is due, longest wait first, at most so many; each with its ``tries``."""
        due = sorted((wait.first, item, wait.tries) for item, wait in self._waiting.items() if self._due(wait) <= now)
        taken = [(item, tries) for _, item, tries in due[:most]]
        for item, _ in taken:
            del self._waiting[item]
        return taken

    def _due(self, wait: _Wait) -> float:
        return max(min(wait.last + self._quiet, wait.first + self._longest), wait.not_before)


class Schedule:
    """Which items wait to be inspected, in which states the others were, and which projects' skills are polled."""

    def __init__(self, home: str, settings: Settings, emit: Callable[[dict[str, Any]], None]) -> None:
        """``home`` is the state folder; ``emit`` is called with each event, a plain dictionary."""
        self.states, self._ended, self._emit = InspectedStates(home), settings.ended, emit
        self.queue = DelayQueue(settings.quiet, settings.longest)
        self.roots: tuple[Root, ...] = ()
        self.projects: list[str] = []
        self._project_of: dict[str, str] = {}
        self.problems: list[str] = []
        self.totals = {"looked": 0, "candidates": 0, "ended": 0, "linked": 0, "failed": 0}

    def check_named_paths(self, paths: tuple[str, ...]) -> None:
        """Report which of the paths that a user named do not exist: they may come, or be mistyped.

        Raises MindSkillsError where none of them exists: then it is more likely the second.
        """
        missing = [path for path in paths if not os.path.exists(os.path.expanduser(path))]
        if missing and len(missing) == len(paths):
            verb, them = ("is", "it") if len(missing) == 1 else ("are", "one of them")
            hint = f"Check the spelling, or make {them} first; without a PATH, all hosts' own folders are watched."
            raise MindSkillsError("not_found", f"{', '.join(missing)} {verb} not there", hint)
        for path in missing:
            self.report_problem(f"{path} is not there; it is watched for until it comes")

    def add_event(self, path: str, now: float) -> Item | None:
        """Note that a file changed; the item that it belongs to, None where it belongs to none."""
        for root in self.roots:
            if path.startswith(root.real + os.sep) and (item := find_item(root, path)) is not None:
                self.queue.add_change(item, now)
                return item
        return None

    def sweep_logs(self, roots: Iterable[Root], now: float, today: float) -> int:
        """Note every log that differs from its inspected state; returns the number of logs. ``today``: epoch seconds."""
        names = set[int]()
        for root in roots:
            if not os.path.isdir(root.real):
                continue
            fresh = self.states.get(f"root:{root.path}") is None
            for found in list_snapshots(root):
                names.add(digest_name(found.item.path))
                self._add_if_changed(found, now, old=fresh and today - found.changed > OLD)
            self.states.put(f"root:{root.path}", 1)
        if len(self.states) > 2 * len(names) + SPARE:
            self.states.retain(names)
        return len(names)

    def sweep_skills(self, now: float, today: float) -> None:
        """The same for skills and pending files; one that is met for the first time, and is old, is no news."""
        for project, found in list_skills(self.projects):
            self._project_of[found.item.path] = project
            self._add_if_changed(found, now, old=today - found.changed > OLD)

    def _add_if_changed(self, found: Snapshot, now: float, *, old: bool) -> None:
        known = self.states.get(found.item.path)
        if known == found.state or found.item in self.queue:
            return
        if old and known is None:
            self.states.put(found.item.path, found.state)
        else:
            self.queue.add_change(found.item, now)

    def take_jobs(self, now: float) -> list[Job]:
        """The jobs that are due now; what is gone meanwhile is for the end of its session."""
        jobs: list[Job] = []
        for item, tries in self.queue.take_due(now, BATCH):
            found = take_snapshot(item)
            if found is not None or item == ENDED:
                since = self.states.get(f"since:{item.path}") or 0 if item.kind == "database" else 0
                state = None if found is None else found.state
                jobs.append(Job(item, tries, state, self._project_of.get(item.path, ""), since))
        return jobs

    def add_answer(self, job: Job, answer: Answer, now: float) -> None:
        """Take in what came of a job (jobs.py)."""
        for text in answer.get("problems", ()):
            self.report_problem(str(text))
        for look in answer.get("looks", ()):
            self._emit({"event": "looked", **look})
            self.totals["looked"] += 1
            self.totals["candidates"] += look["candidates"]
        for id_ in answer.get("linked", ()):
            self._emit({"event": "linked", "candidate": id_, "path": job.item.path})
            self.totals["linked"] += 1
        if answer.get("ended"):
            self._emit({"event": "ended", "sessions": answer["ended"]})
            self.totals["ended"] += answer["ended"]
        if "projects" in answer:
            before = [] if job.item == ENDED else self.projects
            self.projects = list(dict.fromkeys([*before, *answer["projects"]]))
        if answer.get("next") is not None:
            self.queue.hasten(ENDED, now, answer["next"])
        if "recover" in answer:
            self.queue.hasten(ENDED, now, 0.0 if answer["recover"] else self._ended)
        if answer.get("again"):
            self.queue.postpone(job.item, now, answer["again"], job.tries)
        elif answer.get("failed") and job.tries + 1 < TRIES:
            self.queue.postpone(job.item, now, RETRY * (job.tries + 1), job.tries + 1)
        else:
            self.totals["failed"] += bool(answer.get("failed"))
            if "since" in answer:
                self.states.put(f"since:{job.item.path}", answer["since"])
            if job.state is not None:
                self.states.put(job.item.path, job.state)

    def report_problem(self, text: str) -> None:
        """Tell people of something."""
        self.problems.append(text)
        del self.problems[:-PROBLEMS]
        self._emit({"event": "problem", "message": text})
