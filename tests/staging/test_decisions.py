"""What the user decided shifts what is told next, in that project, within bounds, until it is taken back."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from mind_skills.detectors import features
from mind_skills.detectors.features import Feature
from mind_skills.staging import stage as staging
from mind_skills.staging.decisions import list_decisions
from mind_skills.staging.model import Candidate, Confidence
from mind_skills.staging.select import apply_taste
from mind_skills.store.project import Project
from tests.staging.workbench import Workbench, candidate

"""Detectors of which much was dismissed fall silent as a whole (staging/trust.py), which is not what is tested here."""
WORDS, FAILURES = (("named", 1.5),), (("failed", 1.5),)


@pytest.fixture(autouse=True)
def two_features(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two groups of one feature each, and tiers at .7, .4 and .1."""
    made = (Feature("named", 1, "words", "", ""), Feature("failed", 1, "failure", "", ""))
    monkeypatch.setattr(features, "FEATURES", made)

    def tier(probability: float) -> Confidence | None:
        return (
            "high"
            if probability >= 0.7
            else "medium"
            if probability >= 0.4
            else "waiting"
            if probability >= 0.1
            else None
        )

    monkeypatch.setattr(staging, "apply_taste", partial(apply_taste, tiers=tier))


def found(anchor: str, deciding: tuple[tuple[str, float], ...], probability: float = 0.5) -> Candidate:
    return replace(candidate(anchor, probability), confidence="medium", probability=probability, deciding=deciding)


def stage(bench: Workbench, session: str, *candidates: Candidate, adapts: bool = True) -> list[str]:
    seen = (bench.project, session, "claude-code", candidates, 100)
    bench.ledger.stage(*seen, adapts=adapts)
    return [f"{each.title.split(chr(39))[1]} {each.confidence}" for each in bench.ledger.list_pending(bench.project)]


def decide(bench: Workbench, times: int = 12) -> None:
    for number in range(times):
        words, failed = found(f"word {number}", WORDS), found(f"fault {number}", FAILURES)
        stage(bench, f"R{number}", words, failed, adapts=False)
        bench.ledger.dismiss(words.id, "no", 200 + number)
        bench.ledger.accept(failed.id, "a skill", 200 + number)


def test_what_is_like_the_refused_is_told_no_more_and_what_is_like_the_accepted_for_sure(bench: Workbench) -> None:
    decide(bench)
    likely, unlikely = found("next fault", FAILURES), found("next word", WORDS)
    assert stage(bench, "S", unlikely, likely, adapts=False) == ["next fault medium", "next word medium"]
    assert stage(bench, "S", unlikely, likely) == ["next fault high"]
    assert bench.ledger.find_candidate(unlikely.id).state == "waiting"


def test_what_the_scorer_is_sure_of_is_told_whatever_was_refused(bench: Workbench) -> None:
    decide(bench, 40)
    assert stage(bench, "S", found("certain", WORDS, 0.95)) == ["certain high"]


def test_another_project_has_another_user(bench: Workbench) -> None:
    decide(bench)
    other = Project(bench.project.root, "another", "another", bench.project.git)
    bench.ledger.stage(other, "S", "claude-code", [found("next word", WORDS)], 100)
    assert [each.confidence for each in bench.ledger.list_pending(other)] == ["medium"]


def test_a_decision_that_is_taken_back_counts_no_more_and_the_last_of_several_counts_alone(bench: Workbench) -> None:
    one, other = found("a", WORDS), found("b", FAILURES)
    stage(bench, "R", one, other)
    bench.ledger.dismiss(one.id, "no", 200)
    bench.ledger.accept(one.id, "a skill", 201)
    bench.ledger.dismiss(other.id, "no", 202)
    bench.ledger.undo(203)
    with bench.ledger.database.reading() as sql:
        made, _ = list_decisions(sql)
    assert [
        (each.candidate, each.tier, each.values.is_accepted, each.values.weight, each.values.deciding) for each in made
    ] == [(one.id, "medium", True, 1.0, WORDS)]


def test_what_was_told_in_vain_counts_a_quarter(bench: Workbench) -> None:
    stage(bench, "R", found("a", WORDS))
    assert bench.claim("S") is not None
    bench.ledger.apply_verdicts("S", {}, 300)
    with bench.ledger.database.reading() as sql:
        (made,), _ = list_decisions(sql, bench.project)
    assert (made.values.is_accepted, made.values.weight) == (False, 0.25)


def test_a_decision_about_what_no_scorer_saw_says_nothing(bench: Workbench) -> None:
    bench.stage("R", "a")
    bench.ledger.dismiss(bench.id("a"), "no", 200)
    assert bench.ledger.list_decisions() == ([], 1)
    assert bench.ledger.read_taste(bench.project).decisions == 0
