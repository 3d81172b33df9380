"""Files that are not as they should be, and installations that are cut off or happen at once."""

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
from mind_skills.plugin import command
from mind_skills.setup.install import files
from mind_skills.setup.install.targets import find_handlers

BROKEN: dict[str, tuple[str | bytes, str]] = {
    "half of it": ('{"model": "opus", "hooks": {', "settings_syntax"),
    "not UTF-8": (b'{"model": "\xff"}', "settings_syntax"),
    "a list": ("[]", "settings_shape"),
    "hooks that are a list": ('{"hooks": []}', "settings_shape"),
    "an event that is no list": ('{"hooks": {"Stop": "x"}}', "settings_shape"),
}


def settings(home: Path, content: str | bytes = '{"model": "opus"}\n') -> Path:
    path = home / ".claude/settings.json"
    path.parent.mkdir()
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("what", BROKEN)
def test_what_cannot_be_read_is_refused_and_left_as_it_is(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], what: str
) -> None:
    content, code = BROKEN[what]
    file = settings(home, content)
    before = tree(home)
    done = mind_skills("install", "claude-code", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, code)
    assert str(file) in done.json["error"]["message"]
    assert tree(home) == before


def test_one_host_that_cannot_be_read_does_not_keep_the_others(home: Path, mind_skills: Callable[..., Any]) -> None:
    settings(home, "{")
    done = mind_skills("install", "claude-code", "codex", "--json")
    assert done.code == 1
    assert [(host["host"], (host["error"] or {}).get("code")) for host in done.json["hosts"]] == [
        ("claude-code", "settings_syntax"),
        ("codex", None),
    ]
    assert (home / ".codex/hooks.json").exists()


def test_a_link_into_a_folder_of_dotfiles_stays_a_link(
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
    assert len(find_handlers((home / "dotfiles/claude.json").read_text())) == 3
    assert mind_skills("uninstall", "claude-code", "--verify").code == 0
    assert tree(home) == before


def test_a_link_to_nowhere_is_refused(home: Path, mind_skills: Callable[..., Any]) -> None:
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").symlink_to("gone/settings.json")
    assert mind_skills("install", "claude-code", "--json").json["error"]["code"] == "broken_link"


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_something_else_in_the_place_of_the_file_is_refused(
    home: Path, mind_skills: Callable[..., Any], kind: str
) -> None:
    (home / ".claude").mkdir()
    place = home / ".claude/settings.json"
    if kind == "folder":
        place.mkdir()
    else:
        os.mkfifo(place)
    assert mind_skills("install", "claude-code", "--json").json["error"]["code"] == "refused_path"


def test_a_read_only_file_is_left_as_it_is(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any]
) -> None:
    settings(home).chmod(0o444)
    before = tree(home)
    done = mind_skills("install", "claude-code", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "read_only")
    assert tree(home) == before


def test_somebody_elses_plugin_of_our_name_is_left_as_it_is(home: Path, mind_skills: Callable[..., Any]) -> None:
    file = home / ".config/opencode/plugin/mind-skills.js"
    file.parent.mkdir(parents=True)
    file.write_text("// mine")
    assert mind_skills("install", "opencode", "--json").json["error"]["code"] == "foreign_file"
    assert mind_skills("uninstall", "opencode", "--verify").code == 0
    assert file.read_text() == "// mine"


