"""Decisions of the user: the last one on a candidate counts, until it is undone."""

from __future__ import annotations

from mind_skills.staging.model import Candidate
from tests.staging.workbench import Workbench, candidate


def make_scored(anchor: str, probability: float = 0.45) -> Candidate:
    return candidate(anchor, probability, confidence="medium", probability=probability)


def test_only_the_last_decision_on_a_candidate_counts_and_an_undone_one_does_not(bench: Workbench) -> None:
    one, other, third, unscored = make_scored("a"), make_scored("b"), make_scored("c"), candidate("d")
    for session, *found in (("R", one, other), ("S", third, unscored)):
        bench.ledger.stage(bench.project, session, "claude-code", found, 100)
    bench.ledger.dismiss(one.id, "no", 200)
    bench.ledger.accept(one.id, "a skill", 201)
    bench.ledger.dismiss(other.id, "no", 202)
    bench.ledger.undo(203)
    bench.ledger.accept(third.id, "a skill", 204)
    bench.ledger.dismiss(third.id, "no", 205)
    bench.ledger.undo(206)
    bench.ledger.dismiss(unscored.id, "no", 207)
    project = bench.project.id
    assert bench.ledger.list_decisions() == ([(project, one.id, 0.45, True), (project, third.id, 0.45, True)], 1)


def test_a_repeated_decision_is_recorded_once_and_one_with_another_reason_replaces_it(bench: Workbench) -> None:
    bench.stage("R", "a")
    for at, reason in ((200, "no"), (201, "no"), (202, "too obvious"), (203, "too obvious")):
        bench.ledger.dismiss(bench.id("a"), reason, at)
    recorded = [(each.at, each.detail["reason"]) for each in bench.ledger.list_receipts() if each.event == "dismissed"]
    found = bench.ledger.find_candidate(bench.id("a"))
    assert (recorded, found.detail, found.settled_at) == ([(200, "no"), (202, "too obvious")], "too obvious", 202)
    undone = [bench.ledger.undo(at) for at in (300, 301, 302)]
    assert [each and (each.state, each.detail) for each in undone] == [("dismissed", "no"), ("pending", ""), None]


def test_an_ignored_offer_is_a_decision_against_it(bench: Workbench) -> None:
    found = make_scored("a")
    bench.ledger.stage(bench.project, "R", "claude-code", [found], 100)
    assert bench.claim("S") is not None
    assert [each.state for each in bench.ledger.apply_verdicts("S", {}, 300)] == ["ignored"]
    assert bench.ledger.list_decisions(bench.project) == ([(bench.project.id, found.id, 0.45, False)], 0)
