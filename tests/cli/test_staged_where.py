"""`replay --stage` writes only to the current project or the one that --project names, not to one that a log names."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks.recover import register_start
from mind_skills.hooks.session_state import HookCall
from mind_skills.store.home import get_state_folder
from mind_skills.watch.jobs import identify_log, inspect_log
from tests.testkit.paths import DEMO
from tests.testkit.stories import as_codex
from tests.watch.machine import LESSON

Run = Callable[..., Any]
NAME = ".claude/mind-skills-pending.json"


def copy_log_to_project(log: Path, project: Path) -> Path:
    """Copy a log and replace its project with this one."""
    copy = project.parent / f"{project.name}.jsonl"
    copy.write_bytes(log.read_bytes().replace(b'"cwd": "/home/dev/shop"', b'"cwd": "%s"' % str(project).encode()))
    return copy


def test_staging_does_not_write_into_a_folder_that_a_log_names(mind_skills: Run, apart: Path, project: Path) -> None:
    victim = apart / "victim"
    (victim / ".git" / "info").mkdir(parents=True)
    done = mind_skills("replay", copy_log_to_project(DEMO, victim), "--stage")
    assert (done.code, done.err.partition(": ")[2]) == (
        1,
        f"not staged, its project is {victim}. Run the command in the project's folder, or use --project.\n",
    )
    assert sorted(path.name for path in victim.rglob("*")) == [".git", "info"]
    (project / ".git").mkdir()
    (project / "inner").mkdir()
    done = mind_skills("replay", copy_log_to_project(DEMO, project / "inner"), "--stage")
    assert done.err == f"{project}: 1 new, 0 seen before, 0 decided before; 1 on the list.\n"
    assert list((project / "inner").iterdir()) == []


@pytest.mark.parametrize("host", ["codex", "claude-code"])
def test_in_the_folder_of_a_log_below_a_project_without_git_the_log_is_staged_or_the_note_says_how(
    mind_skills: Run, project: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """Codex names the folder in which it was started, Claude Code its project: the hooks use the same project."""
    folder, log = project / "a sub", project.parent / "session.jsonl"
    (project / ".claude").mkdir()
    folder.mkdir()
    text = DEMO.read_text() if host == "claude-code" else as_codex.render_log(LESSON)[0]
    log.write_text(text.replace('"/home/dev/shop"', f'"{folder}"').replace('"/home/dev/project"', f'"{folder}"'))
    owner = identify_log(log)
    assert owner is not None
    assert owner.project == str(project if host == "codex" else folder)
    monkeypatch.chdir(folder)
    done = mind_skills("replay", log, "--stage")
    if host == "claude-code":
        reason = f"not staged, its project is {folder}. Use --project '{folder}'."
        assert (done.code, done.err) == (1, f"{log}: {reason}\n")
        done = mind_skills("replay", log, "--stage", "--project", folder)
    assert (done.code, done.err) == (0, f"{owner.project}: 1 new, 0 seen before, 0 decided before; 1 on the list.\n")


def test_a_file_is_written_into_a_folder_that_only_a_log_names_if_it_is_a_project(
    mind_skills: Run, apart: Path, home: Path
) -> None:
    scenarios = {  # the folder, what it contains, and whether a host has reported the session
        "plain": (apart / "service", "", False, False),
        "work tree": (apart / "shop", ".git/info", False, True),
        "with .claude": (apart / "notes", ".claude", False, True),
        "reported": (apart / "scratch", "", True, True),
        "home": (home, ".git/info", False, False),
        "below a home with dotfiles": (home / ".ssh", "", False, False),
    }
    for number, (folder, content, is_reported, _) in enumerate(scenarios.values()):
        (folder / content).mkdir(parents=True, exist_ok=True)
        session = f"{number:08}-2b1a-4c7e-9f10-0a6de0c0ffee"
        log = apart / f"{session}.jsonl"
        text = DEMO.read_bytes().replace(b"5d0c3f6e-2b1a-4c7e-9f10-0a6de0c0ffee", session.encode())
        log.write_bytes(text.replace(b'"cwd": "/home/dev/shop"', b'"cwd": "%s"' % str(folder).encode()))
        assert inspect_log(get_state_folder(), str(log), 1, paced=False)["problems"] == []
        if is_reported:
            assert register_start(get_state_folder(), HookCall("claude-code", session, str(folder), str(log), 2)) == []
    written = {name: (folder / NAME).exists() for name, (folder, *_) in scenarios.items()}
    assert written == {name: expected for name, (*_, expected) in scenarios.items()}
    done = mind_skills("status", "--json", "--project", apart / "service").json
    told = (
        f"{apart}/service/{NAME} is not written, and candidates are only stored in the state folder: only a session's log names this"
        " folder, and it is no project. Run `git init` or make a folder `.claude` there if you want the file."
    )
    assert done["problems"] == [told]
    (apart / "service/.claude").mkdir()
    checks = mind_skills("doctor", "--json", "--project", apart / "service").json["checks"]
    missing = f"{apart}/service/{NAME} is missing; the database has 1 pending candidate"
    assert [each["text"] for each in checks if each["name"] == "pending"] == [missing]


FOREIGN = (".", "..", "shop", "~/shop", "src/../..", r"C:\Users\dev\shop", "C:/shop", r"\\server\shop")
"""Folders that a log may name, and that are none of this machine although joined to the current one they would be."""


@pytest.mark.parametrize("folder", FOREIGN)
def test_a_relative_folder_or_one_of_windows_is_not_the_current_project(
    mind_skills: Run, repository: Path, tmp_path: Path, folder: str
) -> None:
    log = tmp_path / "5d0c3f6e-2b1a-4c7e-9f10-0a6de0c0ffee.jsonl"
    log.write_bytes(DEMO.read_bytes().replace(b'"cwd": "/home/dev/shop"', b'"cwd": %s' % json.dumps(folder).encode()))
    done = mind_skills("replay", log, "--stage")
    reason = f"not staged, its project is {folder}. Run the command in the project's folder, or use --project."
    assert (done.code, done.err) == (1, f"{log}: {reason}\n")
    assert mind_skills("replay", log, "--remember").err.endswith(
        "(1 without a project, in quarantine until `mind-skills memory trust ID`).\n"
    )
    seen = inspect_log(get_state_folder(), str(log), 1, paced=False)
    assert seen == {"problems": [f"{log}: its project {folder} does not exist on this machine"]}
    assert mind_skills("pending", "--json").json["candidates"] == []


def test_a_learning_of_a_replayed_log_names_that_log(mind_skills: Run, project: Path) -> None:
    """The session is not registered as long as neither a hook nor a watch has seen it."""
    log = copy_log_to_project(DEMO, project)
    mind_skills("replay", log, "--stage")
    (candidate,) = mind_skills("pending", "--json").json["candidates"]
    shown = mind_skills("why", candidate["id"], "--json").json
    assert [sighting["log"] for sighting in shown["seen"]] == [str(log)]
    assert str(log) not in (project / NAME).read_text(encoding="utf-8")


def test_commands_print_one_warning_with_advice_for_a_read_only_project(
    mind_skills: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def create_folder(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("mind_skills.store.atomic._create_folder", create_folder)
    warning = (
        f"mind-skills: the pending file was not updated ({project}/.claude: Permission denied), and candidates are only stored in"
        " the state folder. Check that the path exists and is writable.\n"
    )
    assert mind_skills("replay", copy_log_to_project(DEMO, project), "--stage").err.count(warning) == 1
    assert mind_skills("pending", "--json").err == warning
