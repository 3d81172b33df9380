"""The simulated year points in the direction that docs/learning.md says: its figures are for the page, not for a test."""

from __future__ import annotations

import pytest

from mind_skills.learning.statistics import DAY_MS
from research.benchmarks import simulated_year
from research.benchmarks.year import BEGIN, DAYS, Event, Year
from research.benchmarks.year_listed import summarise_listed_skills

pytestmark = pytest.mark.process

NOW = BEGIN + DAYS * DAY_MS


def events(seed: int) -> list[Event]:
    return list(Year(seed).simulate_sessions())


def test_a_seed_determines_the_simulated_year() -> None:
    assert events(3) == events(3)
    assert events(3) != events(4)


def test_a_simulated_year_has_the_declared_composition() -> None:
    year = Year(0)
    found = list(year.simulate_sessions())
    assert (len(found), len(year.skills), found[0].at, found[-1].at < NOW) == (2_000, 40, BEGIN, True)
    turning = year.skills.index("turning")
    assert [year.is_harmful(turning, BEGIN + day * DAY_MS) for day in (0, 182, 183, 364)] == [False, False, True, True]
    assert {number for number, truth in enumerate(year.skills) if year.is_harmful(number, NOW)} == {
        number for number, truth in enumerate(year.skills) if truth in ("bad", "turning")
    }


@pytest.fixture(scope="module")
def years() -> dict[str, simulated_year.Figures]:
    rules = {"documents": simulated_year.is_deprecated, "sure": simulated_year.is_certainly_failing}
    return {name: simulated_year.simulate_skills(Year(1, sessions=1_200), rule) for name, rule in rules.items()}


def test_most_harmful_skills_are_deprecated_and_good_ones_rarely(years: dict[str, simulated_year.Figures]) -> None:
    sure = years["sure"]
    assert sure.count("bad") >= 4
    assert sure.count("good") <= 1
    assert sure.early == 0


def test_a_three_vote_rule_condemns_more_harmless_skills_than_a_confident_rule(
    years: dict[str, simulated_year.Figures],
) -> None:
    assert years["documents"].count("good", "neutral") > 3 * years["sure"].count("good", "neutral")


def test_a_good_skill_is_withheld_less_often_than_its_state_alone_suggests(
    years: dict[str, simulated_year.Figures],
) -> None:
    assert years["sure"].silent < years["sure"].silent_by_documents


def test_agents_are_warned_of_bad_strategies_and_not_of_good_ones() -> None:
    found = simulated_year.summarise_strategies([simulated_year.simulate_strategies(Year(seed)) for seed in (0, 1)])
    assert found["bad"]["warned of"] >= 3
    assert found["good"]["warned of"] + found["good"]["deprecated"] == 0
    assert found["good"]["proven"] > found["neutral"]["proven"]


def test_the_listed_year_counts_all_its_skills_by_truth() -> None:
    found = summarise_listed_skills(Year(0, sessions=600), NOW)
    there = {truth: sum(states.values()) for truth, states in found["states"].items()}
    assert there == {"good": 14, "neutral": 14, "bad": 8, "turning": 4}
    assert (found["harmful found"][-3:], found["false alarms"][-3:]) == ("/12", "/28")
