"""Decides when changed items are inspected, and handles the results. Uses no clock and no threads.

Times are monotonic seconds, unless a docstring says otherwise.
"""

from __future__ import annotations

import heapq
import math
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from struct import Struct
from typing import Any, NamedTuple

from mind_skills.errors import MindSkillsError
from mind_skills.observations.open_file import describe_compressed
from mind_skills.store.home import FILE_MODE, ensure_folder
from mind_skills.watch.watched_files import (
    Item,
    Root,
    Snapshot,
    digest_name,
    find_item,
    list_compressed_logs,
    list_skills,
    list_snapshots,
    take_snapshot,
)

WRITERS_FOLDER = os.path.join("watch", "writers")
"""Folder of markers in the state folder: the process that writes the log of a session (jobs.py)."""
ENDED_SESSIONS = Item("ended", "")
"""An item that stands for the search for sessions that are over; it is not a file."""
BATCH_SIZE, MAX_DUE = 32, 1_000
"""Maximum numbers of items per worker process, and of due items that are found in one search of the queue."""
MAX_AGE_SECONDS = 24 * 60 * 60
"""Maximum age, in seconds, of a log when its folder is first watched, and of a skill or pending file when it is first
seen. Older logs are left to `mind-skills replay`."""
MAX_ATTEMPTS, RETRY_SECONDS = 3, 30.0
"""Maximum number of attempts at an inspection, and seconds per failed attempt before the next one."""
MAX_UNUSED_STATES = 10_000
"""Number of states of deleted files up to which all are preserved, since a disk may be remounted."""
MAX_PROBLEMS = 20
"""Maximum number of recent problems that are stored."""
MAX_STATES = 1_000_000
"""Maximum number of states that are loaded; logs whose states are not loaded are inspected again."""
_HEADER = b"mind-skills watch 1\n"
_PAIR = Struct("<QQ")
JobResult = dict[str, Any]


class Settings(NamedTuple):
    """Durations in seconds. An item is inspected after ``quiet_seconds`` without a change, at the latest after
    ``max_delay``; a session is over after ``ended_after`` of inactivity.

    Every ``tick``, whatever file events do not report is polled: new and removed folders, processes, skills.
    """

    quiet_seconds: float
    max_delay: float
    ended_after: float
    tick: float = 5.0


class Job(NamedTuple):
    """An item to inspect, in its current ``state``, after ``attempts`` failed attempts.

    ``project`` is the project folder of a skill or pending file; ``since`` is the time (UTC ms) of the earliest change
    to inspect in a database.
    """

    item: Item
    attempts: int
    state: int | None
    project: str = ""
    since: int = 0


class InspectedStates:
    """The state of each log at its last inspection: 16 bytes per log, in ``<state folder>/watch/known``.

    It also has states for skills, pending files, roots and databases. If the file is lost, the logs of the last day
    are inspected again; the state database records what was learned, and from how much of each log.
    """

    def __init__(self, home: str) -> None:
        """``home`` is the state folder. Nothing is read yet."""
        self._path = os.path.join(home, "watch", "known")
        self._states: dict[int, int] = {}
        self._unused_keys = set[int]()
        self.has_changes = False

    def __len__(self) -> int:
        return len(self._states)

    def load(self) -> bool:
        """Load the saved states; return False if there are none or they cannot be read."""
        try:
            with open(self._path, "rb") as file:
                data = file.read(len(_HEADER) + MAX_STATES * _PAIR.size)
        except OSError:
            return False
        body = data[len(_HEADER) :]
        if not data.startswith(_HEADER) or len(body) % _PAIR.size:
            return False
        self._states = dict(_PAIR.iter_unpack(body))
        self._unused_keys = set[int](self._states)
        return True

    def save(self) -> None:
        """Write the states atomically, but without fsync, since the watch works without the file. Raises OSError, HomeError."""
        ensure_folder(os.path.dirname(self._path))
        temporary = f"{self._path}.{os.getpid()}"
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
        try:
            with open(descriptor, "wb") as file:
                file.write(b"".join((_HEADER, *(_PAIR.pack(*pair) for pair in self._states.items()))))
            os.replace(temporary, self._path)
        except BaseException:
            os.unlink(temporary)
            raise
        self.has_changes = False

    def get(self, name: str) -> int | None:
        """Return the state stored for a path or a name, or None; the state counts as used."""
        key = digest_name(name)
        self._unused_keys.discard(key)
        return self._states.get(key)

    def put(self, name: str, state: int) -> None:
        """Store ``state`` (64 bits) for a path or a name."""
        key = digest_name(name)
        self._unused_keys.discard(key)
        if self._states.get(key) != state:
            self._states[key] = state
            self.has_changes = True

    def discard_unused(self) -> None:
        """Discard the states that were not used since ``load``, if there are more than MAX_UNUSED_STATES."""
        if len(self._unused_keys) > MAX_UNUSED_STATES:
            for key in self._unused_keys:
                del self._states[key]
            self._unused_keys = set[int]()
            self.has_changes = True


