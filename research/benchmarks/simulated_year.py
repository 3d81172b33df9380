"""Measures whether the loop recognises good skills and retires bad ones in a simulated year with known truth (year.py).

usage: python -m research.benchmarks.simulated_year [--seeds 8]    the figures of docs/learning.md; about a minute

Uses the real rules. Every evening each skill that was loaded that day is evaluated, and proposed ones are archived at
once. So a skill is evaluated some sixty times on average, and a single false alarm in the year counts. The last table is one year
without archiving, in its own state folder, as `mind-skills skills list --json` shows it on the last day.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from mind_skills.learning.credit import Credit, build_strategy_id
from mind_skills.learning.maturity import get_multiplier
from mind_skills.learning.skills.standing import (
    OutcomeTotals,
    SkillLoad,
    SkillStanding,
    compute_rank_multiplier,
    compute_standing,
    explain_failing,
    sum_outcomes,
)
from mind_skills.learning.statistics import DAY_MS
from mind_skills.learning.strategies import STRATEGIES
from research.benchmarks.year import BEGIN, DAYS, FOLLOWED, SESSIONS, Truth, Year
from research.benchmarks.year_listed import summarise_listed_skills

Rule = Callable[[SkillStanding, OutcomeTotals], bool]
"""Whether a skill is proposed for the archive, given its standing and the outcomes of all other sessions."""
HELPFUL: tuple[Truth, ...] = ("good", "neutral")


def is_deprecated(standing: SkillStanding, others: OutcomeTotals) -> bool:
    """Return whether the skill's state is deprecated: more than 30 % of at least three votes are harmful."""
    return standing.maturity.state == "deprecated"


def is_certainly_failing(standing: SkillStanding, others: OutcomeTotals) -> bool:
    """Return whether the rule in use proposes the skill for the archive."""
    return bool(explain_failing(standing, others))


@dataclass(slots=True)
class Figures:
    """Results for the skills of a year: by truth, (votes, days) of each proposal; evaluations of good skills."""

    proposed: dict[Truth, list[tuple[int, float]]] = field(default_factory=dict)
    early: int = 0
    """Skills that turn bad, proposed before they turned."""
    evaluations: int = 0
    """Evaluations of good skills; in ``silent`` of them, the skill's learning would have been excluded from recall."""
    silent_by_documents: int = 0
    silent: int = 0
    proven: int = 0

    def count(self, *truths: Truth) -> int:
        return sum(len(self.proposed.get(truth, [])) for truth in truths)


def simulate_skills(year: Year, rule: Rule) -> Figures:
    """Simulate a year in which skills that ``rule`` proposes are archived on the same evening."""
    figures, loads, ended = Figures(), dict[int, list[SkillLoad]](), list[SkillLoad]()
    first_harmful_at: dict[int, int] = {}
    today, loaded_today = 0, set[int]()
    for event in year.simulate_sessions():
        if event.at >= BEGIN + (today + 1) * DAY_MS:
            _evaluate_skills(year, rule, figures, loads, ended, first_harmful_at, loaded_today, event.at)
            today, loaded_today = (event.at - BEGIN) // DAY_MS, set()
        ended.append(SkillLoad("", event.name, event.at, event.outcome))
        for skill in event.skills:
            loads.setdefault(skill, []).append(SkillLoad(str(skill), event.name, event.at, event.outcome))
            if year.is_harmful(skill, event.at):
                first_harmful_at.setdefault(skill, event.at)
            loaded_today.add(skill)
    figures.proven = sum(
        compute_standing(str(number), found, now=BEGIN + DAYS * DAY_MS).maturity.state == "proven"
        for number, found in loads.items()
        if year.skills[number] == "good"
    )
    return figures


def _evaluate_skills(
    year: Year,
    rule: Rule,
    figures: Figures,
    loads: dict[int, list[SkillLoad]],
    ended: list[SkillLoad],
    first_harmful_at: dict[int, int],
    loaded_today: set[int],
    now: int,
) -> None:
    totals = sum_outcomes(ended, now=now)
    for skill in sorted(
        loaded_today - year.archived
    ):  # a session may have loaded a skill before it was archived that day
        standing, truth = compute_standing(str(skill), loads[skill], now=now), year.skills[skill]
        others = totals.subtract(sum_outcomes(standing.loads, now=now))
        if truth == "good":
            figures.evaluations += 1
            figures.silent_by_documents += get_multiplier(standing.maturity.state) == 0.0
            figures.silent += compute_rank_multiplier(standing, others) == 0.0
        if not rule(standing, others):
            continue
        year.archived.add(skill)
        if truth == "turning" and skill not in first_harmful_at:
            figures.early += 1
        else:
            begin = first_harmful_at.get(skill, BEGIN)
            days = (now - begin) / DAY_MS
            votes = sum(vote.at is not None and vote.at >= begin for vote in standing.votes)
            figures.proposed.setdefault(truth, []).append((votes, days))


