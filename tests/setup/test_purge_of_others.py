"""A purge removes what we wrote, and preserves foreign files with names like ours."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.store.git import PENDING_FILE_PATTERN
from tests.setup.test_purge import PENDING, make_repository

OTHERS = ("log", "memory", "spool", "install", "held")


def test_a_purge_preserves_foreign_files_with_names_like_the_pending_files(
    tmp_path: Path, state: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    shop = make_repository(tmp_path / "shop")
    learn(state, shop)
    ours = [shop / f"{PENDING}{end}" for end in ("", ".corrupt-1", ".newer-2", ".0123456789ab.tmp")]
    mine = [shop / f"{PENDING}{end}" for end in (".notes", ".md", ".corrupt", ".corrupt-x", "-2", ".tmp")]
    for path in [*ours[1:], *mine]:
        path.write_text("{")
    assert mind_skills("uninstall", "--all", "--purge", "--verify").code == 0
    assert [path for path in ours if path.exists()] == []
    assert [path for path in mine if not path.exists()] == []


def test_a_purge_preserves_a_pending_file_that_the_repository_contains(
    tmp_path: Path, state: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    shop, clone = make_repository(tmp_path / "shop"), tmp_path / "clone"
    learn(state, shop)
    (clone / PENDING).parent.mkdir(parents=True)
    (clone / PENDING).write_bytes((shop / PENDING).read_bytes())
    for arguments in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *arguments], cwd=clone, check=True)
    done = mind_skills("uninstall", "--all", "--purge", "--project", str(clone), "--json")
    said = f"{clone / PENDING} is tracked by git"
    assert (said in done.json["kept"], (clone / PENDING).exists(), (shop / PENDING).exists()) == (True, True, False)


def test_a_stray_file_among_the_work_trees_of_a_repository_does_not_stop_a_purge(
    tmp_path: Path, state: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    shop = make_repository(tmp_path / "shop")
    learn(state, shop)
    (shop / ".git/worktrees/stale").mkdir(parents=True)
    (shop / ".git/worktrees/.DS_Store").write_text("x")
    done = mind_skills("uninstall", "--all", "--purge", "--verify")
    assert (done.code, (shop / PENDING).exists(), state.exists()) == (0, False, False)


def test_a_purge_preserves_and_reports_a_pending_file_of_a_newer_version(
    tmp_path: Path, state: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    shop = make_repository(tmp_path / "shop")
    learn(state, shop)
    content = json.dumps({"version": 2, "candidates": [{"id": "other-1", "title": "from a newer tool"}]})
    (shop / PENDING).write_text(content)
    done = mind_skills("uninstall", "--all", "--purge", "--verify", "--json")
    reason = "its version is 2, but this mind-skills supports only version 1"
    said = f"{shop / PENDING} was not written by this version of mind-skills: {reason}"
    line = f"{shop}/.git/info/exclude: {PENDING_FILE_PATTERN} prevents git from committing a file that remains"
    assert (done.code, done.json["kept"], (shop / PENDING).read_text()) == (0, [said, line], content)


def test_a_purge_removes_nothing_from_a_state_folder_that_was_never_used(
    tmp_path: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "notes"
    for name in OTHERS:
        (place / name).mkdir(parents=True)
        (place / name / "mine.txt").write_text("mine")
    (place / "mind-skills.db-my-backup").write_text("mine")
    monkeypatch.setenv("MIND_SKILLS_HOME", str(place))
    done = mind_skills("uninstall", "--all", "--purge", "--verify", "--json")
    assert (done.code, done.json["purged"]) == (0, [])
    assert len([path for path in place.rglob("*") if path.is_file()]) == len(OTHERS) + 1


def test_a_purge_preserves_a_users_copy_of_the_database(
    tmp_path: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "state"
    monkeypatch.setenv("MIND_SKILLS_HOME", str(place))
    learn(place, make_repository(tmp_path / "shop"))
    for name in ("mind-skills.db-my-backup", "mind-skills.db.2026", "mind-skills.db.corrupt-1", "mind-skills.db.lock"):
        (place / name).write_text("x")
    assert mind_skills("uninstall", "--all", "--purge", "--verify").code == 0
    assert sorted(path.name for path in place.iterdir()) == ["mind-skills.db-my-backup", "mind-skills.db.2026"]
