"""A candidate that the user approved is offered first, is marked as approved, and survives later checkpoints."""

from __future__ import annotations

from mind_skills.staging.model import RULE_KIND
from mind_skills.staging.offer import APPROVED_LABEL
from tests.staging.workbench import Workbench, candidate


def list_events(bench: Workbench, anchor: str) -> list[str]:
    record = bench.ledger.find_candidate(bench.id(anchor), bench.project)
    return [receipt.event for receipt in bench.ledger.list_candidate_receipts(record)]


def test_an_approved_candidate_is_offered_first_and_marked_as_approved(bench: Workbench) -> None:
    bench.stage("A", "low", score=0.1)
    for session in "PQRSTU":  # the highest possible rank
        bench.stage(session, "high", score=1.0)
    before = bench.titles()
    bench.ledger.approve(bench.id("low"), 5, bench.project)
    offer = bench.claim("Z")
    assert offer is not None
    heads = [row for row in offer.text.splitlines() if "[high]" in row and "sc_" in row]
    assert (before, bench.titles(), offer.ids) == (
        ["high", "low"],
        ["low", "high"],
        (bench.id("low"), bench.id("high")),
    )
    assert heads == [f"1. [high] {bench.id('low')} ({APPROVED_LABEL})", f"2. [high] {bench.id('high')} (in 6 sessions)"]


def test_approved_rules_and_tainted_candidates_are_marked_as_approved_without_ask_first(bench: Workbench) -> None:
    rule, strange = candidate("rule", kind=RULE_KIND), candidate("strange", taint=("web",))
    bench.ledger.stage(bench.project, "R", "claude-code", [rule, strange], 1)
    for each in (rule, strange):
        bench.ledger.approve(each.id, 2, bench.project)
    offer = bench.claim("Z")
    assert offer is not None
    assert f"{rule.id} ({APPROVED_LABEL})" in offer.text
    assert f"{strange.id} ({APPROVED_LABEL}, rests on web)" in offer.text


def test_an_approved_candidate_stays_when_a_later_checkpoint_no_longer_finds_it(bench: Workbench) -> None:
    bench.stage("R", "kept", "other")
    bench.ledger.approve(bench.id("kept"), 5, bench.project)
    bench.stage("R")
    assert (bench.titles(), list_events(bench, "kept")) == (["kept"], ["staged", "approved"])
    bench.stage("Q", "kept")
    bench.ledger.update_pending_file(bench.project, 9, [])
    (waiting,) = bench.ledger.list_pending(bench.project)
    assert (waiting.approved, waiting.sessions) == (True, ("Q", "R"))


def test_a_similar_candidate_merges_into_the_approved_one_even_if_it_was_detected_earlier(bench: Workbench) -> None:
    words = "session not found where the store was opened twice by"
    bench.stage("R", f"{words} one", at=200)
    bench.ledger.approve(bench.id(f"{words} one"), 5, bench.project)
    bench.stage("Q", f"one {words}", at=100)
    (waiting,) = bench.ledger.list_pending(bench.project)
    assert (waiting.id, waiting.approved, waiting.sessions) == (bench.id(f"{words} one"), True, ("Q", "R"))


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
