"""The jobs of the watch's worker that no real watch is needed for."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from mind_skills.hooks.recover import register_start
from mind_skills.hooks.redact_again import is_due
from mind_skills.hooks.session_state import HookCall
from mind_skills.memory.records import SCHEMA
from mind_skills.plugin.pausing import pause, resume
from mind_skills.redaction import personal
from mind_skills.staging.ledger import Ledger
from mind_skills.store.database import DATABASE_NAME, Database, describe_set_aside
from mind_skills.store.project import resolve_project
from mind_skills.watch.jobs import finish_sessions, inspect_database, link_skill
from mind_skills.watch.schedule import ENDED_SESSIONS, Job
from mind_skills.watch.watched_files import Item
from mind_skills.watch.worker import do_job
from tests.staging.workbench import candidate as make_candidate
from tests.testkit.stories import as_codex
from tests.watch.machine import LESSON

SECRET = "gh" + "p_" + "0aA1bB2cC3dD4eE5fF6gG7hH8iI9jJ0kK1lL"
NOW = 1_790_000_000_000


def test_finishing_sessions_redacts_data_stored_under_older_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    personal.is_personal_redaction_enabled.cache_clear()
    home = tmp_path / "state"
    values = ("one", f"the token is {SECRET}")
    with Database.open(str(home), SCHEMA) as database, database.writing() as sql:
        sql.execute(
            "INSERT INTO memory_records VALUES (1, ?, 1, 'learning', ?, '', 'shop', '', '', 1, 0.0, 1, '', '')", values
        )
    assert finish_sessions(str(home), NOW, 60_000)["problems"] == []
    with Database.open(str(home), SCHEMA) as database, database.reading() as sql:
        (content,) = sql.execute("SELECT content FROM memory_records").fetchone()
    assert (content, is_due(str(home))) == ("the token is [redacted:github-token]", False)
    assert SECRET.encode() not in (home / DATABASE_NAME).read_bytes()


@pytest.mark.parametrize("item", [ENDED_SESSIONS, Item("spool", ""), Item("pending", "list")])
def test_a_job_that_finds_the_database_damaged_says_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, item: Item
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    home = tmp_path / "state"
    Database.open(str(home), SCHEMA).close()
    (home / DATABASE_NAME).write_bytes(b"no database")
    request = {"home": str(home), "paced": False, "ended": 60_000}
    problems = [do_job(request, Job(item, 0, None, str(tmp_path)), NOW).get("problems", []) for _ in range(2)]
    opens = item.kind != "spool"  # an empty spool needs no database
    assert problems == [[describe_set_aside(f"{home / DATABASE_NAME}.corrupt-1")] if opens else [], []]


@pytest.mark.parametrize("everywhere", [False, True])
def test_a_session_that_ended_during_a_pause_is_searched_for_again_and_finished_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, everywhere: bool
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    home, project, log = str(tmp_path / "state"), tmp_path / "project", tmp_path / "one.jsonl"
    (project / ".git").mkdir(parents=True)
    log.write_text(as_codex.render_log(LESSON)[0].replace("/home/dev/project", str(project)))
    register_start(home, HookCall("codex", "one", str(project), str(log), NOW))
    project_id = "" if everywhere else resolve_project(str(project)).id
    pause(home, project_id)
    later = NOW + 10 * 60_000
    os.utime(log, (NOW / 1000, NOW / 1000))
    assert {key: value for key, value in finish_sessions(home, later, 60_000).items() if key in ("ended", "next")} == {
        "ended": 0,
        "next": 600,
    }
    resume(home, project_id)
    result = finish_sessions(home, later + 60_000, 60_000)
    assert (result["ended"], result["next"]) == (1, None)
    with Ledger.open(home) as ledger:
        assert ledger.list_unfinished() == []


def test_a_database_of_another_program_is_ignored_except_where_opencode_has_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, own = str(tmp_path / "state"), tmp_path / "opencode.db"
    monkeypatch.setenv("OPENCODE_DB", str(own))
    other, text = tmp_path / "other.db", tmp_path / "text.db"
    for path in (own, other):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("CREATE TABLE message (id)")
    text.write_text("no database")
    assert [inspect_database(home, str(path), NOW, 0, paced=True) for path in (other, text, own)] == [
        {},
        {},
        {"failed": True, "problems": [f"{own}: not a readable OpenCode database: no such table: session"]},
    ]


def test_an_acceptance_that_was_undone_is_not_repeated_when_its_skill_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    home, project, candidate = str(tmp_path / "state"), tmp_path / "shop", make_candidate("boom", at=2)
    skill = project / ".claude/skills/boom/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(f"---\nname: boom\ndescription: When it booms.\n---\n{candidate.id}\n")
    where = resolve_project(project_folder=str(project))
    with Ledger.open(home) as ledger:
        ledger.stage(where, "one", "claude-code", [candidate], NOW)
    assert link_skill(home, str(skill), str(project), NOW)["linked"] == [candidate.id]
    with Ledger.open(home) as ledger:
        ledger.undo(NOW, where)
    assert link_skill(home, str(skill), str(project), NOW)["linked"] == []
    with Ledger.open(home) as ledger:
        assert ledger.find_candidate(candidate.id, where).state == "pending"
    other = project / ".claude/skills/other/SKILL.md"
    other.parent.mkdir()
    other.write_bytes(skill.read_bytes())
    assert link_skill(home, str(other), str(project), NOW)["linked"] == [candidate.id]
