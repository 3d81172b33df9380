from __future__ import annotations

import sqlite3
from collections import Counter

import pytest

from mind_skills.errors.records import AmbiguousIdError, UnknownIdError
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.stage import Staged
from mind_skills.store.database import describe_set_aside
from mind_skills.store.project import Project
from tests.staging.workbench import Workbench, candidate


def dump(bench: Workbench) -> list[str]:
    with sqlite3.connect(f"{bench.home}/mind-skills.db") as sql:
        lines = list(sql.iterdump())
    sql.close()
    return lines


def test_what_is_muted_twice_can_be_unmuted_once(bench: Workbench) -> None:
    for at in (5, 6):
        bench.ledger.mute(bench.project.id, "a-skill", at)
    assert bench.ledger.list_muted(bench.project.id) == ["a-skill"]
    assert [bench.ledger.unmute(bench.project.id, "a-skill") for _ in range(2)] == [True, False]


# -- staging -------------------------------------------------------------------------------------------------------------


def test_staging_ten_times_equals_staging_once(bench: Workbench) -> None:
    bench.stage("S", "a", "b", at=1)
    state, file = dump(bench), bench.file.read_bytes()
    for at in range(2, 12):
        bench.stage("S", "b", "a", at=at)
    assert (dump(bench), bench.file.read_bytes()) == (state, file)


def test_staging_returns_the_new_the_repeated_the_settled_and_the_withdrawn_candidates(bench: Workbench) -> None:
    bench.stage("R", "b", "d")
    bench.ledger.dismiss(bench.id("d"), "no", 2)
    bench.stage("S", "x")
    found = [candidate(anchor, session="S") for anchor in ("a", "b", "d")]
    assert bench.ledger.stage(bench.project, "S", "codex", found, 3) == Staged(
        new=(bench.id("a"),),
        seen_before=(bench.id("b"),),
        settled_before=(bench.id("d"),),
        withdrawn=(bench.id("x"),),
        pending_count=2,
    )


def test_a_candidate_belongs_to_the_session_and_the_host_that_stage_it(bench: Workbench) -> None:
    found = candidate("a", session="another")
    bench.ledger.stage(bench.project, "S", "codex", [found], 100)
    (staged,) = bench.ledger.list_pending(bench.project)
    assert (found.host, staged.session_id, staged.sessions, staged.host) == ("claude-code", "S", ("S",), "codex")


def test_an_archived_skill_is_recorded_on_the_disk_before_its_folder_moves(bench: Workbench) -> None:
    def is_synced() -> bool:
        return bench.ledger.database.sql.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL

    before = is_synced()
    bench.ledger.begin_archiving(bench.project, "name", "/source", "/target", "", "unused", 5)
    assert (before, is_synced()) == (False, True)


def test_a_recurrence_is_one_candidate_with_more_sessions_and_a_higher_rank(bench: Workbench) -> None:
    bench.stage("R", "a", "b", score=1.0)
    bench.stage("S", "b", at=200, score=1.0)
    assert bench.errors() == ["b", "a"]
    first = bench.ledger.list_pending(bench.project)[0]
    assert (first.sessions, first.detected_at, first.id) == (("R", "S"), 100, bench.id("b"))


def test_the_caps_of_five_per_session_and_ten_in_all_preserve_the_best_not_the_oldest(bench: Workbench) -> None:
    bench.stage("R", *"abcdefg", score=1.0)
    bench.stage("S", *"hijkl", score=2.0)
    bench.stage("T", *"mnopq", score=3.0)
    assert len(bench.errors()) == len(bench.in_file()) == 10
    assert {*bench.errors()} == {*"hijklmnopq"}


def test_displaced_candidates_are_pending_again_when_those_that_displaced_them_are_withdrawn(bench: Workbench) -> None:
    bench.stage("R", *"abcde", score=1.0)
    bench.stage("S", *"fghij", score=2.0)
    before = bench.errors()
    bench.stage("T", *"klmno", score=3.0)
    bench.stage("T")
    assert bench.errors() == before


def test_shelved_candidates_do_not_refill_the_list_until_another_session_sees_them(bench: Workbench) -> None:
    for session, anchors, score in (("R", "abcde", 1.0), ("S", "fghij", 2.0), ("T", "klmno", 3.0)):
        bench.stage(session, *anchors, score=score)
    offer = bench.claim("U")
    assert offer is not None
    bench.ledger.apply_verdicts("U", {}, 300)
    assert sorted(bench.errors()) == [*"fghij"]
    assert bench.states() == {**dict.fromkeys("abcde", "shelved"), **dict.fromkeys("klmno", "ignored")}
    bench.stage("V", "a")
    assert sorted(bench.errors()) == [*"afghij"]


