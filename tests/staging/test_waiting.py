"""What is not sure enough to be told after one session is on no list until another session sees it as well."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from mind_skills.staging.entry_text import render_entry
from mind_skills.staging.merge import merge_sightings
from mind_skills.staging.model import Candidate
from mind_skills.staging.tables.retention import delete_expired
from tests.staging.workbench import Workbench, candidate

DAY = 24 * 60 * 60_000


def unsure(anchor: str, session: str, at: int = 100, **more: str) -> Candidate:
    return replace(candidate(anchor, 0.3, at, session, **more), confidence="waiting")


def see(bench: Workbench, session: str, *anchors: str, at: int = 100) -> None:
    bench.ledger.stage(bench.project, session, "claude-code", [unsure(anchor, session, at) for anchor in anchors], at)


def told(bench: Workbench, session: str) -> list[str]:
    offer = bench.claim(session)
    return [] if offer is None else list(offer.ids)


def story(bench: Workbench, anchor: str) -> list[str]:
    return [
        receipt.event for receipt in bench.ledger.list_candidate_receipts(bench.ledger.find_candidate(bench.id(anchor)))
    ]


def test_it_is_on_no_list_in_no_file_and_offered_to_nobody(bench: Workbench) -> None:
    see(bench, "R", "a", "b")
    assert (bench.titles(), bench.in_file(), told(bench, "S"), bench.states()) == ([], [], [], {})
    assert bench.ledger.find_candidate(bench.id("a")).state == "waiting"


def test_it_takes_no_place_of_those_that_are_told(bench: Workbench) -> None:
    for number in range(2):
        see(bench, f"Q{number}", *(f"quiet {number}{letter}" for letter in "vwxyz"))
        bench.stage(f"R{number}", *(f"sure {number}{letter}" for letter in "abcde"))
    assert len(bench.titles()) == 10
    assert all(title.startswith("sure") for title in bench.titles())


def test_another_session_that_sees_it_puts_it_on_the_list_as_a_perhaps_of_two_sessions(bench: Workbench) -> None:
    see(bench, "R", "a")
    see(bench, "R", "a", at=150)
    assert bench.titles() == []
    see(bench, "S", "a", at=200)
    (found,) = bench.ledger.list_pending(bench.project)
    assert (found.confidence, found.sessions, found.detected_at, "in 2 sessions" in render_entry(found)) == (
        "medium",
        ("R", "S"),
        100,
        True,
    )
    assert (bench.in_file(), told(bench, "T"), story(bench, "a")) == (
        [found.id],
        [found.id],
        ["waits", "staged", "offered"],
    )


def test_another_remedy_of_the_same_error_is_no_return(bench: Workbench) -> None:
    error = "ERESOLVE could not resolve the tree of packages"
    for session, remedy in (("R", "npm ci"), ("S", "NODE_ENV=test")):
        found = unsure(f"{error} -> {remedy}", session, title=error, remedy=remedy)
        bench.ledger.stage(bench.project, session, "claude-code", [found], 100)
    assert bench.titles() == []


def test_it_waits_again_once_the_other_session_sees_it_no_more(bench: Workbench) -> None:
    see(bench, "R", "a")
    see(bench, "S", "a", at=200)
    see(bench, "S", at=300)
    assert (bench.titles(), bench.in_file(), story(bench, "a")) == ([], [], ["waits", "staged", "lapsed"])


def test_a_session_that_is_sure_of_it_is_enough(bench: Workbench) -> None:
    see(bench, "R", "a")
    bench.stage("S", "a")
    assert [found.confidence for found in bench.ledger.list_pending(bench.project)] == ["high"]


def test_what_is_more_than_a_session_may_tell_waits_as_well(bench: Workbench) -> None:
    best, next_, last = (candidate(anchor, score, 100, "R") for anchor, score in (("a", 0.9), ("b", 0.8), ("c", 0.7)))
    done = bench.ledger.stage(bench.project, "R", "claude-code", [last, best, next_], 100, most=2)
    assert (bench.titles(), done.kept) == (["a", "b"], (last.id,))


def test_a_refusal_holds_for_what_waits(bench: Workbench) -> None:
    see(bench, "R", "a")
    bench.ledger.dismiss(bench.id("a"), "no", 150)
    see(bench, "S", "a", at=200)
    assert (bench.titles(), bench.states()) == ([], {"a": "dismissed"})


def test_it_is_forgotten_after_the_retention_time_with_its_receipts(bench: Workbench) -> None:
    see(bench, "R", "old", at=DAY)
    see(bench, "S", "new", at=9 * DAY)
    see(bench, "Q", "back", at=DAY)
    see(bench, "P", "back", at=9 * DAY)
    with bench.ledger.database.writing() as sql:
        delete_expired(sql, 5 * DAY)
        left = {row[0] for row in sql.execute("SELECT id FROM candidates")}
        told_of = {row[0] for row in sql.execute("SELECT candidate FROM receipts")}
    assert left == told_of == {bench.id("new"), bench.id("back")}


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
def test_it_waits_exactly_as_long_as_one_session_alone_has_seen_it_and_was_not_sure(found: list[Candidate]) -> None:
    united = merge_sightings(found)
    alone = len({each.session_id for each in found}) == 1 and {each.confidence for each in found} == {"waiting"}
    assert (united.confidence == "waiting") == alone
