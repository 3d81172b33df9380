"""Retention: old records that are over expire, and accepted and dismissed candidates stay."""

from __future__ import annotations

import sqlite3

import pytest

from mind_skills.digest.model import Header, SessionDigest
from mind_skills.learning.outcome import Outcome
from mind_skills.staging.tables import retention
from mind_skills.staging.tables.candidates import add_receipt
from mind_skills.staging.tables.digests import put_digest
from mind_skills.staging.tables.sessions import SkillUseRecord
from tests.staging.workbench import Workbench, episode

OLD, CUT, NEW = 1_000, 5_000, 9_000
NOTHING = {
    "receipts": 0,
    "sightings": 0,
    "candidates": 0,
    "offers": 0,
    "skills_used": 0,
    "errors_met": 0,
    "reminders": 0,
    "outcomes": 0,
    "digests": 0,
    "sessions": 0,
}


def expire(bench: Workbench, before: int = CUT) -> dict[str, int]:
    with bench.ledger.database.writing() as sql:
        return retention.delete_expired(sql, before)


def offer_and_ignore(bench: Workbench, anchor: str, at: int) -> None:
    """One session stages a candidate, and another is offered it and ignores it."""
    bench.ledger.register_session(f"{anchor}-1", "claude-code", bench.project, "", at)
    bench.stage(f"{anchor}-1", anchor, at=at)
    bench.ledger.finish_session(f"{anchor}-1", at)
    bench.ledger.register_session(f"{anchor}-2", "claude-code", bench.project, "", at)
    assert bench.claim(f"{anchor}-2", at) is not None
    bench.ledger.apply_verdicts(f"{anchor}-2", {bench.id(anchor): ("ignored", "")}, at)
    bench.ledger.finish_session(f"{anchor}-2", at)


def test_an_old_ignored_candidate_expires_with_its_receipts_sightings_offer_and_sessions(bench: Workbench) -> None:
    offer_and_ignore(bench, "old", OLD)
    offer_and_ignore(bench, "new", NEW)
    assert expire(bench) == NOTHING | {"receipts": 3, "sightings": 1, "candidates": 1, "offers": 1, "sessions": 2}
    assert bench.states() == {"new": "ignored"}
    assert bench.ledger.find_session("old-1") is None
    assert bench.ledger.find_session("new-1") is not None
    assert expire(bench) == NOTHING


def test_pending_accepted_and_dismissed_candidates_never_expire(bench: Workbench) -> None:
    bench.stage("S", "waits", "made", "refused", at=OLD)
    bench.ledger.accept(bench.id("made"), str(bench.root / "x" / "SKILL.md"), OLD, bench.project)
    bench.ledger.dismiss(bench.id("refused"), "no", OLD, bench.project)
    assert expire(bench) == NOTHING
    assert (bench.errors(), bench.states()) == (["waits"], {"made": "accepted", "refused": "dismissed"})
    bench.stage("T", "refused", at=NEW)
    assert bench.errors() == ["waits"]


def test_a_running_session_stays_and_an_ended_one_expires_with_its_outcome(bench: Workbench) -> None:
    outcome = Outcome("helpful", 1.0, True, 60_000, 0, 0, "went well", at=OLD)
    for session in ("runs", "ended"):
        bench.ledger.register_session(session, "claude-code", bench.project, "", OLD)
        seen = bench.ledger.find_session(session)
        assert seen is not None
        bench.ledger.store_analysis(
            seen, [SkillUseRecord("exact-decimals", "", "tool", OLD, is_installed=True)], outcome, OLD
        )
    bench.ledger.finish_session("ended", OLD)
    assert expire(bench) == NOTHING | {"skills_used": 1, "outcomes": 1, "sessions": 1}
    assert [used.session for used in bench.ledger.list_uses()] == ["runs"]


def test_receipts_are_append_only_again_after_retention(bench: Workbench) -> None:
    offer_and_ignore(bench, "old", OLD)
    bench.stage("S", "stays", at=NEW)
    expire(bench)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"), bench.ledger.database.writing() as sql:
        sql.execute("DELETE FROM receipts")


