"""The scoring formula, compared with a table of reference outputs and tested for its properties."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.learning.scoring import (
    LearningConfig,
    OutcomeSignals,
    classify_score,
    compute_raw_score,
    score_implicit_feedback,
)
from mind_skills.learning.statistics import DAY_MS, compute_decay

NOW = 1_768_478_400_000
TABLE = json.loads(Path(__file__).with_name("scored.json").read_text(encoding="utf-8"))
TYPES = {-1: "harmful", 0: "neutral", 1: "helpful"}


@pytest.mark.parametrize("row", TABLE["rows"], ids=str)
def test_every_row_of_the_reference_table_is_reproduced(row: list[float]) -> None:
    duration, errors, retries, success, tolerated, age, value, kind = row
    signals = OutcomeSignals("t", int(duration), int(errors), int(retries), bool(success), NOW - int(age))
    scored = score_implicit_feedback(signals, LearningConfig(max_errors_neutral=int(tolerated)), now=NOW)
    assert scored.type == TYPES[int(kind)]
    assert scored.decayed_value == pytest.approx(value, rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("signals", "reasoning"),
    [
        (OutcomeSignals("t", 500, 0, 0, True), "Fast completion (1s), 0 errors, 0 retries, succeeded"),
        (OutcomeSignals("t", 2500, 0, 0, True), "Fast completion (3s), 0 errors, 0 retries, succeeded"),
        (OutcomeSignals("t", 1000, 3, 2, False), "Slow completion (1s), 3 errors, 2 retries, failed"),
        (OutcomeSignals("t", 60_000, 0, 0, False), "Mixed signals: 60s, 0 errors, 0 retries"),
    ],
)
def test_the_reasoning_has_the_documented_wording_and_rounds_half_seconds_up(
    signals: OutcomeSignals, reasoning: str
) -> None:
    assert score_implicit_feedback(signals, now=NOW).reasoning == reasoning


@pytest.mark.parametrize(
    ("signals", "reasoning"),
    [
        (OutcomeSignals("t", 0, 0, 0, True), "0 errors, 0 retries, succeeded"),
        (OutcomeSignals("t", 0, 3, 2, False), "3 errors, 2 retries, failed"),
        (OutcomeSignals("t", 0, 0, 0, False), "Mixed signals: 0 errors, 0 retries"),
    ],
)
def test_the_reasoning_does_not_mention_an_unknown_duration(signals: OutcomeSignals, reasoning: str) -> None:
    assert score_implicit_feedback(signals, now=NOW, has_duration=False).reasoning == reasoning


def test_a_score_of_unknown_age_has_a_type_but_its_decayed_value_is_nan() -> None:
    scored = score_implicit_feedback(OutcomeSignals("t", 60_000, 0, 0, True, None), now=NOW)
    assert (scored.type, scored.raw) == ("helpful", 1.0)
    assert math.isnan(scored.decayed_value)


def test_each_of_the_five_combinations_that_score_seven_tenths_is_helpful() -> None:
    five, ten, hour = 60_000, 600_000, 3_600_000
    ways = [(five, 3, 2), (ten, 1, 2), (ten, 3, 1), (hour, 0, 2), (hour, 1, 1)]
    assert [classify_score(compute_raw_score(OutcomeSignals("t", *way, success=True))) for way in ways] == [
        "helpful"
    ] * 5


SIGNALS = st.builds(
    OutcomeSignals,
    st.just("t"),
    st.integers(0, 10**8),
    st.integers(0, 50),
    st.integers(0, 50),
    st.booleans(),
    st.one_of(st.none(), st.integers(NOW - 4000 * DAY_MS, NOW + 4000 * DAY_MS)),
)


@given(SIGNALS)
def test_success_is_never_harmful_and_failure_never_helpful(signals: OutcomeSignals) -> None:
    assert score_implicit_feedback(signals, now=NOW).type != ("harmful" if signals.success else "helpful")


@given(SIGNALS)
def test_a_score_stays_within_its_documented_bounds(signals: OutcomeSignals) -> None:
    low, high = (0.54, 1.0) if signals.success else (0.14, 0.6)
    assert low - 1e-12 <= compute_raw_score(signals) <= high + 1e-12


@given(st.integers(NOW - 40_000 * DAY_MS, NOW + 40_000 * DAY_MS), st.floats(-10, 1000), st.integers(0, 1000))
def test_decay_never_grows_with_age_and_stays_between_zero_and_one(at: int, half_life: float, days: int) -> None:
    early, late = compute_decay(at, NOW, half_life), compute_decay(at, NOW + days * DAY_MS, half_life)
    assert 0.0 <= late <= early <= 1.0


@pytest.mark.parametrize(
    ("age_days", "half_life", "left"), [(90, 90, 0.5), (180, 90, 0.25), (1, 0, 0.5), (3, -5, 0.125), (-9, 90, 1)]
)
def test_a_value_halves_with_every_half_life(age_days: int, half_life: float, left: float) -> None:
    assert compute_decay(NOW - age_days * DAY_MS, NOW, half_life) == pytest.approx(left, rel=1e-12)
