"""Of the proposed episodes, the best ones are chosen: one of those that overlap, and near ones merged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.detectors.model import Episode
from mind_skills.detectors.registry import MAX_GAP, select_episodes
from mind_skills.detectors.scorer import Scored
from mind_skills.detectors.timeline import MAX_SPAN

Chosen = tuple[int, int, float]
MOST = 8


def select(*proposed: Chosen, limit: int = MOST, vetoed: tuple[int, ...] = ()) -> list[Chosen]:
    scored = [Scored(Episode(first, last, ("user_turn",)), probability) for first, last, probability in proposed]
    found = select_episodes(scored, lambda episode: episode.first in vetoed, limit)
    return [(one.episode.first, one.episode.last, one.probability) for one in found]


FAR, NEAR = MAX_GAP, MAX_GAP - 1
"""Numbers of observations between two episodes."""


@pytest.mark.parametrize(
    ("proposed", "chosen"),
    [
        pytest.param([], [], id="none"),
        pytest.param([(10, 30, 0.5), (120, 140, 0.9)], [(120, 140, 0.9), (10, 30, 0.5)], id="best first"),
        pytest.param([(10, 30, 0.5), (20, 40, 0.6)], [(20, 40, 0.6)], id="most of the shorter one overlaps"),
        pytest.param([(10, 30, 0.9), (12, 15, 0.8)], [(10, 30, 0.9)], id="inside a better one"),
        pytest.param([(10, 30, 0.9), (27, 33, 0.8)], [(10, 30, 0.9)], id="most of a shorter one overlaps"),
        pytest.param([(12, 15, 0.9), (10, 30, 0.8)], [(12, 15, 0.9)], id="around a better one"),
        pytest.param([(10, 19, 0.9), (15, 24, 0.8)], [(10, 24, 0.9)], id="half of both overlaps"),
        pytest.param([(10, 20, 0.9), (21 + NEAR, 40, 0.8)], [(10, 40, 0.9)], id="near"),
        pytest.param([(21 + NEAR, 40, 0.9), (10, 20, 0.8)], [(10, 40, 0.9)], id="near, the better one later"),
        pytest.param([(10, 20, 0.9), (21 + FAR, 40, 0.8)], [(10, 20, 0.9), (21 + FAR, 40, 0.8)], id="far"),
        pytest.param(
            [(0, MAX_SPAN - 9, 0.9), (MAX_SPAN - 6, MAX_SPAN + 1, 0.8)],
            [(0, MAX_SPAN - 9, 0.9), (MAX_SPAN - 6, MAX_SPAN + 1, 0.8)],
            id="near, but too long together",
        ),
        pytest.param(
            [(12, 20, 0.5), (11, 20, 0.5), (14, 22, 0.5)], [(12, 20, 0.5)], id="equal: the shorter, then the earlier"
        ),
    ],
)
def test_episodes_that_overlap_are_dropped_and_near_ones_merged_in_any_order(
    proposed: list[Chosen], chosen: list[Chosen]
) -> None:
    assert select(*proposed) == select(*reversed(proposed)) == chosen


def test_at_most_the_requested_number_is_chosen_no_vetoed_one_and_near_ones_merge_even_then() -> None:
    proposed = [(10, 20, 0.9), (110, 120, 0.8), (210, 220, 0.7), (23, 30, 0.6)]
    assert select(*proposed, limit=2) == [(10, 30, 0.9), (110, 120, 0.8)]
    assert select(*proposed, vetoed=(10,)) == [(110, 120, 0.8), (210, 220, 0.7), (23, 30, 0.6)]


@given(
    st.lists(
        st.builds(
            lambda first, length, probability: (first, first + length, probability / 4),
            st.integers(0, 400),
            st.integers(1, MAX_SPAN),
            st.integers(0, 4),
        ),
        max_size=40,
    )
)
def test_any_proposals_give_few_episodes_of_which_none_is_longer_than_an_episode_can_be(proposed: list[Chosen]) -> None:
    chosen = select(*proposed)
    assert len(chosen) <= MOST
    assert all(last - first <= MAX_SPAN for first, last, _ in chosen)
    assert [each[2] for each in chosen] == sorted((each[2] for each in chosen), reverse=True)
    assert chosen == select(*reversed(proposed))
