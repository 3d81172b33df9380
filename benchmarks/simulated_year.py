"""Whether the loop recognises good skills and retires bad ones in a simulated year with known truth (year.py).

python -m benchmarks.simulated_year [--seeds 8]    the tables of docs/learning.md; about a minute

Uses the real rules. Every evening each skill that was loaded that day is evaluated, and proposed ones are archived at
once. So each skill is evaluated some hundred times, and one false alarm in the year counts. The last table is one year
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

from benchmarks.year import BEGIN, DAYS, FOLLOWED, SESSIONS, Truth, Year
from benchmarks.year_listed import listed_summary
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

Rule = Callable[[SkillStanding, OutcomeTotals], bool]
HELPFUL: tuple[Truth, ...] = ("good", "neutral")


def by_the_documents(stands: SkillStanding, others: OutcomeTotals) -> bool:
    """Return whether more than 30 % of at least three votes are harmful."""
    return stands.maturity.state == "deprecated"


def for_sure(stands: SkillStanding, others: OutcomeTotals) -> bool:
    """Return what the project's rule proposes."""
    return bool(explain_failing(stands, others))


@dataclass(slots=True)
class Figures:
    """Results for the skills of a year: by truth, (votes, days) of each proposal; evaluations of good skills."""

    proposed: dict[Truth, list[tuple[int, float]]] = field(default_factory=dict)
    early: int = 0
    """Turning skills that were proposed while they were still helpful."""
    looks: int = 0
    silent_by_documents: int = 0
    silent: int = 0
    proven: int = 0

    def count(self, *truths: Truth) -> int:
        return sum(len(self.proposed.get(truth, [])) for truth in truths)


def skills_of(year: Year, rule: Rule) -> Figures:
    """Simulate a year and archive what ``rule`` proposes, on the same evening."""
    figures, loads, ended, first = Figures(), dict[int, list[SkillLoad]](), list[SkillLoad](), dict[int, int]()
    today, asked = 0, set[int]()
    for event in year.events():
        if event.at >= BEGIN + (today + 1) * DAY_MS:
            _evening(year, rule, figures, loads, ended, first, asked, event.at)
            today, asked = (event.at - BEGIN) // DAY_MS, set()
        ended.append(SkillLoad("", event.name, event.at, event.outcome))
        for skill in event.skills:
            loads.setdefault(skill, []).append(SkillLoad(str(skill), event.name, event.at, event.outcome))
            if year.harmful(skill, event.at):
                first.setdefault(skill, event.at)
            asked.add(skill)
    figures.proven = sum(
        compute_standing(str(number), found, now=BEGIN + DAYS * DAY_MS).maturity.state == "proven"
        for number, found in loads.items()
        if year.skills[number] == "good"
    )
    return figures


def _evening(
    year: Year,
    rule: Rule,
    figures: Figures,
    loads: dict[int, list[SkillLoad]],
    ended: list[SkillLoad],
    first: dict[int, int],
    evaluated: set[int],
    now: int,
) -> None:
    everybody = sum_outcomes(ended, now=now)
    for skill in sorted(evaluated - year.aside):  # a session may have loaded a skill before it was archived that day
        stands, truth = compute_standing(str(skill), loads[skill], now=now), year.skills[skill]
        others = everybody.subtract(stands)
        if truth == "good":
            figures.looks += 1
            figures.silent_by_documents += get_multiplier(stands.maturity.state) == 0.0
            figures.silent += compute_rank_multiplier(stands, others) == 0.0
        if not rule(stands, others):
            continue
        year.aside.add(skill)
        if truth == "turning" and skill not in first:
            figures.early += 1
        else:
            days = (now - first.get(skill, BEGIN)) / DAY_MS
            votes = sum(vote.at is not None and vote.at >= first.get(skill, BEGIN) for vote in stands.votes)
            figures.proposed.setdefault(truth, []).append((votes, days))


