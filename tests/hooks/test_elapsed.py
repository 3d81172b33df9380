"""Elapsed time is measured with clocks that jump: a jump makes nothing older, and years do."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mind_skills.hooks import retention
from mind_skills.hooks.retention import DAY, MONTH
from mind_skills.hooks.session_state import SessionMarkers, parse_number

NOW = 1_800_000_000_000
YEAR = 365 * DAY
HOME = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def measure(home: Path, *clocks: int) -> list[int]:
    """The times from which ages are counted when the clock shows these, one after the other."""
    SessionMarkers(str(home), retention.MARKER_NAME).checked.remove()
    found = []
    for at in clocks:
        seen = retention.measure_elapsed(str(home), at)
        retention.save_elapsed(str(home), seen)
        found.append(seen.now)
    return found


def test_only_short_decimal_digits_are_numbers_of_a_marker() -> None:
    texts = ("0", "1800000000000", "", "-1", "+1", "1_0", " 1", "1.0", "x", "\u0661", "\u00b2", "9" * 100)
    assert [parse_number(text) for text in texts] == [0, NOW, *[None] * 10]


def test_a_clock_that_never_jumps_is_trusted(tmp_path: Path) -> None:
    days = [NOW + number * DAY for number in range(100)]
    assert measure(tmp_path, *days) == days


def test_a_forward_jump_makes_nothing_older_until_it_has_lasted_a_month(tmp_path: Path) -> None:
    clocks = [NOW + YEAR + number * DAY for number in range(32)]
    measured = measure(tmp_path, NOW, *clocks)
    assert measured[1:31] == [NOW + number * DAY for number in range(30)]
    assert measured[31:] == clocks[30:]


def test_a_jump_that_is_undone_has_no_later_effect(tmp_path: Path) -> None:
    assert measure(tmp_path, NOW, NOW + YEAR, NOW + YEAR + DAY, NOW + 2 * DAY, NOW + 3 * DAY) == [
        NOW,
        NOW,
        NOW + DAY,
        NOW + 2 * DAY,
        NOW + 3 * DAY,
    ]


def test_a_clock_set_back_is_trusted_and_its_return_counts_as_a_jump(tmp_path: Path) -> None:
    assert measure(tmp_path, NOW, NOW - YEAR, NOW) == [NOW, NOW - YEAR, NOW - YEAR]


@HOME
@given(
    wrong=st.lists(st.tuples(st.integers(1, 20), st.integers(-3 * YEAR, 3 * YEAR)), max_size=4),
    right=st.integers(1, 40),
)
def test_a_clock_wrong_for_less_than_a_month_makes_nothing_older_by_more_than_a_month(
    tmp_path: Path, wrong: list[tuple[int, int]], right: int
) -> None:
    offsets = [0] * 2
    for days, by in wrong:
        offsets += [by] * days + [0] * right
    clocks = [NOW + number * DAY + by for number, by in enumerate(offsets)]
    for number, measured in enumerate(measure(tmp_path, *clocks)):
        assert measured <= NOW + number * DAY + min(MONTH, max(0, offsets[number]))


@pytest.mark.parametrize("text", ["", "x", "1 2", "1 2 x", "-5 0 0", "1" * 5_000, "1 2 3 4"])
def test_a_marker_with_malformed_content_is_ignored(tmp_path: Path, text: str) -> None:
    SessionMarkers(str(tmp_path), retention.MARKER_NAME).checked.write(text)
    assert retention.measure_elapsed(str(tmp_path), NOW) == (NOW, 0, NOW, None)
