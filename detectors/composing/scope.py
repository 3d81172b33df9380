"""Describe the scope and cost of an episode: files, versions, failures, minutes, and whether it was committed."""

from __future__ import annotations

from mind_skills.detectors.composing.context import EpisodeContext
from mind_skills.detectors.versions import MAX_VERSIONS, find_versions

_MAX_FILES = 4
_MAX_MINUTES = 24 * 60
"""For longer episodes, no duration is stated, because the session was probably left idle."""


def describe_scope(context: EpisodeContext, text: str, files: tuple[str, ...]) -> str:
    """Return files, versions and cost, separated by semicolons. The versions are those in ``text``: symptom, cause and remedy."""
    numbers = find_versions(text)
    versions = [f"{name} {number}" for name, number in numbers.items()] if len(numbers) <= MAX_VERSIONS else []
    return "; ".join(filter(None, (", ".join(files[:_MAX_FILES]), ", ".join(versions), *_describe_cost(context))))


def list_files(context: EpisodeContext, change: int) -> tuple[str, ...]:
    """Return the distinct files that the episode changed, beginning with the files of ``change``, which is -1 if there is none."""
    indexes = ([change] if change >= 0 else []) + context.changes
    return tuple(dict.fromkeys(name for index in indexes for name in context.get_observation(index).files))


def _describe_cost(context: EpisodeContext) -> list[str]:
    """Return the number of failures, the duration, and whether the change was committed before the user's next message."""
    timeline = context.timeline
    parts: list[str] = []
    failures = len(timeline.select(timeline.failures, context.first, context.last + 1))
    if failures:
        parts.append("1 failure" if failures == 1 else f"{failures} failures")
    started, ended = context.get_observation(context.first).at, context.get_observation(context.last).at
    if started is not None and ended is not None and 1 <= (ended - started) // 60_000 <= _MAX_MINUTES:
        minutes = (ended - started) // 60_000
        parts.append("1 minute" if minutes == 1 else f"{minutes} minutes")
    turn_end = timeline.find_turn_end(context.last)
    if context.changes and timeline.select(timeline.commits, context.changes[-1], turn_end):
        parts.append("committed")
    return parts
