from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mind_skills.store.git import find_remote
from mind_skills.store.project import Project, digest_text, parse_core_worktree, resolve_project


def git(*arguments: str | Path, at: Path) -> None:
    environ = {"PATH": os.environ["PATH"], "HOME": str(at), "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *identity, *map(str, arguments)], cwd=at, env=environ, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    git("init", "-q", at=root)
    git("commit", "-q", "--allow-empty", "-m", "first", at=root)
    return root


def test_a_repository_and_its_worktrees_are_one_project(repository: Path, tmp_path: Path) -> None:
    git("worktree", "add", "-q", tmp_path / "tree", at=repository)
    main, tree = resolve_project(str(repository)), resolve_project(str(tmp_path / "tree"))
    assert main == Project(str(repository), digest_text(str(repository / ".git")), "repo", str(repository / ".git"))
    assert tree == Project(str(tmp_path / "tree"), main.id, "repo", main.git_folder)


def test_a_worktree_that_was_moved_by_git_stays_the_same_project(repository: Path, tmp_path: Path) -> None:
    git("worktree", "add", "-q", tmp_path / "tree", at=repository)
    git("worktree", "move", tmp_path / "tree", tmp_path / "moved", at=repository)
    assert resolve_project(str(tmp_path / "moved")).id == resolve_project(str(repository)).id


def test_separate_clones_are_separate_projects(repository: Path, tmp_path: Path) -> None:
    git("clone", "-q", repository, tmp_path / "clone", at=tmp_path)
    assert resolve_project(str(tmp_path / "clone")).id != resolve_project(str(repository)).id


def test_a_submodule_is_a_project_of_its_own(repository: Path, tmp_path: Path) -> None:
    git("init", "-q", "outer", at=tmp_path)
    git("submodule", "add", "-q", repository, "inner", at=tmp_path / "outer")
    inner, outer = resolve_project(str(tmp_path / "outer" / "inner")), resolve_project(str(tmp_path / "outer"))
    assert (inner.id != outer.id, inner.git_folder) == (True, str(tmp_path / "outer" / ".git" / "modules" / "inner"))


def test_a_folder_inside_a_repository_has_its_identity_and_its_own_root(repository: Path) -> None:
    (repository / "sub").mkdir()
    assert resolve_project(str(repository / "sub")) == Project(
        str(repository / "sub"), resolve_project(str(repository)).id, "repo", str(repository / ".git")
    )


@pytest.mark.skipif(sys.platform != "linux", reason="the names of files are always UTF-8")
def test_a_folder_that_a_log_names_is_found_where_names_of_files_are_not_read_as_utf_8(tmp_path: Path) -> None:
    (tmp_path / "kö").mkdir()
    resolve = f"resolve({str(tmp_path)!r} + '/k\\xf6') == resolve()"
    code = f"import sys; from mind_skills.store.project import resolve_project as resolve; print({resolve}, sys.getfilesystemencoding())"
    environ = {**os.environ, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "kö", env=environ, check=True, capture_output=True, text=True
    )
    assert done.stdout == "True ascii\n"


def test_without_a_named_folder_the_nearest_ancestor_with_git_or_claude_counts(repository: Path) -> None:
    (repository / "a" / "b").mkdir(parents=True)
    assert resolve_project(folder=str(repository / "a" / "b")).root == str(repository)
    (repository / "a" / ".claude").mkdir()
    assert resolve_project(folder=str(repository / "a" / "b")).root == str(repository / "a")


def test_a_claude_folder_in_the_home_does_not_make_the_home_a_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".claude").mkdir()
    (tmp_path / "notes").mkdir()
    assert resolve_project(folder=str(tmp_path / "notes")).root == str(tmp_path / "notes")


def test_a_folder_without_git_is_a_project_of_its_own(tmp_path: Path) -> None:
    assert resolve_project(str(tmp_path)) == Project(str(tmp_path), digest_text(str(tmp_path)), tmp_path.name)


def test_a_symlink_to_a_project_resolves_to_that_project(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repository)
    assert resolve_project(str(tmp_path / "link")) == resolve_project(str(repository))


def test_a_folder_that_does_not_exist_resolves_to_its_path(tmp_path: Path) -> None:
    assert resolve_project(str(tmp_path / "gone")).root == str(tmp_path / "gone")


@pytest.mark.parametrize("link", ["gitdir: {victim}/.git", "gitdir: {victim}/.git/worktrees/tree", "symlink"])
def test_an_unpacked_folder_cannot_take_another_repositorys_identity(
    repository: Path, tmp_path: Path, link: str
) -> None:
    git("worktree", "add", "-q", tmp_path / "tree", at=repository)
    fake = tmp_path / "fake"
    fake.mkdir()
    if link == "symlink":
        (fake / ".git").symlink_to(repository / ".git")
    else:
        (fake / ".git").write_text(link.format(victim=repository) + "\n")
    assert resolve_project(str(fake)) == Project(str(fake), digest_text(str(fake)), "fake")


@pytest.mark.parametrize(
    "content", [b"", b"\xff\x00gitdir", b"gitdir:", b"gitdir: a\0b", b"gitdir: /nowhere", b"x" * 200_000]
)
def test_a_broken_git_file_leaves_the_folder_a_project_of_its_own(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".git").write_bytes(content)
    assert resolve_project(str(tmp_path)).git_folder == ""


