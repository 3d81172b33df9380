"""Scope and cost of an episode: files, versions, failures, minutes, and whether it was committed."""

from __future__ import annotations

from mind_skills.detectors.composing.context import Scene
from mind_skills.detectors.versions import MAX_VERSIONS, find_versions

_MAX_FILES = 4
_MAX_MINUTES = 24 * 60
"""Longer episodes get no duration, because the session was probably left idle."""


def describe_scope(scene: Scene, stated: str, files: tuple[str, ...]) -> str:
    """Return files, versions and cost, separated by semicolons. ``stated`` is the text of symptom, cause and remedy."""
    found = find_versions(stated)
    versions = [f"{name} {number}" for name, number in found.items()] if len(found) <= MAX_VERSIONS else []
    return "; ".join(filter(None, (", ".join(files[:_MAX_FILES]), ", ".join(versions), *_describe_cost(scene))))


def list_files(scene: Scene, change: int) -> tuple[str, ...]:
    """Return the distinct files that the episode changed, those of ``change`` first. ``change`` is -1 if there is none."""
    indexes = ([change] if change >= 0 else []) + scene.changes
    return tuple(dict.fromkeys(name for index in indexes for name in scene.at(index).files))


def _describe_cost(scene: Scene) -> list[str]:
    """Return the number of failures, the duration, and whether the change was committed before the user's next message."""
    timeline = scene.timeline
    parts: list[str] = []
    failures = len(timeline.select(timeline.failures, scene.first, scene.last + 1))
    if failures:
        parts.append("1 failure" if failures == 1 else f"{failures} failures")
    started, ended = scene.at(scene.first).at, scene.at(scene.last).at
    if started is not None and ended is not None and 1 <= (ended - started) // 60_000 <= _MAX_MINUTES:
        minutes = (ended - started) // 60_000
        parts.append("1 minute" if minutes == 1 else f"{minutes} minutes")
    turn_end = timeline.find_turn_end(scene.last)
    if scene.changes and timeline.select(timeline.commits, scene.changes[-1], turn_end):
        parts.append("committed")
    return parts
