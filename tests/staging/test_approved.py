"""A candidate that the user approved is offered first, is marked as approved, and survives later checkpoints."""

from __future__ import annotations

from mind_skills.staging.offer import APPROVED_LABEL
from tests.staging.workbench import Workbench


def list_events(bench: Workbench, anchor: str) -> list[str]:
    record = bench.ledger.find_candidate(bench.id(anchor), bench.project)
    return [receipt.event for receipt in bench.ledger.list_candidate_receipts(record)]


def test_an_approved_candidate_is_offered_first_and_marked_as_approved(bench: Workbench) -> None:
    bench.stage("A", "low", score=0.1)
    for session in "PQRSTU":  # the highest possible rank
        bench.stage(session, "high", score=1.0)
    before = bench.errors()
    bench.ledger.approve(bench.id("low"), 5, bench.project)
    offer = bench.claim("Z")
    assert offer is not None
    labels = [row.rpartition("; ")[2] for row in offer.text.splitlines() if row.startswith("  sc_")]
    assert (before, bench.errors(), offer.ids) == (
        ["high", "low"],
        ["low", "high"],
        (bench.id("low"), bench.id("high")),
    )
    assert labels == [APPROVED_LABEL, "seen in 6 sessions"]


def test_an_approved_candidate_stays_when_a_later_checkpoint_no_longer_finds_it(bench: Workbench) -> None:
    bench.stage("R", "kept", "other")
    bench.ledger.approve(bench.id("kept"), 5, bench.project)
    bench.stage("R")
    assert (bench.errors(), list_events(bench, "kept")) == (["kept"], ["staged", "approved"])
    bench.stage("Q", "kept")
    bench.ledger.update_pending_file(bench.project, 9, [])
    (waiting,) = bench.ledger.list_pending(bench.project)
    assert (waiting.approved, waiting.sessions) == (True, ("Q", "R"))


def test_undo_takes_back_the_approval_and_nothing_else(bench: Workbench) -> None:
    bench.stage("R", "a", "b")
    before = [bench.ledger.find_candidate(bench.id("a"), bench.project)]
    bench.ledger.approve(bench.id("a"), 5, bench.project)
    bench.ledger.approve(bench.id("a"), 6, bench.project)
    bench.claim("Z")
    undone = bench.ledger.undo(7, bench.project)
    assert undone is not None
    assert undone.candidate.parts == before[0].candidate.parts
    assert (undone.state, undone.offered_to) == ("pending", "Z")
    assert list_events(bench, "a") == ["staged", "approved", "offered", "undone"]
    assert bench.ledger.undo(8, bench.project) is None


def test_approving_a_dismissed_candidate_has_no_effect(bench: Workbench) -> None:
    bench.stage("R", "a")
    bench.ledger.dismiss(bench.id("a"), "no", 5)
    record = bench.ledger.approve(bench.id("a"), 6, bench.project)
    assert (record.state, record.candidate.approved, list_events(bench, "a")) == (
        "dismissed",
        False,
        ["staged", "dismissed"],
    )


def test_an_undone_approval_does_not_come_back_with_what_was_staged_while_it_held(bench: Workbench) -> None:
    bench.stage("R", "a")
    bench.ledger.approve(bench.id("a"), 5, bench.project)
    staged = bench.ledger.list_pending(bench.project)
    seen = [[each.approved for each in staged]]
    for undo in (False, True, False):
        if undo:
            bench.ledger.undo(6)
        bench.ledger.stage(bench.project, "R", "claude-code", staged, 100)
        seen.append([each.approved for each in bench.ledger.list_pending(bench.project)])
    assert seen == [[True], [True], [False], [False]]
