"""What waits stands in a project only where git says that it will not commit it; each case with the real git."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mind_skills.store import exclude
from mind_skills.store import git as asking
from mind_skills.store.project import resolve_project
from tests.staging.workbench import Workbench

NAME = ".claude/mind-skills-pending.json"
LINE = "**/.claude/mind-skills-pending.json*"


def git(*arguments: str | Path, at: Path) -> str:
    environ = {"PATH": os.environ["PATH"], "HOME": str(at.parent), "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main")
    line = ["git", *identity, *map(str, arguments)]
    return subprocess.run(line, cwd=at, env=environ, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """A repository that git made, with one commit."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    with Workbench(tmp_path) as bench:
        bench.root = tmp_path / "work"
        bench.root.mkdir()
        git("init", "-q", at=bench.root)
        (bench.root / "a.txt").write_text("a")
        git("add", "-A", at=bench.root)
        git("commit", "-qm", "first", at=bench.root)
        located(bench)
        yield bench


def located(bench: Workbench) -> None:
    bench.project = resolve_project(str(bench.root))
    bench.file = bench.root / NAME


def committed(bench: Workbench) -> str:
    """All that a careless commit of everything holds."""
    git("add", "-A", at=bench.root)
    git("commit", "-qam", "all", "--allow-empty", at=bench.root)
    return git("show", "HEAD", at=bench.root)


def _ignore(pattern: str) -> Callable[[Workbench], None]:
    def write(bench: Workbench) -> None:
        (bench.root / ".gitignore").write_text(pattern)

    return write


def _linked_list(bench: Workbench) -> None:
    target = bench.folder / "list"
    target.write_text("")
    (bench.root / ".git/info").mkdir(exist_ok=True)
    (bench.root / ".git/info/exclude").unlink(missing_ok=True)
    (bench.root / ".git/info/exclude").symlink_to(target)


def _huge_list(bench: Workbench) -> None:
    (bench.root / ".git/info/exclude").write_text("# nothing\n" * 450_000)


def _linked_git(bench: Workbench) -> None:
    (bench.root / ".git").rename(bench.folder / "kept")
    (bench.root / ".git").symlink_to(bench.folder / "kept")


def _separate_git(bench: Workbench) -> None:
    git("init", "-q", f"--separate-git-dir={bench.folder / 'kept'}", at=bench.root)


def _tracked(bench: Workbench) -> None:
    bench.file.parent.mkdir()
    bench.file.write_text('{"version": 1, "candidates": []}')
    git("add", "-f", NAME, at=bench.root)
    git("commit", "-qm", "it", at=bench.root)


