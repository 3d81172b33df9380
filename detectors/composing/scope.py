"""Where it holds and what it cost: files, versions, tries, minutes, and whether it was committed."""

from __future__ import annotations

from mind_skills.detectors.composing.scene import Scene
from mind_skills.detectors.versions import MOST, named

_FILES = 4
_LONG = 24 * 60
"""Minutes from which on the time between two observations says nothing of what it cost: somebody slept."""


def scope(scene: Scene, stated: str, files: tuple[str, ...]) -> str:
    """What is known of it, each part once, between semicolons. ``stated`` is what symptom, cause and remedy say."""
    versions = named(stated)
    rests = [f"{name} {number}" for name, number in versions.items()] if len(versions) <= MOST else []
    return "; ".join(filter(None, (", ".join(files[:_FILES]), ", ".join(rests), *cost(scene))))


def files(scene: Scene, chosen: int) -> tuple[str, ...]:
    """The files that the episode changed, that of the ``chosen`` change first, each once."""
    places = ([chosen] if chosen >= 0 else []) + scene.changes
    return tuple(dict.fromkeys(name for index in places for name in scene.at(index).files))


def cost(scene: Scene) -> list[str]:
    """Tries and minutes, and whether it was committed before the user spoke again."""
    line = scene.line
    told: list[str] = []
    tries = len(line.within(line.failures, scene.first, scene.last + 1))
    if tries:
        told.append("1 failure" if tries == 1 else f"{tries} failures")
    begun, ended = scene.at(scene.first).at, scene.at(scene.last).at
    if begun is not None and ended is not None and 1 <= (ended - begun) // 60_000 <= _LONG:
        minutes = (ended - begun) // 60_000
        told.append("1 minute" if minutes == 1 else f"{minutes} minutes")
    if scene.changes and line.within(line.commits, scene.changes[-1], line.turn_end(scene.last)):
        told.append("committed")
    return told
