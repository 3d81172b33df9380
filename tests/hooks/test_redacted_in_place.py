"""Redacting once more what is kept changes secrets alone: not the form of an entry, and no file that is not ours."""

from __future__ import annotations

from pathlib import Path

from mind_skills.hooks.redact_again import SCHEMA, redact_again, redact_project
from mind_skills.store.database import Database
from tests.staging.workbench import Workbench

NOW = 4_000_000_000_000
ENTRIES = "SELECT entry FROM candidates"
TOLD = "call hans.meier@gmail.com"
REDACTED = "call [redacted:email]"


def test_what_waits_is_offered_as_before_it_was_looked_through_again(tmp_path: Path) -> None:
    with Workbench(tmp_path) as bench:
        bench.stage("R", "a")
    with Database.open(bench.home, SCHEMA) as database:
        (before,) = database.sql.execute(ENTRIES).fetchone()
        told = before.replace("\n", f" {TOLD}\n") + f" {TOLD}"
        database.sql.execute("UPDATE candidates SET entry = ?", (told,))
    assert redact_again(bench.home, NOW)
    with Database.open(bench.home, SCHEMA) as database:
        (after,) = database.sql.execute(ENTRIES).fetchone()
    assert after == told.replace(TOLD, REDACTED)


def test_of_a_projects_folder_only_what_we_set_aside_is_rewritten(tmp_path: Path) -> None:
    names = {
        "mind-skills-pending.json.corrupt-1": REDACTED,
        "mind-skills-pending.json.newer-12": REDACTED,
        "mind-skills-pending.json.0123456789ab.tmp": REDACTED,
        "mind-skills-pending.json.mine": TOLD,
        "mind-skills-pending.json.md": TOLD,
        "sub/mind-skills-pending.json.corrupt-1": TOLD,
    }
    folder = tmp_path / ".claude"
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(TOLD)
    redact_project(str(tmp_path), NOW)
    assert {name: (folder / name).read_text() for name in names} == names


def test_a_projects_folder_that_is_a_link_is_not_looked_into(tmp_path: Path) -> None:
    there = tmp_path / "elsewhere/mind-skills-pending.json.corrupt-1"
    there.parent.mkdir()
    there.write_text(TOLD)
    (tmp_path / ".claude").symlink_to(there.parent)
    redact_project(str(tmp_path), NOW)
    assert there.read_text() == TOLD