@pytest.mark.parametrize("step", range(1, 4))
def test_cut_off_in_the_middle_the_old_settings_are_there_and_nothing_else(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    settings(home)
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


def test_cut_off_while_it_is_taken_out_everything_is_still_in_place(
    home: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = settings(home)
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
def test_killed_between_journal_and_settings_it_is_as_if_nothing_had_been_installed(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings(home)
    before = tree(home)
    program = (
        "import os\nfrom mind_skills.setup.install import files\nfiles.write = lambda *a: os._exit(9)\n"
        "from mind_skills.plugin.cli import run\nrun(['install', 'claude-code'])"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 9
    assert mind_skills("uninstall", "claude-code", "--verify").code == 0
    assert tree(home) == before


def test_a_journal_that_cannot_be_read_is_set_aside(home: Path, mind_skills: Callable[..., Any]) -> None:
    file = settings(home)
    mind_skills("install", "claude-code")
    folder = home / ".local/state/mind-skills/install"
    (folder / "journal.json").write_text('{"files": 3')
    assert mind_skills("uninstall", "claude-code", "--verify").code == 0
    assert json.loads(file.read_text()) == {"model": "opus"}
    assert [path.name for path in folder.glob("journal*")] == ["journal.json.corrupt-1"]


@pytest.mark.parametrize("line", ["install codex --dry-run", "uninstall codex --dry-run", "status", "doctor"])
def test_without_a_home_every_command_says_so(
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
def test_many_installations_at_once_are_one(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any]
) -> None:
    file = settings(home)
    before = tree(home)
    program = "import sys; from mind_skills.plugin.cli import run; sys.exit(run(sys.argv[1:]))"
    hosts = ["claude-code", "codex", "gemini", "opencode"]

    def at_once(*lines: list[str]) -> list[int]:
        started = [
            subprocess.Popen([sys.executable, "-c", program, *line], stdout=subprocess.DEVNULL) for line in lines
        ]
        return [child.wait() for child in started]

    assert at_once(*[["install", *hosts]] * 3, *[["install", host] for host in hosts]) == [0] * 7
    assert {event: len(found) for event, found in find_handlers(file.read_text()).items()} == {
        "SessionStart": 1,
        "Stop": 1,
        "SessionEnd": 1,
    }
    assert at_once(*[["uninstall", "--all"]] * 3, *[["uninstall", host] for host in hosts]) == [0] * 7
    assert mind_skills("uninstall", "--all", "--verify").code == 0
    assert tree(home) == before


def test_an_environment_that_uv_throws_away_is_no_place_to_install_from(monkeypatch: pytest.MonkeyPatch) -> None:
    place = "/home/me/.cache/uv/archive-v0/x1/lib/python3.12/site-packages/mind_skills/plugin/command.py"
    monkeypatch.setattr(command, "__file__", place)
    with pytest.raises(MindSkillsError, match="temporary environment of uv"):
        command.find_entry_script()


def test_a_shim_is_no_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_shell_starts_the_program_whatever_its_path_is(tmp_path: Path, path: str) -> None:
    script = tmp_path / path.lstrip("/") / "plugin/entry.py"
    script.parent.mkdir(parents=True)
    script.write_text("import sys; print(sys.argv[1:], sys.flags.isolated, sys.flags.no_site)")
    line = command.make_shell_command(sys.executable, str(script), "codex", "start")
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"{['codex', 'start', *command.list_location_arguments()]} 1 1\n")
    assert command.parse_command(line) == (sys.executable, str(script))


def test_where_interpreter_or_script_are_gone_the_hook_does_not_fail(tmp_path: Path) -> None:
    for line in (
        command.make_shell_command("/nowhere/python", "/x", "codex", "end"),
        command.make_shell_command(sys.executable, "/x", "codex", "end"),
    ):
        assert subprocess.run(["/bin/sh", "-c", line], capture_output=True, check=False).returncode == 0


def test_a_folder_that_another_process_removes_in_that_moment_has_nothing_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "settings"
    folder.mkdir()
    monkeypatch.setattr(os.path, "isdir", _remove_after(folder, os.path.isdir))
    files.remove_leftovers(str(folder / "settings.json"))
    assert not folder.exists()


def test_a_file_in_a_folder_that_another_process_removes_in_that_moment_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings" / "settings.json"
    path.parent.mkdir()
    monkeypatch.setattr(os.path, "isdir", _remove_after(path.parent, os.path.isdir))
    assert files.read_file(str(path)) == files.HostFile(str(path), os.path.realpath(path), None, 0)
    assert not path.parent.exists()


def _remove_after(folder: Path, isdir: Callable[[str], bool]) -> Callable[[str], bool]:
    def is_there(path: str) -> bool:
        there = isdir(path)
        if there and path == os.path.realpath(folder):
            folder.rmdir()
        return there

    return is_there


def test_a_file_that_goes_with_its_folder_in_that_moment_was_changed_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings" / "settings.json"
    path.parent.mkdir()
    path.write_text("{}")
    found = files.read_file(str(path))
    read = files.read_file

    def read_before_it_goes(name: str) -> files.HostFile:
        same = read(name)
        path.unlink()
        path.parent.rmdir()
        return same

    monkeypatch.setattr(files, "read_file", read_before_it_goes)
    with pytest.raises(MindSkillsError, match="changed by another process"):
        files.write(found, None)