def last_day(year: Year) -> tuple[int, int, int, int]:
    """Return (harmful reported, harmful, others reported, others) on the last day of a year without archiving."""
    now, loads, ended = BEGIN + DAYS * DAY_MS, dict[int, list[SkillLoad]](), list[SkillLoad]()
    for event in year.events():
        ended.append(SkillLoad("", event.name, event.at, event.outcome))
        for skill in event.skills:
            loads.setdefault(skill, []).append(SkillLoad(str(skill), event.name, event.at, event.outcome))
    everybody, named, harmful = sum_outcomes(ended, now=now), set[int](), set[int]()
    for skill, found in loads.items():
        stands = compute_standing(str(skill), found, now=now)
        if explain_failing(stands, everybody.subtract(stands)):
            named.add(skill)
        if year.harmful(skill, now):
            harmful.add(skill)
    return len(named & harmful), len(harmful), len(named - harmful), len(loads) - len(harmful)


def strategies_of(year: Year) -> dict[Truth, list[str]]:
    """Return by truth the state of each strategy at the end of the year, or that sessions are warned of it."""
    credit = Credit()
    for event in year.events():
        credit.vote("p", event.name, [STRATEGIES[event.strategy]], event.outcome, at=event.at, now=event.at)
    found = {each.pattern.id: each for each in credit.list_standings("p")}
    result: dict[Truth, list[str]] = {}
    for number, truth in enumerate(year.strategies):
        stands = found[build_strategy_id("p", STRATEGIES[number])]
        said = "warned of" if stands.pattern.inverted_to else stands.maturity.state
        result.setdefault(truth, []).append(said)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description="Does the loop find the good and retire the bad?")
    parser.add_argument("--seeds", type=int, default=8, help="Number of years to simulate.")
    parser.add_argument("--json", action="store_true", help="Print the numbers as JSON.")
    chosen = parser.parse_args()
    found: dict[str, Any] = {"seeds": chosen.seeds, "sessions": SESSIONS, "skills": {}}
    for failing_share in (0.2, 0.35):
        for name, rule in (("documents", by_the_documents), ("sure", for_sure)):
            years = [Year(seed, failing=failing_share) for seed in range(chosen.seeds)]
            found["skills"][f"{name} {failing_share:.0%}"] = summary([(year, skills_of(year, rule)) for year in years])
    ends = [last_day(Year(seed)) for seed in range(chosen.seeds)]
    right, harmful, wrong, others = (sum(each) for each in zip(*ends, strict=True))
    found["last day"] = {"harmful named": f"{right}/{harmful}", "others named": f"{wrong}/{others}"}
    found["strategies"] = strategy_summary([strategies_of(Year(seed)) for seed in range(chosen.seeds)])
    found["listed"] = listed_summary(Year(0), int(time.time() * 1000))
    print(json.dumps(found, indent=2) if chosen.json else text(found))


def summary(years: list[tuple[Year, Figures]]) -> dict[str, Any]:
    """Summarise the figures of several years: counts, and the time it took."""
    figures = [one for _, one in years]

    def of(*truths: Truth) -> str:
        there = sum(year.skills.count(truth) for year, _ in years for truth in truths)
        return f"{sum(one.count(*truths) for one in figures)}/{there}"

    took = [each for one in figures for each in one.proposed.get("bad", [])]
    turned = [each for one in figures for each in one.proposed.get("turning", [])]
    looks = sum(one.looks for one in figures)
    return {
        "bad found": of("bad"),
        "turned found": of("turning"),
        "turning proposed early": sum(one.early for one in figures),
        "good proposed": of("good"),
        "neutral proposed": of("neutral"),
        "votes until found": median([votes for votes, _ in took]) if took else None,
        "days until found": round(median([days for _, days in took])) if took else None,
        "votes after turning": median([votes for votes, _ in turned]) if turned else None,
        "days after turning": round(median([days for _, days in turned])) if turned else None,
        "good proven at the end": f"{sum(one.proven for one in figures)}/{14 * len(years)}",
        "good silent, state alone": round(sum(one.silent_by_documents for one in figures) / looks, 3),
        "good silent, in use": round(sum(one.silent for one in figures) / looks, 3),
    }


def strategy_summary(years: list[dict[Truth, list[str]]]) -> dict[str, dict[str, int]]:
    """Count the states of the strategies at the end of the year, by truth."""
    said = ("proven", "established", "candidate", "deprecated", "warned of")
    found = {truth: [each for year in years for each in year[truth]] for truth in FOLLOWED}
    return {truth: {word: each.count(word) for word in said} for truth, each in found.items()}


def text(found: dict[str, Any]) -> str:
    """Return the tables of docs/learning.md."""
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