def count_reported_on_last_day(year: Year) -> tuple[int, int, int, int]:
    """Return (harmful reported, harmful, others reported, others) on the last day of a year without archiving."""
    now, loads, ended = BEGIN + DAYS * DAY_MS, dict[int, list[SkillLoad]](), list[SkillLoad]()
    for event in year.simulate_sessions():
        ended.append(SkillLoad("", event.name, event.at, event.outcome))
        for skill in event.skills:
            loads.setdefault(skill, []).append(SkillLoad(str(skill), event.name, event.at, event.outcome))
    totals, reported, harmful = sum_outcomes(ended, now=now), set[int](), set[int]()
    for skill, found in loads.items():
        standing = compute_standing(str(skill), found, now=now)
        if explain_failing(standing, totals.subtract(sum_outcomes(standing.loads, now=now))):
            reported.add(skill)
        if year.is_harmful(skill, now):
            harmful.add(skill)
    return len(reported & harmful), len(harmful), len(reported - harmful), len(loads) - len(harmful)


def simulate_strategies(year: Year) -> dict[Truth, list[str]]:
    """Return the state of each strategy at the end of the year by truth; "warned of" if it has become a warning."""
    credit = Credit()
    for event in year.simulate_sessions():
        credit.vote("p", event.name, [STRATEGIES[event.strategy]], event.outcome, at=event.at, now=event.at)
    found = {each.pattern.id: each for each in credit.list_standings("p")}
    result: dict[Truth, list[str]] = {}
    for number, truth in enumerate(year.strategies):
        standing = found[build_strategy_id("p", STRATEGIES[number])]
        state = "warned of" if standing.pattern.inverted_to else standing.maturity.state
        result.setdefault(truth, []).append(state)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Measure whether the loop recognises good skills and retires bad ones."
    )
    parser.add_argument("--seeds", type=int, default=8, help="Number of years to simulate.")
    parser.add_argument("--json", action="store_true", help="Print the numbers as JSON.")
    options = parser.parse_args()
    found: dict[str, Any] = {"seeds": options.seeds, "sessions": SESSIONS, "skills": {}}
    for failing_share in (0.2, 0.35):
        for name, rule in (("documents", is_deprecated), ("sure", is_certainly_failing)):
            years = [Year(seed, failing=failing_share) for seed in range(options.seeds)]
            found["skills"][f"{name} {failing_share:.0%}"] = summarise_skills(
                [(year, simulate_skills(year, rule)) for year in years]
            )
    ends = [count_reported_on_last_day(Year(seed)) for seed in range(options.seeds)]
    right, harmful, wrong, others = (sum(each) for each in zip(*ends, strict=True))
    found["last day"] = {"harmful named": f"{right}/{harmful}", "others named": f"{wrong}/{others}"}
    found["strategies"] = summarise_strategies([simulate_strategies(Year(seed)) for seed in range(options.seeds)])
    found["listed"] = summarise_listed_skills(Year(0), int(time.time() * 1000))
    print(json.dumps(found, indent=2) if options.json else format_tables(found))


def summarise_skills(years: list[tuple[Year, Figures]]) -> dict[str, Any]:
    """Summarise the figures of several years: counts, and the time until skills were found."""
    figures = [one for _, one in years]

    def format_share(*truths: Truth) -> str:
        total = sum(year.skills.count(truth) for year, _ in years for truth in truths)
        return f"{sum(one.count(*truths) for one in figures)}/{total}"

    found_bad = [each for one in figures for each in one.proposed.get("bad", [])]
    turned = [each for one in figures for each in one.proposed.get("turning", [])]
    evaluations = sum(one.evaluations for one in figures)
    return {
        "bad found": format_share("bad"),
        "turned found": format_share("turning"),
        "turning proposed early": sum(one.early for one in figures),
        "good proposed": format_share("good"),
        "neutral proposed": format_share("neutral"),
        "votes until found": median([votes for votes, _ in found_bad]) if found_bad else None,
        "days until found": round(median([days for _, days in found_bad])) if found_bad else None,
        "votes after turning": median([votes for votes, _ in turned]) if turned else None,
        "days after turning": round(median([days for _, days in turned])) if turned else None,
        "good proven at the end": f"{sum(one.proven for one in figures)}/{14 * len(years)}",
        "good silent, state alone": round(sum(one.silent_by_documents for one in figures) / evaluations, 3),
        "good silent, in use": round(sum(one.silent for one in figures) / evaluations, 3),
    }


def summarise_strategies(years: list[dict[Truth, list[str]]]) -> dict[str, dict[str, int]]:
    """Count the states of the strategies at the end of the year, by truth."""
    states = ("proven", "established", "candidate", "deprecated", "warned of")
    found = {truth: [each for year in years for each in year[truth]] for truth in FOLLOWED}
    return {truth: {state: each.count(state) for state in states} for truth, each in found.items()}


def format_tables(found: dict[str, Any]) -> str:
    """Return the tables from which docs/learning.md quotes."""
    columns = list(found["skills"])
    rows = [["skills, by rule and by how many sessions fail anyway", *columns]]
    rows += [[key, *(str(found["skills"][each][key]) for each in columns)] for key in found["skills"][columns[0]]]
    rows += [[""], ["nothing archived, on the last day"], *([key, value] for key, value in found["last day"].items())]
    rows += [[""], ["strategies", *found["strategies"]["good"]]]
    rows += [[truth, *(str(number) for number in row.values())] for truth, row in found["strategies"].items()]
    rows += [[""], ["`skills list --json`, one year, nothing archived"]]
    rows += [[key, str(value)] for key, value in found["listed"].items()]
    return "\n".join(" | ".join(row) for row in rows)


if __name__ == "__main__":
    main()
