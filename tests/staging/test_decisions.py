"""Decisions of the user shift the rank and the confidence of later candidates in that project, within bounds, until they are undone."""

from __future__ import annotations

import pytest

from mind_skills.detectors import features
from mind_skills.detectors.features import Feature
from mind_skills.staging.decisions import list_decisions
from mind_skills.staging.model import Candidate
from mind_skills.store.project import Project
from tests.staging.workbench import Workbench, candidate

WORDS, FAILURES = (("named", 1.5),), (("failed", 1.5),)


@pytest.fixture(autouse=True)
def two_features(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two groups of one feature each."""
    made = (Feature("named", 1, "words", "", ""), Feature("failed", 1, "failure", "", ""))
    monkeypatch.setattr(features, "FEATURES", made)


def make_scored(anchor: str, deciding: tuple[tuple[str, float], ...], probability: float = 0.45) -> Candidate:
    return candidate(anchor, probability, confidence="medium", probability=probability, deciding=deciding)


def stage(bench: Workbench, session: str, *candidates: Candidate, adapts: bool = True) -> list[str]:
    seen = (bench.project, session, "claude-code", candidates, 100)
    bench.ledger.stage(*seen, adapts=adapts)
    return [f"{each.error} {each.confidence}" for each in bench.ledger.list_pending(bench.project)]


def decide(bench: Workbench, times: int = 12) -> None:
    for number in range(times):
        words, failed = make_scored(f"word {number}", WORDS), make_scored(f"fault {number}", FAILURES)
        stage(bench, f"R{number}", words, failed, adapts=False)
        bench.ledger.dismiss(words.id, "no", 200 + number)
        bench.ledger.accept(failed.id, "a skill", 200 + number)


def test_candidates_like_dismissed_ones_rank_lower_and_those_like_accepted_ones_become_high(bench: Workbench) -> None:
    decide(bench)
    likely, unlikely = make_scored("next fault", FAILURES), make_scored("next word", WORDS, 0.46)
    assert stage(bench, "S", unlikely, likely, adapts=False) == ["next word medium", "next fault medium"]
    assert stage(bench, "S", unlikely, likely) == ["next fault high", "next word medium"]


def test_a_very_probable_candidate_stays_high_whatever_was_dismissed(bench: Workbench) -> None:
    decide(bench, 40)
    assert stage(bench, "S", make_scored("certain", WORDS, 0.95)) == ["certain high"]


def test_decisions_in_one_project_do_not_affect_another(bench: Workbench) -> None:
    decide(bench)
    other = Project(bench.project.root, "another", "another", bench.project.git_folder)
    bench.ledger.stage(other, "S", "claude-code", [make_scored("next word", WORDS)], 100)
    assert [each.confidence for each in bench.ledger.list_pending(other)] == ["medium"]


def test_only_the_last_decision_on_a_candidate_counts_and_an_undone_one_does_not(bench: Workbench) -> None:
    one, other, third = make_scored("a", WORDS), make_scored("b", FAILURES), make_scored("c", FAILURES)
    stage(bench, "R", one, other, adapts=False)
    stage(bench, "S", third, adapts=False)
    bench.ledger.dismiss(one.id, "no", 200)
    bench.ledger.accept(one.id, "a skill", 201)
    bench.ledger.dismiss(other.id, "no", 202)
    bench.ledger.undo(203)
    bench.ledger.accept(third.id, "a skill", 204)
    bench.ledger.dismiss(third.id, "no", 205)
    bench.ledger.undo(206)
    with bench.ledger.database.reading() as sql:
        made, unscored_count = list_decisions(sql)
    assert unscored_count == 0
    assert [
        (each.candidate, each.tier, each.values.is_accepted, each.values.weight, each.values.deciding) for each in made
    ] == [(one.id, "medium", True, 1.0, WORDS), (third.id, "medium", True, 1.0, FAILURES)]


def test_a_repeated_decision_is_recorded_once_and_one_with_another_reason_replaces_it(bench: Workbench) -> None:
    bench.stage("R", "a")
    for at, reason in ((200, "no"), (201, "no"), (202, "too obvious"), (203, "too obvious")):
        bench.ledger.dismiss(bench.id("a"), reason, at)
    recorded = [(each.at, each.detail["reason"]) for each in bench.ledger.list_receipts() if each.event == "dismissed"]
    found = bench.ledger.find_candidate(bench.id("a"))
    assert (recorded, found.detail, found.settled_at) == ([(200, "no"), (202, "too obvious")], "too obvious", 202)
    undone = [bench.ledger.undo(at) for at in (300, 301, 302)]
    assert [each and (each.state, each.detail) for each in undone] == [("dismissed", "no"), ("pending", ""), None]


def test_an_ignored_offer_counts_as_a_quarter_of_a_dismissal(bench: Workbench) -> None:
    stage(bench, "R", make_scored("a", WORDS))
    assert bench.claim("S") is not None
    bench.ledger.apply_verdicts("S", {}, 300)
    with bench.ledger.database.reading() as sql:
        (made,), _ = list_decisions(sql, bench.project)
    assert (made.values.is_accepted, made.values.weight) == (False, 0.25)


def test_a_decision_on_a_candidate_without_a_probability_does_not_affect_the_taste(bench: Workbench) -> None:
    bench.stage("R", "a")
    bench.ledger.dismiss(bench.id("a"), "no", 200)
    assert bench.ledger.list_decisions() == ([], 1)
    assert bench.ledger.read_taste(bench.project).decision_count == 0
