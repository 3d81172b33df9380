"""Which episodes of a session are told: the best of each place and of each story, and no more than asked for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from mind_skills.detectors.model import Episode
from mind_skills.detectors.scorer import Scored

APART = 10
"""Observations between two episodes that are two stories, beside that they answer two requests of the user.

A second candidate on one learning is worth nothing, and two that lie in one turn are most often of one learning.
"""


def choose(
    users: Sequence[int], scored: Sequence[Scored], most: int, vetoed: Callable[[Episode], bool]
) -> list[Scored]:
    """At most ``most``, best first; of two with one probability the shorter one, then the earlier.

    ``users`` are the places of the user's messages, ascending; ``vetoed`` is asked only of those that would be told.
    """
    ranked = sorted(scored, key=lambda one: (-one.probability, one.episode.last - one.episode.first, one.episode.first))
    kept: list[Scored] = []
    for one in ranked:
        if len(kept) == most:
            break
        if all(apart(users, one.episode, other.episode) for other in kept) and not vetoed(one.episode):
            kept.append(one)
    return kept


def apart(users: Sequence[int], one: Episode, other: Episode) -> bool:
    """Whether two episodes are two stories: a message of the user and some observations lie between them."""
    first, second = (one, other) if one.first <= other.first else (other, one)
    return second.first - first.last >= APART and bisect_right(users, second.first) > bisect_right(users, first.last)
