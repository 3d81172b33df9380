"""Selection of the best episodes of a window, which lie in different turns and at some distance from each other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from mind_skills.detectors.model import Episode
from mind_skills.detectors.scorer import Scored

MIN_DISTANCE = 10
"""Minimum difference between the last index of one episode and the first of the next, which begins in a later turn.

A second candidate for the same learning is worth nothing, and two candidates in one turn are mostly about the same learning."""


def select_episodes(
    user_messages: Sequence[int], scored: Sequence[Scored], limit: int, is_vetoed: Callable[[Episode], bool]
) -> list[Scored]:
    """Return at most ``limit`` episodes, highest probability first. Ties go to the shorter one, then to the earlier one.

    ``user_messages`` are the indexes of the user's messages, ascending. ``is_vetoed`` is only called for episodes that
    would otherwise be selected.
    """

    def rank_candidate(candidate: Scored) -> tuple[float, int, int]:
        first, last = candidate.episode.first, candidate.episode.last
        return -candidate.probability, last - first, first

    chosen: list[Scored] = []
    for candidate in sorted(scored, key=rank_candidate):
        if len(chosen) == limit:
            break
        episode = candidate.episode
        if all(are_apart(user_messages, episode, other.episode) for other in chosen) and not is_vetoed(episode):
            chosen.append(candidate)
    return chosen


def are_apart(user_messages: Sequence[int], episode: Episode, other: Episode) -> bool:
    """Return whether one episode begins in a later turn and at least ``MIN_DISTANCE`` indexes after the other's end."""
    first, second = (episode, other) if episode.first <= other.first else (other, episode)
    has_message = bisect_right(user_messages, second.first) > bisect_right(user_messages, first.last)
    return second.first - first.last >= MIN_DISTANCE and has_message
