"""The simulated year points in the direction that docs/learning.md says: its figures are for the page, not for a test."""

from __future__ import annotations

import pytest

from benchmarks import simulated_year
from benchmarks.year import BEGIN, DAYS, Event, Year
from benchmarks.year_listed import listed_summary
from mind_skills.learning.statistics import DAY_MS

pytestmark = pytest.mark.process

NOW = BEGIN + DAYS * DAY_MS


def events(seed: int) -> list[Event]:
    return list(Year(seed).events())


def test_a_seed_is_a_year() -> None:
    assert events(3) == events(3)
    assert events(3) != events(4)


def test_a_year_has_what_it_says() -> None:
    year = Year(0)
    found = list(year.events())
    assert (len(found), len(year.skills), found[0].at, found[-1].at < NOW) == (2_000, 40, BEGIN, True)
    turning = year.skills.index("turning")
    assert [year.harmful(turning, BEGIN + day * DAY_MS) for day in (0, 182, 183, 364)] == [False, False, True, True]
    assert {number for number, truth in enumerate(year.skills) if year.harmful(number, NOW)} == {
        number for number, truth in enumerate(year.skills) if truth in ("bad", "turning")
    }


@pytest.fixture(scope="module")
def years() -> dict[str, simulated_year.Figures]:
    rules = {"documents": simulated_year.by_the_documents, "sure": simulated_year.for_sure}
    return {name: simulated_year.skills_of(Year(1, sessions=1_200), rule) for name, rule in rules.items()}


def test_most_of_the_bad_are_found_and_the_good_are_left_alone(years: dict[str, simulated_year.Figures]) -> None:
    sure = years["sure"]
    assert sure.count("bad") >= 4
    assert sure.count("good") <= 1
    assert sure.early == 0


def test_a_state_of_three_votes_condemns_more_that_do_no_harm_than_a_rule_that_is_sure(
    years: dict[str, simulated_year.Figures],
) -> None:
    assert years["documents"].count("good", "neutral") > 3 * years["sure"].count("good", "neutral")


def test_a_good_skill_is_silent_less_often_in_use_than_by_its_state_alone(
    years: dict[str, simulated_year.Figures],
) -> None:
    assert years["sure"].silent < years["sure"].silent_by_documents


def test_bad_strategies_are_warned_of_and_good_ones_are_not() -> None:
    found = simulated_year.strategy_summary([simulated_year.strategies_of(Year(seed)) for seed in (0, 1)])
    assert found["bad"]["warned of"] >= 3
    assert found["good"]["warned of"] + found["good"]["deprecated"] == 0
    assert found["good"]["proven"] > found["neutral"]["proven"]


def test_the_command_shows_the_year_and_names_none_of_the_good() -> None:
    found = listed_summary(Year(0, sessions=600), NOW)
    there = {truth: sum(states.values()) for truth, states in found["states"].items()}
    assert there == {"good": 14, "neutral": 14, "bad": 8, "turning": 4}
    assert (found["harmful found"][-3:], found["false alarms"][-3:]) == ("/12", "/28")