@dataclass(slots=True)
class _Wait:
    first: float
    last: float
    not_before: float = 0.0
    attempts: int = 0


class DelayQueue:
    """Items that wait until they have been quiet for a while, but, unless postponed, not longer than the maximum delay.

    The quiet time avoids inspections in the middle of a burst of changes; the maximum delay is for logs that are written
    constantly. All changes to a waiting item lead to one inspection.
    """

    def __init__(self, quiet: float, max_delay: float) -> None:
        """``quiet`` and ``max_delay`` are in seconds."""
        self._quiet, self._max_delay = quiet, max(quiet, max_delay)
        self._waiting: dict[Item, _Wait] = {}
        self._due: list[Item] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, item: Item) -> bool:
        return item in self._waiting

    def add_change(self, item: Item, now: float) -> None:
        """Add an item that has just changed."""
        self._waiting.setdefault(item, _Wait(now, now)).last = now

    def postpone(self, item: Item, now: float, seconds: float, attempts: int = 0) -> None:
        """Make an item due after ``seconds`` at the earliest; ``take_due`` returns ``attempts``."""
        wait = self._waiting.setdefault(item, _Wait(-math.inf, -math.inf))
        wait.not_before, wait.attempts = now + seconds, attempts

    def hasten(self, item: Item, now: float, seconds: float) -> None:
        """Make an item due in ``seconds`` at the latest; only for items that are never passed to ``add_change``."""
        wait = self._waiting.get(item)
        self.postpone(item, now, seconds if wait is None else min(seconds, wait.not_before - now))

    def find_next_due_time(self) -> float | None:
        """Return when the next item is due; None if the queue is empty. The time may be too early, never too late."""
        return -math.inf if self._due else min(map(self._compute_due_time, self._waiting.values()), default=None)

    def take_due(self, now: float, limit: int) -> list[tuple[Item, int]]:
        """Remove and return up to ``limit`` due items with their ``attempts``: ENDED_SESSIONS, then the longest wait first.

        An item that became due after the last search of the queue comes after the items that the search found.
        """
        taken: list[tuple[Item, int]] = []
        self._due.append(ENDED_SESSIONS)
        while len(taken) < limit and (self._due or self._find_due(now)):
            item = self._due.pop()
            # It may have changed or been postponed since it was found.
            if (wait := self._waiting.get(item)) is not None and self._compute_due_time(wait) <= now:
                del self._waiting[item]
                taken.append((item, wait.attempts))
        return taken

    def _find_due(self, now: float) -> bool:
        """Find due items for several calls of ``take_due``, since a search takes as long as the queue; return whether there are any."""
        waits = ((wait.first, item) for item, wait in self._waiting.items() if self._compute_due_time(wait) <= now)
        self._due = [item for _, item in reversed(heapq.nsmallest(MAX_DUE, waits))]
        return bool(self._due)

    def _compute_due_time(self, wait: _Wait) -> float:
        return max(min(wait.last + self._quiet, wait.first + self._max_delay), wait.not_before)


