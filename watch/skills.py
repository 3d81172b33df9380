"""The skills and pending files of the projects in which something happened lately: looked at every few seconds.

A look is a stat of each. The system could tell of changes here as well, but a watch on each folder of fifty projects
would take fifty threads and more of the system's watches than all session logs together.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from mind_skills.hosts.skills import HOME, PROJECT
from mind_skills.watch.known import fold
from mind_skills.watch.places import Log

PENDING = os.path.join(".claude", "mind-skills-pending.json")
"""As in staging/pending_sync.py, which the watching process does not import; a test compares."""
ENTRIES = 500
"""Skills of one folder that are looked at."""
PLACES = tuple(dict.fromkeys(place for places in PROJECT.values() for place in places))
AT_HOME = tuple(dict.fromkeys(place for places in HOME.values() for place in places))


def states(roots: Iterable[str]) -> Iterator[tuple[Log, str, int, float]]:
    """Each skill and pending file there is: what it is, its project's folder (empty for the user's own skills), its
    state, and when it changed (seconds since the epoch).
    """
    for root in roots:
        found = _state(os.path.join(root, PENDING))
        if found is not None:
            yield Log("pending", os.path.join(root, PENDING)), root, *found
        for place in PLACES:
            yield from _skills(os.path.join(root, place), root)
    home = os.path.expanduser("~")
    for place in AT_HOME:
        yield from _skills(os.path.join(home, place), "")


def now(path: str) -> int | None:
    """The state of one of them; None where it is gone."""
    found = _state(path)
    return None if found is None else found[0]


def _skills(folder: str, root: str) -> Iterator[tuple[Log, str, int, float]]:
    try:
        names = os.listdir(folder)
    except OSError:
        return  # most projects keep no skills in most of these places
    for name in names[:ENTRIES]:
        path = os.path.join(folder, name, "SKILL.md")
        found = _state(path)
        if found is not None:
            yield Log("skill", path), root, *found


def _state(path: str) -> tuple[int, float] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return fold(found.st_ino, found.st_size, found.st_mtime_ns), found.st_mtime
