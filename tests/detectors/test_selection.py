"""Only the best of the episodes in one place, or in one turn of the user, is selected."""

from __future__ import annotations

from mind_skills.detectors.model import Episode
from mind_skills.detectors.registry import MIN_DISTANCE, are_apart, select_episodes
from mind_skills.detectors.scorer import Scored

USERS = [0, 100, 200]


def scored(first: int, last: int, probability: float) -> Scored:
    return Scored(Episode(first, last, ("user_turn",)), probability)


def select(*offered: Scored, most: int = 5, refused: tuple[int, ...] = ()) -> list[tuple[int, int]]:
    found = select_episodes(USERS, offered, most, lambda episode: episode.first in refused)
    return [(one.episode.first, one.episode.last) for one in found]


def test_the_best_episode_comes_first_and_those_that_overlap_a_better_one_are_left_out() -> None:
    assert select(scored(10, 30, 0.5), scored(20, 40, 0.6), scored(120, 140, 0.9)) == [(120, 140), (20, 40)]


def test_only_one_episode_of_a_turn_is_selected_however_far_apart_they_are() -> None:
    assert select(scored(5, 10, 0.9), scored(90, 95, 0.8)) == [(5, 10)]


def test_episodes_of_two_turns_are_apart_if_enough_observations_are_between_them() -> None:
    far, near = Episode(80, 95, ()), Episode(80, 101 - MIN_DISTANCE + 1, ())
    assert [are_apart(USERS, Episode(105, 120, ()), other) for other in (far, near)] == [True, True]
    assert are_apart(USERS, Episode(101, 120, ()), Episode(80, 101 - MIN_DISTANCE + 1, ())) is False


def test_at_most_the_requested_number_is_selected_and_no_vetoed_episode() -> None:
    offered = [scored(5, 10, 0.9), scored(110, 120, 0.8), scored(210, 220, 0.7)]
    assert select(*offered, most=2) == [(5, 10), (110, 120)]
    assert select(*offered, refused=(5,)) == [(110, 120), (210, 220)]


def test_the_shorter_and_then_the_earlier_of_equal_episodes_is_selected_in_any_order() -> None:
    offered = [scored(12, 20, 0.5), scored(11, 20, 0.5), scored(14, 22, 0.5)]
    assert select(*offered) == select(*reversed(offered)) == [(12, 20)]
