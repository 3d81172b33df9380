"""Forgetting what a learning that stays was seen in: it is told as before, but for the sessions."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from mind_skills.staging.merge import compute_rank
from mind_skills.staging.model import Candidate
from mind_skills.staging.similar import reunite
from mind_skills.staging.tables import retention
from mind_skills.staging.tables.receipts import add_receipt
from tests.staging.workbench import Workbench, candidate

OLD, CUT, NEW = 1_000, 5_000, 9_000


def forget(bench: Workbench) -> dict[str, int]:
    """What went, without the tables of which nothing did."""
    with bench.ledger.database.writing() as sql:
        return {table: count for table, count in retention.delete_expired(sql, CUT).items() if count}


def seen_again(bench: Workbench, anchor: str, at: int, *sessions: str, **more: Any) -> None:
    for session in sessions:
        found = candidate(anchor, 1.0, at, session, **more)
        bench.ledger.stage(bench.project, session, "claude-code", [found], at)


def merged(bench: Workbench, into: str, *others: str) -> None:
    """As `regroup` does where their words are alike."""
    with bench.ledger.database.writing() as sql:
        for other in others:
            values = (bench.id(into), bench.id(other))
            sql.execute("UPDATE candidates SET state = 'merged', detail = ? WHERE id = ?", values)
            assert sql.execute("SELECT changes()").fetchone() == (1,)


def who_saw(bench: Workbench, anchor: str) -> list[str]:
    record = bench.ledger.find_candidate(bench.id(anchor))
    return sorted(each.session_id for each in bench.ledger.list_sightings(record))


def test_of_what_waits_and_was_seen_again_and_again_long_ago_five_sightings_stay_and_what_others_do_not_say(
    bench: Workbench,
) -> None:
    seen_again(bench, "again", OLD, "the first")
    seen_again(bench, "again", OLD + 1, "of the web", taint=("web",))
    seen_again(bench, "again", OLD + 2, "in a file", files=("tax.py",))
    seen_again(bench, "again", OLD + 3, *(f"old {number:02d}" for number in range(20)))
    before = bench.ledger.list_pending(bench.project)
    assert forget(bench) == {"receipts": 16, "sightings": 16}
    stay = [f"old {number:02d}" for number in range(5)]
    assert who_saw(bench, "again") == sorted([*stay, "the first", "of the web"])
    assert bench.ledger.list_pending(bench.project) == before
    assert forget(bench) == {}
    seen_again(bench, "again", NEW, "the next")
    (now,) = bench.ledger.list_pending(bench.project)
    assert (compute_rank(now), now.files, now.taint, now.detected_at) == (compute_rank(before[0]), (), ("web",), OLD)
    assert next((receipt.event, receipt.session) for receipt in bench.ledger.list_receipts()) == ("staged", "the first")


def test_what_was_seen_within_the_time_stays_however_often(bench: Workbench) -> None:
    seen_again(bench, "again", OLD, "the first")
    seen_again(bench, "again", OLD + 1, *(f"old {number:02d}" for number in range(20)))
    seen_again(bench, "again", NEW, *(f"new {number:02d}" for number in range(20)))
    assert forget(bench) == {"receipts": 20, "sightings": 20}
    assert who_saw(bench, "again") == [*(f"new {number:02d}" for number in range(20)), "the first"]


def test_a_learning_in_other_words_goes_with_the_last_of_its_sightings_from_behind_one_that_waits(
    bench: Workbench,
) -> None:
    seen_again(bench, "waits", OLD, "the first")
    seen_again(bench, "other words", OLD + 1, "in other words")
    seen_again(bench, "waits", NEW, *(f"new {number}" for number in range(5)))
    merged(bench, "waits", "other words")
    with bench.ledger.database.reading() as sql:
        expected = {table: count for table, count in retention.count_expired(sql, CUT).items() if count}
    assert forget(bench) == expected == {"receipts": 1, "sightings": 1, "candidates": 1}
    assert (bench.titles(), bench.states()) == (["waits"], {})
    assert forget(bench) == {}


def reunited(bench: Workbench, anchor: str) -> Candidate:
    """What waits, told anew by what is still known of it."""
    record = bench.ledger.find_candidate(bench.id(anchor))
    with bench.ledger.database.writing() as sql:
        assert reunite(sql, record)
    return bench.ledger.find_candidate(bench.id(anchor)).candidate


def test_a_session_that_told_one_learning_in_many_words_counts_once_among_the_five_that_stay(bench: Workbench) -> None:
    """What a rank counts are sessions, not what they said."""
    seen_again(bench, "waits", OLD, *(f"old {number}" for number in range(5)))
    words = [f"other words {number}" for number in range(5)]
    found = [candidate(anchor, 1.0, OLD + 1, "talks") for anchor in words]
    bench.ledger.stage(bench.project, "talks", "claude-code", found, OLD + 1)
    merged(bench, "waits", *words)
    before = compute_rank(reunited(bench, "waits"))
    forget(bench)
    assert compute_rank(reunited(bench, "waits")) == before == 1.4


def test_what_two_saw_is_told_to_the_first_of_them_as_before_though_others_put_it_in_other_words_since(
    bench: Workbench,
) -> None:
    seen_again(bench, "waits", OLD, "the first")
    less_sure = replace(candidate("waits", 1.0, OLD + 1, "another"), confidence="medium")
    bench.ledger.stage(bench.project, "another", "claude-code", [less_sure], OLD + 1)
    seen_again(bench, "other words", OLD + 2, *(f"later {number}" for number in range(5)))
    merged(bench, "waits", "other words")
    forget(bench)
    offer = bench.claim("the first", NEW)
    assert offer is not None
    assert offer.ids == (bench.id("waits"),)


def test_what_a_session_saw_that_is_still_known_stays_so_that_it_brings_back_nothing_that_was_told_in_vain(
    bench: Workbench,
) -> None:
    seen_again(bench, "again", OLD, "a first", "goes on")
    seen_again(bench, "again", OLD + 1, *(f"old {number:02d}" for number in range(20)))
    for session, at in (("goes on", NEW), ("ended", OLD), ("told", NEW)):
        bench.ledger.register_session(session, "claude-code", bench.project, "", at)
    assert bench.claim("told", NEW) is not None
    bench.ledger.apply_verdicts("told", {}, NEW)
    assert forget(bench)["sightings"] == 14
    seen_again(bench, "again", OLD, "goes on")
    assert (bench.titles(), bench.states()) == ([], {"again": "ignored"})


def test_what_is_merged_into_what_was_refused_stays_in_all_words_and_does_not_come_back_in_them(
    bench: Workbench,
) -> None:
    seen_again(bench, "refused", OLD, "a first")
    seen_again(bench, "other words", OLD + 1, "S")
    seen_again(bench, "refused", OLD + 2, *(f"old {number}" for number in range(5)))
    bench.ledger.dismiss(bench.id("refused"), "no", NEW, bench.project)
    merged(bench, "refused", "other words")
    assert "candidates" not in forget(bench)
    assert bench.states() == {"refused": "dismissed", "other words": "merged"}


def test_of_what_is_merged_into_something_that_is_not_there_nothing_goes(bench: Workbench) -> None:
    seen_again(bench, "words", OLD, "a first")
    seen_again(bench, "other words", OLD + 1, "S")
    seen_again(bench, "more words", OLD + 2, *(f"old {number}" for number in range(5)))
    merged(bench, "never seen", "words", "other words", "more words")
    assert forget(bench) == {}


def test_what_goes_is_counted_once_also_where_it_was_used(bench: Workbench) -> None:
    seen_again(bench, "waits", OLD, "the first")
    seen_again(bench, "other words", OLD + 1, "in other words")
    record = bench.ledger.find_candidate(bench.id("other words"))
    with bench.ledger.database.writing() as sql:
        add_receipt(sql, OLD, "used", record, "T")
        add_receipt(sql, OLD, "used", record, "U")
    seen_again(bench, "waits", NEW, *(f"new {number}" for number in range(5)))
    merged(bench, "waits", "other words")
    with bench.ledger.database.reading() as sql:
        (before,) = sql.execute("SELECT count(*) FROM receipts").fetchone()
    gone = forget(bench)
    with bench.ledger.database.reading() as sql:
        assert sql.execute("SELECT count(*) FROM receipts").fetchone() == (before - gone["receipts"],)


def effort(bench: Workbench) -> int:
    """What SQLite does to find what would go, in steps of its machine."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    with bench.ledger.database.reading() as sql:
        sql.set_progress_handler(count, 100)
        retention.count_expired(sql, CUT)
        sql.set_progress_handler(None, 0)
    return steps


