"""Repeated redaction changes only secrets: not the form of an entry, and no file that is not ours."""

from __future__ import annotations

from pathlib import Path

from mind_skills.hooks.redact_again import SCHEMA, redact_again, redact_project
from mind_skills.store.database import Database
from tests.staging.workbench import Workbench

NOW = 4_000_000_000_000
ENTRIES = "SELECT entry FROM candidates"
PRIVATE = "call hans.meier@gmail.com"
REDACTED = "call [redacted:email]"


def test_repeated_redaction_keeps_the_form_of_a_pending_entry(tmp_path: Path) -> None:
    with Workbench(tmp_path) as bench:
        bench.stage("R", "a")
    with Database.open(bench.home, SCHEMA) as database:
        (before,) = database.sql.execute(ENTRIES).fetchone()
        unredacted = before.replace("\n", f" {PRIVATE}\n") + f" {PRIVATE}"
        database.sql.execute("UPDATE candidates SET entry = ?", (unredacted,))
    assert redact_again(bench.home)
    with Database.open(bench.home, SCHEMA) as database:
        (after,) = database.sql.execute(ENTRIES).fetchone()
    assert after == unredacted.replace(PRIVATE, REDACTED)


def test_only_files_that_we_set_aside_are_rewritten_in_the_folder_of_a_project(tmp_path: Path) -> None:
    names = {
        "mind-skills-pending.json.corrupt-1": REDACTED,
        "mind-skills-pending.json.newer-12": REDACTED,
        "mind-skills-pending.json.0123456789ab.tmp": REDACTED,
        "mind-skills-pending.json.mine": PRIVATE,
        "mind-skills-pending.json.md": PRIVATE,
        "sub/mind-skills-pending.json.corrupt-1": PRIVATE,
    }
    folder = tmp_path / ".claude"
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(PRIVATE)
    redact_project(str(tmp_path))
    assert {name: (folder / name).read_text() for name in names} == names


def test_a_claude_folder_that_is_a_symlink_is_not_followed(tmp_path: Path) -> None:
    there = tmp_path / "elsewhere/mind-skills-pending.json.corrupt-1"
    there.parent.mkdir()
    there.write_text(PRIVATE)
    (tmp_path / ".claude").symlink_to(there.parent)
    redact_project(str(tmp_path))
    assert there.read_text() == PRIVATE
