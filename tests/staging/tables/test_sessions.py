"""What the ledger records of sessions: attempts to read them, and offers that their end did not settle."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.schema import SCHEMA
from mind_skills.staging.tables.sessions import ReportedSession, SkillUseRecord
from mind_skills.store.database import Database, Schema
from mind_skills.store.project import resolve_project
from tests.staging.workbench import Workbench


def test_a_database_of_the_first_version_is_migrated(tmp_path: Path) -> None:
    home, project = str(tmp_path / "state"), resolve_project(str(tmp_path))
    with Database.open(home, Schema(SCHEMA.name, SCHEMA.migrations[:1])) as database, database.writing() as sql:
        sql.execute(
            "INSERT INTO sessions (session, host, project, root, name, git, log, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            ("S", "codex", project.id, *map(os.fsencode, (project.root, project.name, project.git_folder, "/log")), 5),
        )
        sql.execute(
            "INSERT INTO offers (session, project, ids, text, at) VALUES ('S', ?, 'sc_1', 't', 6)", (project.id,)
        )
    with Ledger.open(home) as ledger:
        (seen,), offer = ledger.list_unfinished(), ledger.find_offer("S")
    assert seen == ReportedSession(
        "S", "codex", project, "/log", 5, None, -1, -1, None, has_open_offer=True, attempts=0
    )
    assert offer is not None
    assert (offer.session_id, offer.text, offer.ids, offer.at, offer.settled) == ("S", "t", ("sc_1",), 6, False)


def test_unfinished_sessions_are_sorted_by_fewest_attempts_and_then_newest_first(bench: Workbench) -> None:
    for at, session in enumerate("ABCD"):
        bench.ledger.register_session(session, "codex", bench.project, "", at)
    bench.ledger.set_attempts("D", 2)
    bench.ledger.set_attempts("C", 1)
    assert [seen.session_id for seen in bench.ledger.list_unfinished()] == ["B", "A", "C", "D"]
    bench.ledger.register_session("D", "codex", bench.project, "", 9)
    assert [seen.attempts for seen in bench.ledger.list_unfinished()] == [0, 0, 1, 2]
    bench.ledger.finish_session("D", 10)
    bench.ledger.register_session("D", "codex", bench.project, "", 11)
    assert next((seen.session_id, seen.attempts) for seen in bench.ledger.list_unfinished()) == ("D", 0)


def test_an_offer_is_orphaned_if_its_session_is_unknown_or_finished_and_a_while_has_passed(bench: Workbench) -> None:
    for number, session in enumerate("ABC"):
        bench.stage(f"R{number}", session)
        bench.claim(session, at=number)
    for session in "BC":
        bench.ledger.register_session(session, "codex", bench.project, "", 5)
    bench.ledger.finish_session("B", 6)
    bench.ledger.mark_answered("B", 7)
    assert bench.ledger.list_orphaned_offers(1) == [("A", False)]
    assert bench.ledger.list_orphaned_offers(9) == [("A", False), ("B", True)]


@pytest.mark.parametrize("is_undone", [False, True])
def test_a_skill_counts_as_used_not_later_than_its_analysis_and_if_it_is_still_accepted(
    bench: Workbench, is_undone: bool
) -> None:
    bench.stage("R", "a")
    bench.ledger.accept(bench.id("a"), "/p/lock/SKILL.md", 200)
    bench.ledger.register_session("S", "codex", bench.project, "", 300)
    (seen,) = bench.ledger.list_unfinished()
    uses = [SkillUseRecord(name, f"/{name}/SKILL.md", "tool", at, line=at) for name, at in (("lock", 400), ("b", 900))]
    gone = SkillUseRecord("lock", "/q/SKILL.md", "read", is_installed=False)
    bench.ledger.store_analysis(seen, [*uses, gone], None, 500)
    assert [(use.name, use.at, use.candidate) for use in bench.ledger.list_uses()] == [
        ("lock", 400, bench.id("a")),
        ("b", 500, ""),
    ]
    if is_undone:
        bench.ledger.undo(600)
    assert [bench.ledger.finish_session("S", 700) for _ in range(2)] == [True, False]
    assert ("used" in [each.event for each in bench.ledger.list_receipts()]) is not is_undone
