"""A candidate in the tier ``waiting`` is on no list until another session sees it as well."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from mind_skills.staging.entry_text import render_entry
from mind_skills.staging.model import Candidate, merge_sightings
from mind_skills.staging.tables.retention import delete_expired
from tests.staging.workbench import Workbench, candidate

DAY = 24 * 60 * 60_000


def make_waiting(anchor: str, session: str, at: int = 100, **more: str) -> Candidate:
    return replace(candidate(anchor, 0.3, at, session, **more), confidence="waiting")


def stage_waiting(bench: Workbench, session: str, *anchors: str, at: int = 100) -> None:
    bench.ledger.stage(
        bench.project, session, "claude-code", [make_waiting(anchor, session, at) for anchor in anchors], at
    )


def claim_ids(bench: Workbench, session: str) -> list[str]:
    offer = bench.claim(session)
    return [] if offer is None else list(offer.ids)


def list_events(bench: Workbench, anchor: str) -> list[str]:
    return [
        receipt.event for receipt in bench.ledger.list_candidate_receipts(bench.ledger.find_candidate(bench.id(anchor)))
    ]


def test_a_waiting_candidate_is_neither_listed_nor_written_nor_offered(bench: Workbench) -> None:
    stage_waiting(bench, "R", "a", "b")
    assert (bench.titles(), bench.in_file(), claim_ids(bench, "S"), bench.states()) == ([], [], [], {})
    assert bench.ledger.find_candidate(bench.id("a")).state == "waiting"


def test_waiting_candidates_do_not_keep_others_out_of_the_list(bench: Workbench) -> None:
    for number in range(2):
        stage_waiting(bench, f"Q{number}", *(f"quiet {number}{letter}" for letter in "vwxyz"))
        bench.stage(f"R{number}", *(f"sure {number}{letter}" for letter in "abcde"))
    assert len(bench.titles()) == 10
    assert all(title.startswith("sure") for title in bench.titles())


def test_a_waiting_candidate_becomes_pending_and_medium_when_a_second_session_sees_it(bench: Workbench) -> None:
    stage_waiting(bench, "R", "a")
    stage_waiting(bench, "R", "a", at=150)
    assert bench.titles() == []
    stage_waiting(bench, "S", "a", at=200)
    (found,) = bench.ledger.list_pending(bench.project)
    assert (found.confidence, found.sessions, found.detected_at, "in 2 sessions" in render_entry(found)) == (
        "medium",
        ("R", "S"),
        100,
        True,
    )
    assert (bench.in_file(), claim_ids(bench, "T"), list_events(bench, "a")) == (
        [found.id],
        [found.id],
        ["waits", "staged", "offered"],
    )


def test_the_same_error_with_another_remedy_does_not_make_a_waiting_candidate_pending(bench: Workbench) -> None:
    error = "ERESOLVE could not resolve the tree of packages"
    for session, remedy in (("R", "npm ci"), ("S", "NODE_ENV=test")):
        found = make_waiting(f"{error} -> {remedy}", session, title=error, remedy=remedy)
        bench.ledger.stage(bench.project, session, "claude-code", [found], 100)
    assert bench.titles() == []


def test_a_candidate_is_waiting_again_when_the_second_session_no_longer_sees_it(bench: Workbench) -> None:
    stage_waiting(bench, "R", "a")
    stage_waiting(bench, "S", "a", at=200)
    stage_waiting(bench, "S", at=300)
    assert (bench.titles(), bench.in_file(), list_events(bench, "a")) == ([], [], ["waits", "staged", "lapsed"])


def test_a_waiting_candidate_becomes_high_when_another_session_stages_it_as_high(bench: Workbench) -> None:
    stage_waiting(bench, "R", "a")
    bench.stage("S", "a")
    assert [found.confidence for found in bench.ledger.list_pending(bench.project)] == ["high"]


def test_candidates_over_the_limit_of_a_session_are_waiting(bench: Workbench) -> None:
    best, next_, last = (candidate(anchor, score, 100, "R") for anchor, score in (("a", 0.9), ("b", 0.8), ("c", 0.7)))
    done = bench.ledger.stage(bench.project, "R", "claude-code", [last, best, next_], 100, max_candidates=2)
    assert (bench.titles(), done.unconfirmed) == (["a", "b"], (last.id,))


def test_a_dismissed_waiting_candidate_stays_dismissed_when_another_session_sees_it(bench: Workbench) -> None:
    stage_waiting(bench, "R", "a")
    bench.ledger.dismiss(bench.id("a"), "no", 150)
    stage_waiting(bench, "S", "a", at=200)
    assert (bench.titles(), bench.states()) == ([], {"a": "dismissed"})


def test_a_waiting_candidate_expires_with_its_receipts(bench: Workbench) -> None:
    stage_waiting(bench, "R", "old", at=DAY)
    stage_waiting(bench, "S", "new", at=9 * DAY)
    stage_waiting(bench, "Q", "back", at=DAY)
    stage_waiting(bench, "P", "back", at=9 * DAY)
    with bench.ledger.database.writing() as sql:
        delete_expired(sql, 5 * DAY)
        left = {row[0] for row in sql.execute("SELECT id FROM candidates")}
        with_receipts = {row[0] for row in sql.execute("SELECT candidate FROM receipts")}
    assert left == with_receipts == {bench.id("new"), bench.id("back")}


sightings = st.lists(
    st.builds(
        lambda session, tier: replace(candidate("a", 0.5, 100, session), confidence=tier),
        st.sampled_from(["R", "S", "T"]),
        st.sampled_from(["waiting", "medium", "high"]),
    ),
    min_size=1,
    max_size=6,
)


@given(sightings)
def test_a_candidate_is_waiting_exactly_while_one_session_alone_saw_it_as_waiting(found: list[Candidate]) -> None:
    united = merge_sightings(found)
    alone = len({each.session_id for each in found}) == 1 and {each.confidence for each in found} == {"waiting"}
    assert (united.confidence == "waiting") == alone