def again_and_again(sql: sqlite3.Connection, numbers: range) -> None:
    for number in numbers:
        values = (f"S{number:03d}", '{"again": true}')
        sql.execute(
            "INSERT INTO sightings SELECT project, fingerprint, ?, body FROM sightings GROUP BY project", values[:1]
        )
        receipt = "INSERT INTO receipts (at, what, project, candidate, session, detail)"
        sql.execute(f"{receipt} SELECT at, what, project, candidate, ?, ? FROM receipts WHERE n = 1", values)


def in_vain(sql: sqlite3.Connection, numbers: range) -> None:
    for number in numbers:
        for name, state, into in (("heard", "ignored", ""), ("joined", "merged", f"heard {number}")):
            sql.execute(
                "INSERT INTO candidates (project, fingerprint, id, state, body, entry, rank, detected_at, detail)"
                " SELECT project, ?, ?, ?, body, entry, rank, detected_at, ? FROM candidates WHERE state = 'pending'",
                (f"{name} {number}", f"{name} {number}", state, into),
            )


@pytest.mark.parametrize("fill", [again_and_again, in_vain])
def test_four_times_as_much_takes_about_four_times_as_long_to_forget(
    bench: Workbench, fill: Callable[[sqlite3.Connection, range], None]
) -> None:
    """Others wait meanwhile, ten seconds at most."""
    seen_again(bench, "waits", OLD, "the first")
    with bench.ledger.database.writing() as sql:
        fill(sql, range(100))
    some = effort(bench)
    with bench.ledger.database.writing() as sql:
        fill(sql, range(100, 400))
    assert effort(bench) < 8 * some
