"""`eval --journal`: how well the scorer, adjusted by earlier decisions, predicts the user's decisions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from mind_skills.cli.eval import build_journal
from mind_skills.learning.taste import TasteDecision
from mind_skills.staging.decisions import Decision, replay_decisions
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from tests.staging.workbench import candidate

Run = Callable[..., Any]
GROUPS = {"named": "words", "failed": "failures"}


def make_decision(kept: bool, feature: str, probability: float = 0.5) -> TasteDecision:
    return TasteDecision(probability, ((feature, 1.5),), kept)


def test_each_decision_is_predicted_from_earlier_decisions_only() -> None:
    made = [make_decision(number % 2 == 0, ("failed", "named")[number % 2]) for number in range(60)]
    steps = replay_decisions(made, GROUPS)
    for number in (0, 1, 19, 20, 59):
        assert replay_decisions(made[: number + 1], GROUPS) == steps[: number + 1]
    assert steps[0].adjusted == 0.5 < steps[-2].adjusted
    assert steps[-1].adjusted < 0.5


def test_each_project_is_adjusted_by_its_own_decisions_and_the_figures_cover_all() -> None:
    fond = [Decision("one", str(n), "medium", make_decision(kept=True, feature="failed")) for n in range(12)]
    tired = [Decision("two", str(n), "medium", make_decision(kept=False, feature="failed")) for n in range(12)]
    report = build_journal([each for pair in zip(fond, tired, strict=True) for each in pair], 3, GROUPS)
    told = report["told"]
    assert [report[name] for name in ("decisions", "kept", "unknown", "projects")] == [24, 12, 3, 2]
    assert (told.told, told.kept, told.precision) == (24, 12, 0.5)
    high = report["tiers"][0]
    assert (high.told, high.kept_updated, high.told_updated < 24) == (24, 12, True)
    assert [(stage["since"], stage["until"], stage["told"].told) for stage in report["stages"]] == [
        (0, 10, 20),
        (10, 30, 4),
        (30, 100, 0),
        (100, None, 0),
    ]


def test_the_command_reads_the_decisions_from_the_ledger(mind_skills: Run, state: Path, project: Path) -> None:
    with Ledger.open(state) as ledger:
        place = resolve_project(folder=str(project))
        found = replace(candidate("a", 0.5), probability=0.99, deciding=(("failed", 1.0),))
        ledger.stage(place, "S", "claude-code", [found, candidate("b", 0.4)], 1)
        ledger.accept(found.id, "a skill", 2)
        ledger.dismiss(candidate("b").id, "no", 3)
    report = mind_skills("eval", "--journal", "--json").json
    assert (report["decisions"], report["kept"], report["unknown"]) == (1, 1, 1)
    assert report["told"]["precision"] == 1.0
    assert "1 decision in 1 project, 1 accepted" in mind_skills("eval").out