REFUSED: dict[str, tuple[Callable[[Workbench], None], str]] = {
    "tracked": (_tracked, "tracked"),
    "!.claude/*": (_ignore("!.claude/*\n"), "not_ignored"),
    "!.claude/**": (_ignore("!.claude/**\n"), "not_ignored"),
    "!*.json": (_ignore("*.log\n!*.json\n"), "not_ignored"),
    "!*.tmp": (_ignore("!*.tmp\n"), "not_ignored"),
    "a linked list": (_linked_list, "not_ignored"),
    "a list of over 4 MB": (_huge_list, "not_ignored"),
    "a linked .git": (_linked_git, "not_ignored"),
    "a separate git folder that names no work tree": (_separate_git, "not_ignored"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_git_would_commit_is_kept_in_the_state_folder_alone(work: Workbench, name: str) -> None:
    make, kind = REFUSED[name]
    make(work)
    located(work)
    work.stage("R", "secretive")
    assert "secretive" not in committed(work)
    assert (work.titles(), work.ledger.find_git_verdict(work.project).kind, work.ledger.problems) == (
        ["secretive"],
        kind,
        [],
    )
    offer = work.claim("S")
    assert offer is not None
    assert work.id("secretive") in offer.text


def test_the_line_that_gets_in_the_way_is_named(work: Workbench) -> None:
    (work.root / ".gitignore").write_text("*.log\n!.claude/*\n")
    work.stage("R", "a")
    assert (
        work.ledger.find_git_verdict(work.project).detail
        == "git does not ignore it: line 2 of .gitignore says !.claude/*"
    )


@pytest.mark.parametrize("name", REFUSED)
def test_what_was_written_before_git_would_commit_it_is_taken_out_again(work: Workbench, name: str) -> None:
    if name == "tracked":
        return
    work.stage("R", "secretive")
    assert work.in_file() != []
    if name.startswith("a linked list"):
        (work.root / ".git/info/exclude").unlink()
    REFUSED[name][0](work)
    located(work)
    work.stage("R", "secretive", "b")
    assert "secretive" not in committed(work)


def test_a_tracked_file_keeps_its_bytes_and_is_written_once_git_has_let_go_of_it(work: Workbench) -> None:
    _tracked(work)
    before = work.file.read_bytes()
    work.stage("R", "a")
    assert work.file.read_bytes() == before
    git("rm", "-q", "--cached", NAME, at=work.root)
    work.ledger.update_pending_file(work.project, 5)
    assert (len(work.in_file()), work.ledger.find_git_verdict(work.project).kind) == (1, "")


@pytest.mark.parametrize("pattern", [".claude/\n", "*.json*\n"])
def test_where_the_repository_ignores_it_already_nothing_is_added_to_gits_list(work: Workbench, pattern: str) -> None:
    (work.root / ".gitignore").write_text(pattern)
    before = (work.root / ".git/info/exclude").read_bytes()
    work.stage("R", "a")
    assert (len(work.in_file()), (work.root / ".git/info/exclude").read_bytes()) == (1, before)


def test_elsewhere_our_line_in_gits_private_list_keeps_it_out(work: Workbench) -> None:
    work.stage("R", "secretive")
    assert (len(work.in_file()), (work.root / ".git/info/exclude").read_text().splitlines()[-1]) == (1, LINE)
    assert "secretive" not in committed(work)


def test_a_folder_inside_a_repository_and_a_worktree_are_asked_about_themselves(work: Workbench) -> None:
    git("worktree", "add", "-q", work.folder / "tree", at=work.root)
    main, inner, tree = work.root, work.root / "inner", work.folder / "tree"
    inner.mkdir()
    (tree / ".gitignore").write_text("!.claude/*\n")
    for root in (main, inner, tree):
        work.root = root
        located(work)
        work.stage("R", "a")
    assert [(root / NAME).exists() for root in (main, inner, tree)] == [True, True, False]


def test_outside_of_a_work_tree_it_is_written(tmp_path: Path) -> None:
    with Workbench(tmp_path) as bench:
        bench.root = tmp_path / "plain"
        bench.root.mkdir()
        located(bench)
        bench.stage("R", "a")
        assert (len(bench.in_file()), bench.ledger.find_git_verdict(bench.project).kind) == (1, "")


def test_what_cannot_be_asked_is_not_written_and_asked_again(work: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(work.folder / "nothing"))
        work.stage("R", "a")
        assert (work.file.exists(), work.ledger.find_git_verdict(work.project).kind) == (False, "unknown")
    work.stage("R", "a")
    assert (work.file.exists(), work.ledger.find_git_verdict(work.project).kind) == (True, "")


def test_a_repository_that_git_distrusts_is_not_written_into(work: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    work.stage("R", "a")
    assert not work.file.exists()
    assert "dubious ownership" in work.ledger.find_git_verdict(work.project).detail


def test_git_is_asked_once_until_what_it_goes_by_changes(work: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    really = asking._ask_git
    monkeypatch.setattr(asking, "_ask_git", lambda root, path: asked.append(root) or really(root, path))  # type: ignore[func-returns-value]

    def times() -> int:
        work.ledger.update_pending_file(work.project, 5)
        known = len(asked)
        asked.clear()
        return known

    work.stage("R", "a")
    times()
    assert [times(), times()] == [0, 0]
    changes: list[Callable[[], object]] = [
        lambda: (work.root / ".gitignore").write_text("*.o\n"),
        lambda: (work.root / ".claude/.gitignore").write_text("*.o\n"),
        lambda: (work.root / ".git/info/exclude").write_text(f"{LINE}\n*.o\n"),
        lambda: git("add", "-A", at=work.root),
        lambda: (work.folder / ".gitconfig").write_text("[core]\n"),
    ]
    for change in changes:
        change()
        assert [times() > 0, times()] == [True, 0]


def test_a_repository_has_git_start_no_program_of_its_own(work: Workbench) -> None:
    hook, seen = work.folder / "hook", work.folder / "seen"
    hook.write_text(f"#!/bin/sh\ntouch {seen}\n")
    hook.chmod(0o755)
    git("config", "core.fsmonitor", hook, at=work.root)
    git("update-index", "--fsmonitor", at=work.root)
    seen.unlink(missing_ok=True)
    (work.root / ".gitignore").write_text("!.claude/*\n")
    work.stage("R", "a")
    assert (seen.exists(), work.ledger.find_git_verdict(work.project).kind) == (False, "not_ignored")


def test_what_the_environment_says_of_repositories_does_not_count(
    work: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("init", "-q", "other", at=work.folder)
    monkeypatch.setenv("GIT_DIR", str(work.folder / "other/.git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(work.folder))
    _tracked_elsewhere(work)
    work.stage("R", "a")
    assert work.ledger.find_git_verdict(work.project).kind == "tracked"


def _tracked_elsewhere(work: Workbench) -> None:
    work.file.parent.mkdir()
    work.file.write_text(json.dumps({"version": 1, "candidates": []}))
    git("add", "-f", NAME, at=work.root)


def test_an_entry_that_another_process_adds_while_git_is_asked_counts(
    work: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What git said before it is out of date, and would keep the file away until the next change."""
    really = asking._ask_git

    def slowly(root: str, path: str) -> asking.Verdict:
        answer = really(root, path)
        exclude.add_pattern(str(work.root / ".git"))
        return answer

    monkeypatch.setattr(asking, "_ask_git", slowly)
    work.stage("R", "a")
    assert work.in_file() == [work.id("a")]
