"""Active time of a session."""

import itertools
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from mind_skills.observations.active_time import MAX_PAUSE_MS, ActiveTime

MINUTE = 60_000
START = 1_768_478_400_000
STAMPS = st.lists(st.integers(START, START + 40 * MAX_PAUSE_MS), max_size=60)


def measure_active_time(stamps: list[int | None]) -> int:
    time = ActiveTime()
    for stamp in stamps:
        time.feed(stamp)
    return time.milliseconds


def at(*minutes: float) -> list[int | None]:
    return [START + int(minute * MINUTE) for minute in minutes]


def test_fewer_than_two_timestamps_give_no_active_time() -> None:
    assert [measure_active_time([]), measure_active_time([None, None]), measure_active_time(at(3))] == [0, 0, 0]


def test_missing_timestamps_are_skipped() -> None:
    assert measure_active_time([None, START, None, START + MINUTE, None]) == MINUTE


@given(STAMPS, st.randoms(use_true_random=False))
def test_the_order_of_the_timestamps_does_not_matter(stamps: list[int], random: Random) -> None:
    shuffled = list(stamps)
    random.shuffle(shuffled)
    assert measure_active_time(list(stamps)) == measure_active_time(list(shuffled))


@given(STAMPS)
def test_active_time_is_the_sum_of_the_gaps_that_are_not_pauses(stamps: list[int]) -> None:
    ordered = sorted(stamps)
    gaps = [later - earlier for earlier, later in itertools.pairwise(ordered)]
    assert measure_active_time(list(stamps)) == sum(gap for gap in gaps if gap <= MAX_PAUSE_MS)
