"""Active time of a session."""

import itertools
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from mind_skills.learning.outcome import MAX_PAUSE_MS, ActiveTime

MINUTE = 60_000
START = 1_768_478_400_000
STAMPS = st.lists(st.integers(START, START + 40 * MAX_PAUSE_MS), max_size=60)


def worked(stamps: list[int | None]) -> int:
    time = ActiveTime()
    for stamp in stamps:
        time.feed(stamp)
    return time.milliseconds


def at(*minutes: float) -> list[int | None]:
    return [START + int(minute * MINUTE) for minute in minutes]


def test_stamps_close_together_add_up() -> None:
    assert worked(at(0, 1, 3, 8)) == 8 * MINUTE


def test_a_pause_of_more_than_five_minutes_does_not_count() -> None:
    assert worked(at(0, 1, 6.5, 7)) == 1.5 * MINUTE


def test_no_stamps_and_a_single_one_are_no_time_at_all() -> None:
    assert [worked([]), worked([None, None]), worked(at(3))] == [0, 0, 0]


def test_missing_stamps_are_passed_over() -> None:
    assert worked([None, START, None, START + MINUTE, None]) == MINUTE


def test_one_stamp_from_the_future_counts_nothing() -> None:
    assert worked(at(0, 1, 500_000, 2, 3)) == 3 * MINUTE


def test_a_clock_set_back_does_not_count_twice() -> None:
    assert worked(at(0, 2, 1, 3)) == 3 * MINUTE


@given(STAMPS, st.randoms(use_true_random=False))
def test_the_order_of_the_stamps_does_not_matter(stamps: list[int], random: Random) -> None:
    shuffled = list(stamps)
    random.shuffle(shuffled)
    assert worked(list(stamps)) == worked(list(shuffled))


@given(STAMPS)
def test_it_is_the_sum_of_the_gaps_that_are_no_pauses(stamps: list[int]) -> None:
    ordered = sorted(stamps)
    gaps = [later - earlier for earlier, later in itertools.pairwise(ordered)]
    assert worked(list(stamps)) == sum(gap for gap in gaps if gap <= MAX_PAUSE_MS)
