"""Skills are judged by the sessions that loaded them."""

import pytest

from mind_skills.learning.skills.standing import SkillLoad, compute_standing
from mind_skills.learning.statistics import DAY_MS, compute_wilson_interval

NOW = 1_800_000_000_000


def build_loads(*outcomes, age=0, key="skill"):
    return [SkillLoad(key, f"{key}-{number}", NOW - age * DAY_MS, outcome) for number, outcome in enumerate(outcomes)]


def test_a_skill_is_established_after_three_helpful_sessions_and_proven_after_five():
    found = [
        compute_standing("skill", build_loads(*["helpful"] * number), now=NOW).maturity.state for number in range(7)
    ]
    assert found == ["candidate", "candidate", "candidate", "established", "established", "proven", "proven"]


def test_neutral_and_unknown_sessions_are_loads_without_a_vote():
    found = compute_standing("skill", build_loads("neutral", "unknown", "helpful"), now=NOW)
    assert (len(found.loads), len(found.votes), found.confidence, found.last_used) == (3, 1, 1.0, NOW)


def test_each_skill_has_its_own_standing_and_old_votes_decay():
    one = compute_standing("a", build_loads("helpful", age=90, key="a"), now=NOW)
    two = compute_standing("b", build_loads("harmful", "harmful", "harmful", key="b"), now=NOW)
    assert [(each.key, each.maturity.state, each.confidence) for each in (one, two)] == [
        ("a", "candidate", 1.0),
        ("b", "deprecated", 0.0),
    ]
    assert one.bounds[0] < compute_wilson_interval(1, 1)[0]


@pytest.mark.parametrize(
    ("hits", "trials", "bounds"),
    [
        (0, 0, (0.0, 1.0)),
        (1, 1, (0.2065, 1.0)),
        (0, 10, (0.0, 0.2775)),
        (5, 10, (0.2366, 0.7634)),
        (81, 263, (0.2553, 0.3662)),
    ],
)
def test_the_interval_matches_wilsons_method(hits, trials, bounds):
    assert compute_wilson_interval(hits, trials) == pytest.approx(bounds, abs=5e-5)


@pytest.mark.parametrize("trials", [5e-324, 7.9e-163, 1e-9])
def test_the_interval_of_almost_fully_decayed_votes_is_zero_to_one(trials):
    assert compute_wilson_interval(0.0, trials) == pytest.approx((0.0, 1.0), abs=1e-6)
    assert compute_wilson_interval(trials, trials) == pytest.approx((0.0, 1.0), abs=1e-6)