def test_the_digest_of_a_session_expires_with_it(bench: Workbench) -> None:
    for session, at in (("old", OLD), ("new", NEW)):
        bench.ledger.register_session(session, "claude-code", bench.project, "", at)
        with bench.ledger.database.writing() as sql:
            put_digest(sql, session, bench.project.id, SessionDigest(Header(), [episode("a")]), OLD)
        bench.ledger.finish_session(session, at)
    assert expire(bench) == NOTHING | {"digests": 1, "sessions": 1}
    assert bench.ledger.find_digest("old") is None
    assert bench.ledger.find_digest("new") == SessionDigest(Header(), [episode("a")])


def test_old_candidates_beyond_the_ten_on_the_list_expire_unless_they_were_seen_since(bench: Workbench) -> None:
    for number in range(14):
        bench.ledger.register_session(f"S{number}", "claude-code", bench.project, "", OLD)
        bench.stage(f"S{number}", f"old {chr(97 + number)}", at=OLD + number)
        bench.ledger.finish_session(f"S{number}", OLD + number)
    bench.ledger.register_session("T", "claude-code", bench.project, "", NEW)
    bench.stage("T", "old n", at=NEW)
    before = bench.errors()
    gone = expire(bench)
    assert len(before) == 10
    assert (bench.errors(), gone["candidates"], gone["sightings"], gone["receipts"]) == (before, 4, 4, 4)
    assert expire(bench) == NOTHING


def test_old_uses_of_a_skill_expire_except_for_the_last_use(bench: Workbench) -> None:
    bench.stage("S", "made", at=OLD)
    path = str(bench.root / "x" / "SKILL.md")
    record = bench.ledger.accept(bench.id("made"), path, OLD, bench.project)
    with bench.ledger.database.writing() as sql:
        for number, at in enumerate((OLD, OLD + 1, OLD + 2)):
            add_receipt(sql, at, "used", record, f"T{number}", {"skill": path, "how": "tool"})
    assert expire(bench) == NOTHING | {"receipts": 2}
    told = [(each.event, each.session) for each in bench.ledger.list_candidate_receipts(record)]
    assert told == [("staged", "S"), ("accepted", ""), ("used", "T2")]
    with bench.ledger.database.writing() as sql:
        add_receipt(sql, NEW, "used", record, "T3", {"skill": path, "how": "tool"})
    assert expire(bench) == NOTHING | {"receipts": 1}


def test_a_skill_use_of_a_resumed_session_stays_and_is_not_counted_twice(bench: Workbench) -> None:
    bench.stage("S", "made", at=OLD)
    path = str(bench.root / "x" / "SKILL.md")
    record = bench.ledger.accept(bench.id("made"), path, OLD, bench.project)
    outcome = Outcome("helpful", 1.0, True, 60_000, 0, 0, "went well", at=OLD)
    for session in ("goes on", "ends"):
        bench.ledger.register_session(session, "claude-code", bench.project, "", OLD)
        seen = bench.ledger.find_session(session)
        assert seen is not None
        bench.ledger.store_analysis(seen, [SkillUseRecord("x", path, "tool", OLD)], outcome, OLD)
        bench.ledger.finish_session(session, OLD)
    bench.ledger.register_session("goes on", "claude-code", bench.project, "", NEW)
    assert expire(bench) == NOTHING | {"skills_used": 1, "outcomes": 1, "sessions": 1}
    bench.ledger.finish_session("goes on", NEW)
    used = [(each.at, each.session) for each in bench.ledger.list_candidate_receipts(record) if each.event == "used"]
    assert used == [(OLD, "goes on"), (OLD, "ends")]


def test_candidates_that_have_been_covered_for_long_expire(bench: Workbench) -> None:
    for anchor, at in (("old", OLD), ("new", NEW)):
        bench.ledger.register_session(anchor, "claude-code", bench.project, "", at)
        bench.stage(anchor, anchor, at=at)
    with bench.ledger.database.writing() as sql:
        sql.execute("UPDATE candidates SET state = 'covered', settled_at = detected_at")
    assert expire(bench)["candidates"] == 1
    assert bench.states() == {"new": "covered"}
