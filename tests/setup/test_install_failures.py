"""Installing with unusable files, and installations that are interrupted or run at the same time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.errors import MindSkillsError
from mind_skills.hosts import HOST_NAMES
from mind_skills.plugin import command
from mind_skills.setup.install import files
from mind_skills.setup.install.journal import FOLDER, Entry, Journal, compute_digest
from mind_skills.setup.install.targets import find_handlers


def write_settings(home: Path, content: str | bytes = '{"model": "opus"}\n') -> Path:
    path = home / ".claude/settings.json"
    path.parent.mkdir()
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
@pytest.mark.parametrize("host", HOST_NAMES)
def test_a_home_whose_name_is_not_utf_8_is_an_error_and_unchanged(
    tmp_path: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    odd_home = tmp_path / os.fsdecode(b"caf\xe9")
    odd_home.mkdir()
    monkeypatch.setenv("HOME", str(odd_home))
    done = mind_skills("install", host, "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "odd_path")
    assert list(odd_home.iterdir()) == []


def test_settings_that_are_not_utf_8_are_refused_and_unchanged(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any]
) -> None:
    write_settings(home, b'{"model": "\xff"}')
    before = tree(home)
    assert mind_skills("install", "claude-code", "--json").json["error"]["code"] == "settings_syntax"
    assert tree(home) == before


def test_a_settings_file_that_is_a_symbolic_link_stays_a_link(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any]
) -> None:
    (home / "dotfiles").mkdir()
    (home / "dotfiles/claude.json").write_text("{}")
    (home / ".claude").mkdir()
    link = home / ".claude/settings.json"
    link.symlink_to("../dotfiles/claude.json")
    before = tree(home)
    assert mind_skills("install", "claude-code").code == 0
    assert link.is_symlink()
    assert len(find_handlers((home / "dotfiles/claude.json").read_bytes())) == 4
    assert mind_skills("uninstall", "claude-code", "--verify").code == 0
    assert tree(home) == before


def test_a_settings_file_that_is_a_dangling_link_is_refused(home: Path, mind_skills: Callable[..., Any]) -> None:
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").symlink_to("gone/settings.json")
    assert mind_skills("install", "claude-code", "--json").json["error"]["code"] == "broken_link"


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_a_folder_or_pipe_in_place_of_the_settings_file_is_refused(
    home: Path, mind_skills: Callable[..., Any], kind: str
) -> None:
    (home / ".claude").mkdir()
    place = home / ".claude/settings.json"
    if kind == "folder":
        place.mkdir()
    else:
        os.mkfifo(place)
    assert mind_skills("install", "claude-code", "--json").json["error"]["code"] == "refused_path"


def test_a_read_only_settings_file_is_refused_and_unchanged(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any]
) -> None:
    write_settings(home).chmod(0o444)
    before = tree(home)
    done = mind_skills("install", "claude-code", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "read_only")
    assert tree(home) == before


@pytest.mark.parametrize("step", range(1, 4))
def test_an_install_that_fails_while_writing_leaves_the_home_unchanged(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    write_settings(home)
    before = tree(home)
    real, calls = os.replace, []

    def replace(*arguments: Any, **more: Any) -> None:
        calls.append(1)
        if len(calls) == step:
            raise OSError(28, "No space left on device")
        real(*arguments, **more)

    monkeypatch.setattr(os, "replace", replace)
    done = mind_skills("install", "claude-code", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "unwritable")
    assert tree(home) == before
    monkeypatch.undo()


def test_an_uninstall_that_fails_while_writing_leaves_the_hooks_installed(
    home: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write_settings(home)
    mind_skills("install", "claude-code")
    installed = file.read_bytes()

    def replace(*arguments: Any, **more: Any) -> None:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", replace)
        assert mind_skills("uninstall", "claude-code").code == 1
    assert file.read_bytes() == installed
    assert mind_skills("uninstall", "claude-code", "--verify").code == 0
    assert file.read_text() == '{"model": "opus"}\n'


@pytest.mark.process
def test_uninstalling_after_an_install_killed_before_writing_settings_restores_the_home(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_settings(home)
    before = tree(home)
    program = (
        "import os\nfrom mind_skills.setup.install import files\nfiles.write = lambda *a: os._exit(9)\n"
        "from mind_skills.plugin.cli import run\nrun(['install', 'claude-code', '--yes', '--no-history'])"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 9
    assert mind_skills("uninstall", "claude-code", "--verify").code == 0
    assert tree(home) == before


def test_an_unreadable_journal_is_moved_aside_and_the_hooks_are_removed(
    home: Path, mind_skills: Callable[..., Any]
) -> None:
    file = write_settings(home)
    mind_skills("install", "claude-code")
    folder = home / ".local/state/mind-skills/install"
    (folder / "journal.json").write_text('{"files": 3')
    assert mind_skills("uninstall", "claude-code", "--verify").code == 0
    assert json.loads(file.read_text()) == {"model": "opus"}
    assert [path.name for path in folder.glob("journal*")] == ["journal.json.corrupt-1"]


@pytest.mark.parametrize("line", ["install codex --dry-run", "uninstall codex --dry-run", "status", "doctor"])
def test_a_command_without_a_home_folder_is_an_error(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.delenv("HOME")
    done = mind_skills(*line.split(), "--json")
    assert (done.code, done.json["error"]["code"], done.json["error"]["hint"]) == (
        1,
        "state_folder",
        "Set HOME, or set MIND_SKILLS_HOME to a folder of your own.",
    )


@pytest.mark.process
def test_simultaneous_installs_add_each_hook_once_and_uninstalls_restore_the_home(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any]
) -> None:
    file = write_settings(home)
    before = tree(home)
    program = "import sys; from mind_skills.plugin.cli import run; sys.exit(run(sys.argv[1:]))"
    hosts = ["claude-code", "codex", "gemini", "opencode"]

    def at_once(*lines: list[str]) -> list[int]:
        started = [
            subprocess.Popen([sys.executable, "-c", program, *line], stdout=subprocess.DEVNULL) for line in lines
        ]
        return [child.wait() for child in started]

    added = ["install", "--yes", "--no-history"]
    assert at_once(*[[*added, *hosts]] * 3, *[[*added, host] for host in hosts]) == [0] * 7
    assert {event: len(found) for event, found in find_handlers(file.read_bytes()).items()} == {
        "SessionStart": 1,
        "Stop": 1,
        "SessionEnd": 1,
        "PostToolUseFailure": 1,
    }
    assert at_once(*[["uninstall", "--all"]] * 3, *[["uninstall", host] for host in hosts]) == [0] * 7
    assert mind_skills("uninstall", "--all", "--verify").code == 0
    assert tree(home) == before


def test_installing_from_a_temporary_environment_of_uv_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    place = "/home/me/.cache/uv/archive-v0/x1/lib/python3.12/site-packages/mind_skills/plugin/command.py"
    monkeypatch.setattr(command, "__file__", place)
    with pytest.raises(MindSkillsError, match="temporary environment of uv"):
        command.find_entry_script()


def test_a_shim_is_not_accepted_as_an_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shim = tmp_path / "bin/python"
    shim.parent.mkdir()
    shim.write_text('#!/bin/sh\nexec python3 "$@"\n')
    shim.chmod(0o755)
    assert command.find_problem(str(shim)) == "is a script, not a program"
    real = sys.executable
    monkeypatch.setattr(sys, "executable", str(shim))
    monkeypatch.setattr(sys, "_base_executable", real)
    assert command.find_interpreter() == real
    monkeypatch.setattr(sys, "_base_executable", str(shim))
    with pytest.raises(MindSkillsError, match="no Python binary"):
        command.find_interpreter()


@pytest.mark.parametrize("path", ["/a/b", "/a b/c", "/a$HOME/`id`/c", "/it's/c", 'quote"d/c', "/x\\y"])
def test_the_hook_command_works_for_any_path_of_the_script(tmp_path: Path, path: str) -> None:
    script = tmp_path / path.lstrip("/") / "plugin/entry.py"
    script.parent.mkdir(parents=True)
    script.write_text("import sys; print(sys.argv[1:], sys.flags.isolated, sys.flags.no_site)")
    line = command.make_shell_command(sys.executable, str(script), "codex", "start")
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"{['codex', 'start', *command.list_location_arguments()]} 1 1\n")
    assert command.parse_command(line) == (sys.executable, str(script))


def test_a_hook_whose_interpreter_or_script_is_missing_exits_with_code_zero(tmp_path: Path) -> None:
    for line in (
        command.make_shell_command("/nowhere/python", "/x", "codex", "end"),
        command.make_shell_command(sys.executable, "/x", "codex", "end"),
    ):
        assert subprocess.run(["/bin/sh", "-c", line], capture_output=True, check=False).returncode == 0


def test_removing_leftovers_from_a_folder_that_is_removed_meanwhile_does_not_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "settings"
    folder.mkdir()
    monkeypatch.setattr(os.path, "isdir", _remove_after(folder, os.path.isdir))
    files.remove_leftovers(str(folder / "settings.json"))
    assert not folder.exists()


def test_reading_a_file_whose_folder_is_removed_meanwhile_reports_a_missing_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings" / "settings.json"
    path.parent.mkdir()
    monkeypatch.setattr(os.path, "isdir", _remove_after(path.parent, os.path.isdir))
    assert files.read_file(str(path)) == files.HostFile(str(path), os.path.realpath(path), None, 0)
    assert not path.parent.exists()


def test_a_journal_whose_folder_is_removed_by_another_process_while_reading_it_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "state" / FOLDER
    folder.mkdir(parents=True)
    monkeypatch.setattr(os.path, "isdir", _remove_after(folder, os.path.isdir))
    journal = Journal.open_read_only(str(tmp_path / "state"))
    assert (journal.entries, folder.exists()) == ({}, False)
    journal.entries["settings.json"] = Entry("codex", compute_digest(b"{}"), "", 0o600, 1)
    assert journal.read_backup("settings.json") is None


def _remove_after(folder: Path, isdir: Callable[[str], bool]) -> Callable[[str], bool]:
    def isdir_then_remove(path: str) -> bool:
        there = isdir(path)
        if there and path == os.path.realpath(folder):
            folder.rmdir()
        return there

    return isdir_then_remove


def test_writing_a_file_that_is_removed_with_its_folder_meanwhile_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings" / "settings.json"
    path.parent.mkdir()
    path.write_text("{}")
    found = files.read_file(str(path))
    read = files.read_file

    def read_then_remove(name: str) -> files.HostFile:
        same = read(name)
        path.unlink()
        path.parent.rmdir()
        return same

    monkeypatch.setattr(files, "read_file", read_then_remove)
    with pytest.raises(MindSkillsError, match="changed by another process"):
        files.write(found, None)
