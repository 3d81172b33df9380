"""What an episode must not be, whatever its score: seen by structure, and asked only of those that would be told.

A veto says why an episode teaches nothing or something wrong. What speaks against an episode, and no more, is a feature.
"""

from __future__ import annotations

from collections.abc import Callable

from mind_skills.detectors import noise
from mind_skills.detectors.model import Episode
from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.workaround import worked_around


def veto(line: Timeline, episode: Episode) -> str:
    """The name of the first veto that an episode meets; empty where it meets none."""
    return next((name for name, meets in VETOES if meets(line, episode)), "")


def _ours(line: Timeline, episode: Episode) -> bool:
    """It begins or ends with a command of ours: what an agent does because we asked it to is no work of the user's."""
    return any(noise.ours(line.observations[index]) for index in (episode.first, episode.last))


def _protocol(line: Timeline, episode: Episode) -> bool:
    """Host and agent misunderstood each other, and nothing else failed, was changed or was said by the user."""
    within = (line.failures, line.changes, line.users)
    if any(line.within(places, episode.first, episode.last + 1) for places in within):
        return False
    one = line.observations[episode.first]
    return one.kind == "tool" and one.outcome in ("failed", "rejected", "denied", "aborted")


def _rejected(line: Timeline, episode: Episode) -> bool:
    """It ends with a call that the user or the host refused."""
    return line.observations[episode.last].outcome in ("rejected", "denied", "aborted")


def _reverted(line: Timeline, episode: Episode) -> bool:
    """The last change is taken back before the end, and nothing is changed instead."""
    change = line.before(line.changes, episode.last + 1)
    if change is None or change < episode.first:
        return False
    return bool(line.within(line.reverts, change + 1, episode.last + 1))


def _worked_around(line: Timeline, episode: Episode) -> bool:
    """Checks pass because tests were removed, left out, weakened or told to expect what they got."""
    failure = line.after(line.failures, episode.first - 1)
    if failure is None or failure > episode.last:
        return False
    return worked_around(line, episode.first, episode.last, line.observations[failure])


VETOES: tuple[tuple[str, Callable[[Timeline, Episode], bool]], ...] = (
    ("ours", _ours),
    ("rejected", _rejected),
    ("protocol", _protocol),
    ("reverted", _reverted),
    ("worked_around", _worked_around),
)
