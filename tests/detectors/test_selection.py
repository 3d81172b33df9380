"""Of episodes that lie in one place or in one turn of the user the best is told."""

from __future__ import annotations

from mind_skills.detectors.model import Episode
from mind_skills.detectors.scorer import Scored
from mind_skills.detectors.selection import MIN_DISTANCE, are_apart, select_episodes

USERS = [0, 100, 200]


def scored(first: int, last: int, probability: float) -> Scored:
    return Scored(Episode(first, last, ("user_turn",)), probability)


def chosen(*offered: Scored, most: int = 5, refused: tuple[int, ...] = ()) -> list[tuple[int, int]]:
    found = select_episodes(USERS, offered, most, lambda episode: episode.first in refused)
    return [(one.episode.first, one.episode.last) for one in found]


def test_the_best_comes_first_and_what_overlaps_it_is_left_out() -> None:
    assert chosen(scored(10, 30, 0.5), scored(20, 40, 0.6), scored(120, 140, 0.9)) == [(120, 140), (20, 40)]


def test_one_turn_tells_one_story_however_far_apart_they_lie() -> None:
    assert chosen(scored(5, 10, 0.9), scored(90, 95, 0.8)) == [(5, 10)]


def test_two_turns_tell_two_where_some_observations_lie_between() -> None:
    far, near = Episode(80, 95, ()), Episode(80, 101 - MIN_DISTANCE + 1, ())
    assert [are_apart(USERS, Episode(105, 120, ()), other) for other in (far, near)] == [True, True]
    assert are_apart(USERS, Episode(101, 120, ()), Episode(80, 101 - MIN_DISTANCE + 1, ())) is False


def test_no_more_than_asked_for_and_none_that_is_refused() -> None:
    offered = [scored(5, 10, 0.9), scored(110, 120, 0.8), scored(210, 220, 0.7)]
    assert chosen(*offered, most=2) == [(5, 10), (110, 120)]
    assert chosen(*offered, refused=(5,)) == [(110, 120), (210, 220)]


def test_of_equal_ones_the_shorter_then_the_earlier_is_told_whatever_their_order() -> None:
    offered = [scored(12, 20, 0.5), scored(11, 20, 0.5), scored(14, 22, 0.5)]
    assert chosen(*offered) == chosen(*reversed(offered)) == [(12, 20)]