def test_an_ignored_candidate_is_pending_again_when_another_session_sees_it(bench: Workbench) -> None:
    bench.stage("R", "a")
    bench.claim("S")
    bench.ledger.apply_verdicts("S", {}, 3)
    for session in ("R", "S"):
        bench.stage(session, "a")
    assert bench.errors() == []
    bench.stage("T", "a")
    assert (bench.errors(), bench.claim("U") is not None) == (["a"], True)
    revived = [(r.session, r.detail) for r in bench.ledger.list_receipts() if r.event == "revived"]
    assert revived == [("T", {"was": "ignored"})]


def test_projects_do_not_mix(bench: Workbench) -> None:
    other = Project(str(bench.folder), "0" * 16, "other")
    bench.stage("R", "a")
    bench.ledger.stage(other, "S", "codex", [candidate("a", session="S"), candidate("b", session="S")], 5)
    assert (bench.errors(), len(bench.ledger.list_pending(other))) == (["a"], 2)
    bench.ledger.dismiss(bench.id("a"), "no", 6, other)
    assert (bench.errors(), len(bench.ledger.list_pending(other))) == (["a"], 1)


def test_two_fingerprints_with_one_id_get_two_ids(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mind_skills.staging.stage.build_candidate_id", lambda mark, turn=0: f"sc_0000000{turn}")
    bench.stage("R", "a", "b")
    assert [c.id for c in bench.ledger.list_pending(bench.project)] == ["sc_00000000", "sc_00000001"]


# -- ids, decisions and receipts ------------------------------------------------------------------------------------------


def test_a_candidate_is_found_by_the_beginning_of_its_id_with_or_without_the_prefix(bench: Workbench) -> None:
    bench.stage("R", "a")
    whole = bench.id("a")
    assert {bench.ledger.find_candidate(text).candidate.id for text in (whole, whole[:6], whole[3:], whole[3:6])} == {
        whole
    }


@pytest.mark.parametrize("wanted", ["sc_", "", "sc_zzzz", "%", "_"])
def test_an_unknown_id_is_an_error_with_a_hint(bench: Workbench, wanted: str) -> None:
    bench.stage("R", "a")
    with pytest.raises(UnknownIdError) as caught:
        bench.ledger.find_candidate(wanted)
    assert "mind-skills pending" in caught.value.hint


def test_an_ambiguous_id_is_an_error_that_names_all_matches(bench: Workbench) -> None:
    other = Project(str(bench.folder), "0" * 16, "other")
    bench.stage("R", "a")
    bench.ledger.stage(other, "S", "codex", [candidate("a", session="S")], 5)
    with pytest.raises(AmbiguousIdError) as caught:
        bench.ledger.find_candidate(bench.id("a"))
    assert caught.value.ids == [bench.id("a")] * 2
    assert bench.ledger.find_candidate(bench.id("a"), other).project == other.id


def test_repeated_undo_takes_back_decisions_from_the_last_to_the_first(bench: Workbench) -> None:
    bench.stage("R", "a", "b")
    bench.ledger.accept(bench.id("a"), "/s", 2)
    bench.ledger.dismiss(bench.id("a"), "worse", 3)
    bench.ledger.dismiss(bench.id("b"), "no", 4)
    states: list[tuple[str, str] | None] = []
    for at in range(5, 9):
        record = bench.ledger.undo(at)
        states.append((record.state, record.detail) if record else None)
    assert states == [("pending", ""), ("accepted", "/s"), ("pending", ""), None]
    assert sorted(bench.errors()) == ["a", "b"]
    assert Counter(receipt.event for receipt in bench.ledger.list_receipts()) == {
        "accepted": 1,
        "dismissed": 2,
        "staged": 2,
        "undone": 3,
    }


def test_undoing_a_verdict_after_the_offer_was_settled_allows_a_new_offer(bench: Workbench) -> None:
    bench.stage("R", "a")
    bench.claim("S")
    bench.ledger.apply_verdicts("S", {bench.id("a"): ("dismissed", "no")}, 3)
    bench.ledger.undo(4)
    again = bench.claim("T")
    assert again is not None
    assert again.ids == (bench.id("a"),)


def test_undoing_a_dismissal_while_the_offer_is_open_allows_no_second_offer(bench: Workbench) -> None:
    bench.stage("R", "a")
    bench.claim("S")
    bench.ledger.dismiss(bench.id("a"), "no", 3)
    bench.ledger.undo(4)
    assert (bench.errors(), bench.claim("T")) == (["a"], None)


def test_receipts_record_every_step_and_cannot_be_changed(bench: Workbench) -> None:
    bench.stage("R", "a", at=1)
    bench.claim("S", at=2)
    bench.ledger.apply_verdicts("S", {bench.id("a"): ("accepted", "/skill")}, 3)
    bench.ledger.undo(4)
    told = [(r.at, r.event, r.candidate, r.session) for r in bench.ledger.list_receipts()]
    assert told == [(at, what, bench.id("a"), s) for at, what, s in (
        (1, "staged", "R"), (2, "offered", "S"), (3, "accepted", "S"), (4, "undone", "S")
    )]  # fmt: skip
    sql = sqlite3.connect(f"{bench.home}/mind-skills.db")
    for statement in ("DELETE FROM receipts", "UPDATE receipts SET at = 9"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            sql.execute(statement)
    sql.close()


def test_the_history_lists_the_candidates_that_left_the_list(bench: Workbench) -> None:
    bench.stage("R", "a", "b", "c")
    bench.ledger.dismiss(bench.id("b"), "no", 2)
    bench.claim("S", at=3)
    bench.ledger.apply_verdicts("S", {bench.id("a"): ("accepted", "/skill")}, 4)
    told = {(r.candidate.id, r.state, r.detail, r.settled_at, r.offered_to) for r in bench.ledger.list_history()}
    assert told == {
        (bench.id("a"), "accepted", "/skill", 4, "S"),
        (bench.id("b"), "dismissed", "no", 2, ""),
        (bench.id("c"), "ignored", "", 4, "S"),
    }


# -- sessions ------------------------------------------------------------------------------------------------------------


def test_a_session_is_unfinished_until_one_caller_finishes_it(bench: Workbench) -> None:
    bench.ledger.register_session("S", "codex", bench.project, "/log", 5)
    bench.ledger.set_checkpoint("S", 100, 200, 6)
    bench.ledger.register_session("S", "codex", bench.project, "", 4)
    (one,) = bench.ledger.list_unfinished()
    assert (one.session_id, one.host, one.project, one.log) == ("S", "codex", bench.project, "/log")
    assert (one.seen_at, one.size, one.mtime, one.checkpoint_at, one.has_open_offer) == (5, 100, 200, 6, False)
    assert [bench.ledger.finish_session("S", at) for at in (7, 8)] == [True, False]
    assert bench.ledger.list_unfinished() == []
    assert bench.ledger.find_session("S") == one._replace(finished_at=7)


def test_a_finished_session_that_is_registered_again_is_unfinished(bench: Workbench) -> None:
    bench.ledger.register_session("S", "codex", bench.project, "/log", 5)
    bench.ledger.finish_session("S", 6)
    bench.ledger.register_session("S", "codex", bench.project, "/log", 7)
    assert [s.session_id for s in bench.ledger.list_unfinished()] == ["S"]


def test_an_unregistered_session_can_be_neither_finished_nor_found(bench: Workbench) -> None:
    assert (bench.ledger.finish_session("S", 1), bench.ledger.find_session("S"), bench.ledger.find_offer("S")) == (
        False,
        None,
        None,
    )


def test_a_damaged_database_is_moved_aside_and_reported(bench: Workbench) -> None:
    bench.stage("R", "a")
    bench.ledger.close()
    (bench.folder / "state" / "mind-skills.db").write_bytes(b"x" * 9999)
    with Ledger.open(bench.home) as ledger:
        assert ledger.problems == [describe_set_aside(f"{bench.home}/mind-skills.db.corrupt-1")]
        # Candidates that the lost database staged count as foreign now: they stay in the file and are not offered.
        assert [c["id"] for c in ledger.list_foreign(bench.project)] == [bench.id("a")]
        ledger.stage(bench.project, "S", "codex", [candidate("a", session="S")], 9)
        assert (ledger.list_foreign(bench.project), bench.in_file()) == ([], [bench.id("a")])
