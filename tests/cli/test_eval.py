"""`eval`: how many of the candidates that the scorer offers the user accepted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from tests.staging.workbench import candidate

Run = Callable[..., Any]


def test_the_command_counts_the_decisions_of_the_ledger_by_tier(mind_skills: Run, state: Path, project: Path) -> None:
    with Ledger.open(state) as ledger:
        place = resolve_project(folder=str(project))
        sure, likely = (replace(candidate(name, 0.5), probability=p) for name, p in (("a", 0.99), ("b", 0.3)))
        ledger.stage(place, "S", "claude-code", [sure, likely, candidate("c", 0.4)], 1)
        ledger.accept(sure.id, "a skill", 2)
        for other in (likely, candidate("c")):
            ledger.dismiss(other.id, "no", 3)
    report = mind_skills("eval", "--journal", "--json").json
    assert report == {
        "version": 1,
        "decisions": 2,
        "kept": 1,
        "unknown": 1,
        "projects": 1,
        "tiers": [
            {"name": "high", "told": 1, "kept": 1, "precision": 1.0},
            {"name": "medium", "told": 1, "kept": 0, "precision": 0.0},
        ],
        "told": {"name": "told", "told": 2, "kept": 1, "precision": 0.5},
    }
    assert "2 decisions in 1 project, 1 accepted" in mind_skills("eval").out