def test_a_broken_git_file_takes_no_identity_from_the_working_directory(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").write_text("gitdir: /nowhere\n")
    (tmp_path / "commondir").write_text(f"{repository}/.git\n")
    monkeypatch.chdir(tmp_path)
    assert resolve_project(str(tmp_path)).git_folder == ""


def test_a_pipe_in_place_of_the_git_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".git")
    assert resolve_project(str(tmp_path)).git_folder == ""


def test_a_folder_whose_name_is_not_utf8_is_a_project(tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"\xff")
    odd.mkdir()
    assert resolve_project(str(odd)).root == str(odd)


CLAIMS = ["the victim's submodule", "the victim's separate git folder", "a made-up worktree of the victim"]


@pytest.mark.parametrize("what", CLAIMS)
def test_a_folder_that_the_named_git_folder_does_not_name_back_is_a_project_of_its_own(
    repository: Path, tmp_path: Path, what: str
) -> None:
    victim, fake = tmp_path / "victim", tmp_path / "fake"
    fake.mkdir()
    if what == "the victim's submodule":
        git("init", "-q", "victim", at=tmp_path)
        git("submodule", "add", "-q", repository, "inner", at=victim)
        named = victim / ".git" / "modules" / "inner"
    elif what == "the victim's separate git folder":
        git("init", "-q", f"--separate-git-dir={tmp_path / 'kept'}", "victim", at=tmp_path)
        named = tmp_path / "kept"
    else:
        named = fake / "git"
        named.mkdir()
        (named / "commondir").write_text(f"{repository / '.git'}\n")
        (named / "gitdir").write_text(f"{fake / '.git'}\n")
    (fake / ".git").write_text(f"gitdir: {named}\n")
    assert resolve_project(str(fake)) == Project(str(fake), digest_text(str(fake)), "fake")


def test_a_separate_git_folder_counts_only_if_it_names_its_work_tree(tmp_path: Path) -> None:
    git("init", "-q", f"--separate-git-dir={tmp_path / 'kept'}", "work", at=tmp_path)
    assert resolve_project(str(tmp_path / "work")) == Project(
        str(tmp_path / "work"), digest_text(str(tmp_path / "work")), "work"
    )
    git("config", "core.worktree", tmp_path / "work", at=tmp_path / "work")
    assert resolve_project(str(tmp_path / "work")).git_folder == str(tmp_path / "kept")


@pytest.mark.parametrize("name", ["in ner#x", 'q"u\\o/z', "pl;ain", "émile", " begins with a blank"])
def test_a_submodule_with_an_odd_name_is_recognised_by_the_work_tree_that_git_names(
    repository: Path, tmp_path: Path, name: str
) -> None:
    git("init", "-q", "outer", at=tmp_path)
    git("submodule", "add", "-q", repository, f"./{name}", at=tmp_path / "outer")
    assert resolve_project(str(tmp_path / "outer" / name)).git_folder == str(
        tmp_path / "outer" / ".git" / "modules" / name
    )


@pytest.mark.parametrize(
    ("config", "named"),
    [
        ("", ""),
        ("[core]\n\tworktree = ../a\n", "../a"),
        ("[Core]\nWorkTree=../a # mine\n", "../a"),
        ('[core]\nworktree = "../a b;c" ; mine\n', "../a b;c"),
        ('[core]\nworktree = "../a\\tb\\\\c"\n', "../a\tb\\c"),
        ("[core]\nworktree = ../a\nworktree = ../b\n", "../b"),
        ('[core "x"]\nworktree = ../a\n[user]\nworktree = ../b\n', ""),
        ("worktree = ../a\n[core]\nworktree\n", ""),
    ],
)
def test_core_worktree_is_parsed_from_a_git_config(config: str, named: str) -> None:
    assert parse_core_worktree(config) == named


def test_the_remote_of_a_project_is_that_of_its_own_repository(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook of another repository, from which `mind-skills team sync` may be run, sets GIT_DIR."""
    (repository / "below").mkdir()
    git("remote", "add", "origin", "https://example.com/one.git", at=repository)
    other, plain, program = tmp_path / "other", tmp_path / "plain", tmp_path / "bin" / "git"
    for folder in (other, plain, program.parent):
        folder.mkdir()
    git("init", "-q", at=other)
    git("remote", "add", "origin", "https://example.com/other.git", at=other)
    program.write_text("#!/bin/sh\necho https://example.com/other.git\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"bin:{os.environ['PATH']}")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    remotes = [find_remote(str(folder)) for folder in (repository, repository / "below", plain)]
    assert remotes == ["https://example.com/one.git", "https://example.com/one.git", ""]


def test_a_git_entry_that_is_no_repository_does_not_hide_the_remote_of_the_repository_around_it(
    repository: Path,
) -> None:
    git("remote", "add", "origin", "https://example.com/one.git", at=repository)
    unpacked, clone = repository / "vendor" / "unpacked", repository / "vendor" / "clone"
    (unpacked / ".git").mkdir(parents=True)
    git("init", "-q", str(clone), at=repository)
    remotes = [find_remote(str(folder)) for folder in (unpacked, clone)]
    assert remotes == ["https://example.com/one.git", ""]  # a repository without a remote has none of another's
