"""A folder that looks like a git folder, or names one, does not decide for the repository around it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mind_skills.store import git as asking
from mind_skills.store.project import resolve_project
from tests.staging.test_kept_out_of_commits import NAME, commit_everything, git, locate_project
from tests.staging.workbench import Workbench


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    with Workbench(tmp_path) as bench:
        bench.root = tmp_path / "work"
        bench.root.mkdir()
        git("init", "-q", at=bench.root)
        locate_project(bench)
        yield bench


def lay_out_bare(folder: Path) -> None:
    """Lay out what git takes for a bare repository whose work tree is this folder, and which ignores everything."""
    files = {
        "HEAD": "ref: refs/heads/main\n",
        "config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n",
        "info/exclude": "*\n",
        "objects/info/.keep": "",
        "refs/heads/.keep": "",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def _names_nothing(claude: Path) -> None:
    claude.mkdir()
    (claude / ".git").write_text("gitdir: /nowhere/at/all\n")


def _empty_folder(claude: Path) -> None:
    (claude / ".git").mkdir(parents=True)


def _empty_in_a_bare_one(claude: Path) -> None:
    lay_out_bare(claude)
    (claude / ".git").mkdir()


CASES: dict[str, Callable[[Path], None]] = {
    "laid out as a bare repository": lay_out_bare,
    "a .git that names nothing": _names_nothing,
    "an empty .git": _empty_folder,
}


@pytest.mark.parametrize("case", CASES)
def test_a_pending_file_in_a_claude_folder_that_imitates_a_repository_is_not_committed(
    work: Workbench, case: str
) -> None:
    CASES[case](work.root / ".claude")
    work.stage("R", "a")
    assert (len(work.in_file()), work.ledger.find_git_verdict(work.project).kind) == (1, "")
    assert '"candidates"' not in commit_everything(work)


@pytest.mark.parametrize("case", CASES)
def test_a_pending_file_that_the_outer_repository_would_commit_is_not_written(work: Workbench, case: str) -> None:
    (work.root / ".gitignore").write_text("!.claude/**\n")
    CASES[case](work.root / ".claude")
    work.stage("R", "a")
    assert (work.file.exists(), work.ledger.find_git_verdict(work.project).kind) == (False, "not_ignored")


def test_a_bare_layout_with_an_empty_git_folder_gets_an_unknown_verdict_and_no_file(work: Workbench) -> None:
    _empty_in_a_bare_one(work.root / ".claude")
    work.stage("R", "a")
    assert (work.file.exists(), work.ledger.find_git_verdict(work.project).kind) == (False, "unknown")


def test_a_subfolder_laid_out_as_a_bare_repository_is_judged_by_the_repository_around_it(work: Workbench) -> None:
    inside = work.root / "part"
    lay_out_bare(inside)
    (work.root / ".gitignore").write_text("!**/.claude/**\n")
    answer = asking.check_ignored(str(inside), NAME, resolve_project(str(inside)).git_folder)
    assert (answer.kind, answer.detail) == ("not_ignored", "git does not ignore it because of line 1 of .gitignore")


def test_a_real_repository_in_the_claude_folder_decides_for_that_folder(work: Workbench) -> None:
    (work.root / ".claude").mkdir()
    git("init", "-q", at=work.root / ".claude")
    work.stage("R", "a")
    assert work.ledger.find_git_verdict(work.project).kind == "not_ignored"


def test_git_is_never_run_from_a_relative_entry_of_the_search_path(
    work: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = work.folder / "ran"
    for name in ("git", "bin/git"):
        program = work.root / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\ntouch {ran}\n")
        program.chmod(0o755)
    monkeypatch.chdir(work.root)
    monkeypatch.setenv("PATH", f".:bin::{os.environ['PATH']}")
    work.stage("R", "a")
    assert (ran.exists(), len(work.in_file())) == (False, 1)