class Schedule:
    """Decides which items to inspect, and for which projects to poll skills."""

    def __init__(self, home: str, settings: Settings, emit: Callable[[dict[str, Any]], None]) -> None:
        """``home`` is the state folder; ``emit`` is called with each event, a plain dictionary."""
        self.states, self._ended_after, self._emit = InspectedStates(home), settings.ended_after, emit
        self.queue = DelayQueue(settings.quiet_seconds, settings.max_delay)
        self.roots: tuple[Root, ...] = ()
        self.projects: list[str] = []
        self._knows_projects = False
        self._project_by_path: dict[str, str] = {}
        self.problems: list[str] = []
        self.totals = {"looked": 0, "candidates": 0, "ended": 0, "linked": 0, "failed": 0}

    def check_named_paths(self, paths: tuple[str, ...]) -> None:
        """Report the given paths that do not exist: they may be created later, or are misspelled.

        Raises MindSkillsError if none of them exists, because a misspelling is likely then.
        """
        missing = [path for path in paths if not os.path.exists(os.path.expanduser(path))]
        if missing and len(missing) == len(paths):
            verb, target = ("does", "it") if len(missing) == 1 else ("do", "one of them")
            hint = f"Check the spelling, or create {target} first; the folders of all hosts are watched even without a PATH."
            raise MindSkillsError("not_found", f"{', '.join(missing)} {verb} not exist", hint)
        for path in missing:
            self.report_problem(f"{path} does not exist yet; it is watched as soon as it is created")

    def check_compressed_logs(self, home: str) -> None:
        """Report the logs that are not watched because they are compressed; ``home`` is the state folder."""
        if compressed := list_compressed_logs(home):
            self.report_problem(describe_compressed(compressed))

    def add_event(self, path: str, now: float) -> Item | None:
        """Record that a file has changed; return the item that the file belongs to, or None."""
        for root in self.roots:
            if path.startswith(root.real + os.sep) and (item := find_item(root, path)) is not None:
                self.queue.add_change(item, now)
                return item
        return None

    def sweep_logs(self, roots: Iterable[Root], now: float, wall_time: float) -> int:
        """Queue every log that has changed since its last inspection; return the number of all logs.

        The spools of hooks count as one log. Old logs below a new root are not queued, nor are old sessions of its
        databases, or of a database whose state has no time of an inspection, as an older version stored it. ``wall_time``
        is in seconds since the epoch.
        """
        digests = set[int]()  # a log may be below two roots
        for root in roots:
            if not os.path.isdir(root.real):
                continue
            is_new_root = self.states.get(f"root:{root.path}") is None
            for snapshot in list_snapshots(root):
                digests.add(digest_name(snapshot.item.path))
                if (
                    snapshot.item.kind == "database"
                    and not self._get_inspected_until(snapshot.item)
                    and (is_new_root or self.states.get(snapshot.item.path) is not None)
                ):
                    self.states.put(f"since:{snapshot.item.path}", max(0, int(1000 * (wall_time - MAX_AGE_SECONDS))))
                self._add_if_changed(
                    snapshot, now, is_old=is_new_root and wall_time - snapshot.changed_at > MAX_AGE_SECONDS
                )
            self.states.put(f"root:{root.path}", 1)
        return len(digests)

    def sweep_skills(self, now: float, wall_time: float) -> None:
        """Queue skills and pending files that have changed; old files that are seen for the first time are skipped."""
        for project, snapshot in list_skills(self.projects):
            self._project_by_path[snapshot.item.path] = project
            self._add_if_changed(snapshot, now, is_old=wall_time - snapshot.changed_at > MAX_AGE_SECONDS)

    def discard_unused_states(self) -> None:
        """Discard the states of deleted files if there are many; call this after a sweep of all logs and of the skills."""
        if self._knows_projects:  # otherwise the states of skills were not used yet
            self.states.discard_unused()

    def _get_inspected_until(self, database: Item) -> int:
        return self.states.get(f"since:{database.path}") or 0

    def _add_if_changed(self, snapshot: Snapshot, now: float, *, is_old: bool) -> None:
        inspected_state = self.states.get(snapshot.item.path)
        if inspected_state == snapshot.state or snapshot.item in self.queue:
            return
        if is_old and inspected_state is None:
            self.states.put(snapshot.item.path, snapshot.state)
        else:
            self.queue.add_change(snapshot.item, now)

    def take_jobs(self, now: float) -> list[Job]:
        """Return up to BATCH_SIZE jobs that are due; deleted items are skipped."""
        jobs: list[Job] = []
        for item, attempts in self.queue.take_due(now, BATCH_SIZE):
            snapshot = take_snapshot(item)
            if snapshot is not None or item == ENDED_SESSIONS:
                since = self._get_inspected_until(item) if item.kind == "database" else 0
                state = None if snapshot is None else snapshot.state
                jobs.append(Job(item, attempts, state, self._project_by_path.get(item.path, ""), since))
        return jobs

    def process_result(self, job: Job, result: JobResult, now: float) -> None:
        """Process the result of a job (jobs.py)."""
        for text in result.get("problems", ()):
            self.report_problem(str(text))
        for inspection in result.get("looks", ()):
            self._emit({"event": "looked", **inspection})
            self.totals["looked"] += 1
            self.totals["candidates"] += inspection["candidates"]
        for id_ in result.get("linked", ()):
            self._emit({"event": "linked", "candidate": id_, "path": job.item.path})
            self.totals["linked"] += 1
        if result.get("ended"):
            self._emit({"event": "ended", "sessions": result["ended"]})
            self.totals["ended"] += result["ended"]
        if "projects" in result:
            previous = [] if job.item == ENDED_SESSIONS else self.projects
            self._knows_projects |= job.item == ENDED_SESSIONS
            self.projects = list(dict.fromkeys([*previous, *result["projects"]]))
        if result.get("next") is not None:
            self.queue.hasten(ENDED_SESSIONS, now, result["next"])
        if "recover" in result:
            self.queue.hasten(ENDED_SESSIONS, now, 0.0 if result["recover"] else self._ended_after)
        if result.get("again"):
            self.queue.postpone(job.item, now, result["again"], job.attempts)
        elif result.get("failed") and job.attempts + 1 < MAX_ATTEMPTS:
            self.queue.postpone(job.item, now, RETRY_SECONDS * (job.attempts + 1), job.attempts + 1)
        else:
            self.totals["failed"] += bool(result.get("failed"))
            if "since" in result:
                self.states.put(f"since:{job.item.path}", result["since"])
            if job.state is not None:
                self.states.put(job.item.path, job.state)

    def report_problem(self, text: str) -> None:
        """Store a problem, and emit it for the user."""
        self.problems.append(text)
        del self.problems[:-MAX_PROBLEMS]
        self._emit({"event": "problem", "message": text})
