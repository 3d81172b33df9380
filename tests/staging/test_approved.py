"""What the user has approved is told first, as something that they agreed to, and is lost to no later look."""

from __future__ import annotations

from mind_skills.staging.entry_text import APPROVED_LABEL
from mind_skills.staging.model import RULE_KIND
from tests.staging.workbench import Workbench, candidate


def story(bench: Workbench, anchor: str) -> list[str]:
    record = bench.ledger.find_candidate(bench.id(anchor), bench.project)
    return [receipt.event for receipt in bench.ledger.list_candidate_receipts(record)]


def test_it_is_told_first_with_the_word_that_the_user_agreed(bench: Workbench) -> None:
    bench.stage("A", "low", score=0.1)
    for session in "PQRSTU":  # as much as a rank can be
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


def test_a_rule_that_was_approved_says_so_too_and_what_rests_on_strangers_need_not_ask(bench: Workbench) -> None:
    rule, strange = candidate("rule", kind=RULE_KIND), candidate("strange", taint=("web",))
    bench.ledger.stage(bench.project, "R", "claude-code", [rule, strange], 1)
    for each in (rule, strange):
        bench.ledger.approve(each.id, 2, bench.project)
    offer = bench.claim("Z")
    assert offer is not None
    assert f"{rule.id} ({APPROVED_LABEL})" in offer.text
    assert f"{strange.id} ({APPROVED_LABEL}, rests on web)" in offer.text


def test_a_later_look_that_no_longer_finds_it_does_not_take_it_away(bench: Workbench) -> None:
    bench.stage("R", "kept", "other")
    bench.ledger.approve(bench.id("kept"), 5, bench.project)
    bench.stage("R")
    assert (bench.titles(), story(bench, "kept")) == (["kept"], ["staged", "approved"])
    bench.stage("Q", "kept")
    bench.ledger.update_pending_file(bench.project, 9, [])
    (waiting,) = bench.ledger.list_pending(bench.project)
    assert (waiting.approved, waiting.sessions) == (True, ("Q", "R"))


def test_what_is_like_it_belongs_to_it_whichever_was_seen_first(bench: Workbench) -> None:
    words = "session not found where the store was opened twice by"
    bench.stage("R", f"{words} one", at=200)
    bench.ledger.approve(bench.id(f"{words} one"), 5, bench.project)
    bench.stage("Q", f"one {words}", at=100)
    (waiting,) = bench.ledger.list_pending(bench.project)
    assert (waiting.id, waiting.approved, waiting.sessions) == (bench.id(f"{words} one"), True, ("Q", "R"))


def test_undo_takes_it_back_and_only_the_approval(bench: Workbench) -> None:
    bench.stage("R", "a", "b")
    before = [bench.ledger.find_candidate(bench.id("a"), bench.project)]
    bench.ledger.approve(bench.id("a"), 5, bench.project)
    bench.ledger.approve(bench.id("a"), 6, bench.project)
    bench.claim("Z")
    undone = bench.ledger.undo(7, bench.project)
    assert undone is not None
    assert undone.candidate.parts == before[0].candidate.parts
    assert (undone.state, undone.offered_to) == ("pending", "Z")
    assert story(bench, "a") == ["staged", "approved", "offered", "undone"]
    assert bench.ledger.undo(8, bench.project) is None


def test_what_was_decided_before_is_not_approved(bench: Workbench) -> None:
    bench.stage("R", "a")
    bench.ledger.dismiss(bench.id("a"), "no", 5)
    record = bench.ledger.approve(bench.id("a"), 6, bench.project)
    assert (record.state, record.candidate.approved, story(bench, "a")) == ("dismissed", False, ["staged", "dismissed"])
