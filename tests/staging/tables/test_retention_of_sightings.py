"""Retention of the sightings of a candidate that stays: it is unchanged except for its sessions."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from mind_skills.staging.model import compute_rank
from mind_skills.staging.tables import retention
from tests.staging.workbench import Workbench, candidate

OLD, CUT, NEW = 1_000, 5_000, 9_000


def expire(bench: Workbench) -> dict[str, int]:
    """The counts of deleted rows, without tables that lost none."""
    with bench.ledger.database.writing() as sql:
        return {table: count for table, count in retention.delete_expired(sql, CUT).items() if count}


def stage_for_each(bench: Workbench, anchor: str, at: int, *sessions: str, **more: Any) -> None:
    for session in sessions:
        found = candidate(anchor, 1.0, at, session, **more)
        bench.ledger.stage(bench.project, session, "claude-code", [found], at)


def list_sessions(bench: Workbench, anchor: str) -> list[str]:
    record = bench.ledger.find_candidate(bench.id(anchor))
    return sorted(each.session_id for each in bench.ledger.list_sightings(record))


def test_old_sightings_of_a_pending_candidate_expire_except_those_that_determine_its_rank(bench: Workbench) -> None:
    stage_for_each(bench, "again", OLD, "the first")
    stage_for_each(bench, "again", OLD + 1, "of the web", taint=("web",))
    stage_for_each(bench, "again", OLD + 2, "in a file", files=("tax.py",))
    stage_for_each(bench, "again", OLD + 3, *(f"old {number:02d}" for number in range(20)))
    before = bench.ledger.list_pending(bench.project)
    assert expire(bench) == {"receipts": 16, "sightings": 16}
    stay = [f"old {number:02d}" for number in range(5)]
    assert list_sessions(bench, "again") == sorted([*stay, "the first", "of the web"])
    assert bench.ledger.list_pending(bench.project) == before
    assert expire(bench) == {}
    stage_for_each(bench, "again", NEW, "the next")
    (now,) = bench.ledger.list_pending(bench.project)
    assert (compute_rank(now), now.files, now.taint, now.detected_at) == (compute_rank(before[0]), (), ("web",), OLD)
    assert next((receipt.event, receipt.session) for receipt in bench.ledger.list_receipts()) == ("staged", "the first")


def test_recent_sightings_stay_however_many_there_are(bench: Workbench) -> None:
    stage_for_each(bench, "again", OLD, "the first")
    stage_for_each(bench, "again", OLD + 1, *(f"old {number:02d}" for number in range(20)))
    stage_for_each(bench, "again", NEW, *(f"new {number:02d}" for number in range(20)))
    assert expire(bench) == {"receipts": 20, "sightings": 20}
    assert list_sessions(bench, "again") == [*(f"new {number:02d}" for number in range(20)), "the first"]


def test_a_candidate_that_two_sessions_saw_can_be_offered_to_the_first_after_retention(bench: Workbench) -> None:
    stage_for_each(bench, "waits", OLD, "the first")
    less_sure = replace(candidate("waits", 1.0, OLD + 1, "another"), confidence="medium")
    bench.ledger.stage(bench.project, "another", "claude-code", [less_sure], OLD + 1)
    stage_for_each(bench, "waits", OLD + 2, *(f"later {number}" for number in range(5)))
    expire(bench)
    offer = bench.claim("the first", NEW)
    assert offer is not None
    assert offer.ids == (bench.id("waits"),)


def test_a_sighting_of_a_recent_session_stays_so_that_it_does_not_revive_an_ignored_candidate(bench: Workbench) -> None:
    stage_for_each(bench, "again", OLD, "a first", "goes on")
    stage_for_each(bench, "again", OLD + 1, *(f"old {number:02d}" for number in range(20)))
    for session, at in (("goes on", NEW), ("ended", OLD), ("told", NEW)):
        bench.ledger.register_session(session, "claude-code", bench.project, "", at)
    assert bench.claim("told", NEW) is not None
    bench.ledger.apply_verdicts("told", {}, NEW)
    assert expire(bench)["sightings"] == 14
    stage_for_each(bench, "again", OLD, "goes on")
    assert (bench.errors(), bench.states()) == ([], {"again": "ignored"})


def effort(bench: Workbench) -> int:
    """The work of SQLite to find what would expire, in hundreds of steps of its virtual machine."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    with bench.ledger.database.writing() as sql:
        sql.execute("SAVEPOINT whole")
        sql.set_progress_handler(count, 100)
        retention.delete_expired(sql, CUT)
        sql.set_progress_handler(None, 0)
        sql.execute("ROLLBACK TO whole")
    return steps


def add_sightings(sql: sqlite3.Connection, numbers: range) -> None:
    for number in numbers:
        values = (f"S{number:03d}", '{"again": true}')
        sql.execute(
            "INSERT INTO sightings SELECT project, fingerprint, ?, body FROM sightings GROUP BY project", values[:1]
        )
        receipt = "INSERT INTO receipts (at, what, project, candidate, session, detail)"
        sql.execute(f"{receipt} SELECT at, what, project, candidate, ?, ? FROM receipts WHERE n = 1", values)


def add_ignored(sql: sqlite3.Connection, numbers: range) -> None:
    for number in numbers:
        sql.execute(
            "INSERT INTO candidates (project, fingerprint, id, state, body, entry, rank, detected_at, detail)"
            " SELECT project, ?, ?, 'ignored', body, entry, rank, detected_at, '' FROM candidates WHERE state = 'pending'",
            (f"heard {number}", f"heard {number}"),
        )


@pytest.mark.parametrize("fill", [add_sightings, add_ignored])
def test_finding_expired_rows_among_four_times_as_many_takes_at_most_eight_times_the_steps(
    bench: Workbench, fill: Callable[[sqlite3.Connection, range], None]
) -> None:
    """Other processes wait meanwhile, for ten seconds at most."""
    stage_for_each(bench, "waits", OLD, "the first")
    with bench.ledger.database.writing() as sql:
        fill(sql, range(100))
    some = effort(bench)
    with bench.ledger.database.writing() as sql:
        fill(sql, range(100, 400))
    assert effort(bench) < 8 * some
