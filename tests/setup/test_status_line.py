"""The segment in Claude Code's status line: added only on request, after the user's text, and removed byte for byte."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.setup.doctor.hosts import check_status_line
from mind_skills.setup.install.status_line import StatusLineTarget
from mind_skills.store.project import resolve_project

Run = Callable[..., Any]
THEIRS = 'read -r line; printf \'%s\' "own \\"$(printf \'%s\' "$line" | wc -c)\\" 100%" # mine'
BEFORE = {
    "no settings": None,
    "an empty object": "{}",
    "other settings": '{\n\t"theme": "dark"\n}',
    "the user's own": json.dumps({"statusLine": {"type": "command", "command": THEIRS, "padding": 0}, "x": 1}),
    "comments and escapes": '{ // mine\r\n  "statusLine": {"command": "echo \\u00e9", "type": "command",},\r\n}\r\n',
}


@pytest.fixture
def settings(home: Path) -> Path:
    return home / ".claude/settings.json"


def prepare(settings: Path, before: str) -> None:
    text = BEFORE[before]
    if text is not None:
        settings.parent.mkdir()
        settings.write_bytes(text.encode())


def run_status_line(settings: Path, project: Path) -> str:
    """Run the command of the status line as the client does."""
    command = json.loads(settings.read_text())["statusLine"]["command"]
    payload = json.dumps({"workspace": {"project_dir": str(project)}})
    done = subprocess.run(["sh", "-c", command], input=payload, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize("before", BEFORE)
def test_the_segment_is_added_only_on_request_and_uninstalled_byte_for_byte(
    mind_skills: Run, home: Path, settings: Path, tree: Callable[..., Any], before: str
) -> None:
    prepare(settings, before)
    untouched = tree(home)
    mind_skills("install", "claude-code")
    assert StatusLineTarget().describe_entries(settings.read_bytes()) == []
    without = settings.read_bytes()
    mind_skills("install", "claude-code", "--statusline")
    assert StatusLineTarget().is_current(settings.read_bytes())
    installed = settings.read_bytes()
    mind_skills("install", "claude-code")
    assert settings.read_bytes() == installed
    mind_skills("install", "claude-code", "--no-statusline")
    assert settings.read_bytes() == without
    mind_skills("install", "claude-code", "--statusline")
    assert mind_skills("uninstall", "claude-code", "--verify").code == 0
    assert tree(home) == untouched


@pytest.mark.parametrize("before", ["the user's own", "an empty object"])
def test_the_segment_follows_the_users_text_and_is_empty_if_nothing_is_pending(
    mind_skills: Run, settings: Path, state: Path, tmp_path: Path, learn: Callable[..., Any], before: str
) -> None:
    prepare(settings, before)
    shop, empty = tmp_path / "shop", tmp_path / "empty"
    for folder in (shop, empty):
        (folder / ".git").mkdir(parents=True)
    learn(state, shop)
    mind_skills("install", "claude-code", "--statusline")
    theirs = dict.fromkeys((shop, empty), "")
    if before == "the user's own":
        theirs = {
            folder: f'own "{len(json.dumps({"workspace": {"project_dir": str(folder)}}))}" 100%' for folder in theirs
        }
    joined = f"{theirs[shop]}{' | ' if theirs[shop] else ''}1 learning to review"
    assert (run_status_line(settings, shop), run_status_line(settings, empty)) == (joined, theirs[empty])
    shutil.rmtree(state)
    assert (run_status_line(settings, shop), resolve_project(str(shop)).id != resolve_project(str(empty)).id) == (
        theirs[shop],
        True,
    )


def test_doctor_reports_whether_the_segment_works(mind_skills: Run, settings: Path) -> None:
    def check() -> list[str]:
        return [one.state for one in check_status_line()]

    prepare(settings, "the user's own")
    mind_skills("install", "claude-code")
    assert check() == []
    mind_skills("install", "claude-code", "--statusline")
    assert check() == ["ok"]
    working = settings.read_text()
    settings.write_text(working.replace("MIND_SKILLS_CONFIG=", "MIND_SKILLS_CONFIG=/elsewhere"))
    assert check() == ["note"]
    settings.write_text(working.replace("segment.py", "../plugin/segment.py").replace("plugin/../", "gone/../"))
    assert check() == ["failed"]


def test_the_users_command_is_restored_in_settings_that_the_client_rewrote(mind_skills: Run, settings: Path) -> None:
    prepare(settings, "the user's own")
    mind_skills("install", "claude-code", "--statusline")
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"later": "é"}, indent=4))
    assert mind_skills("uninstall", "claude-code", "--verify").code == 0
    expected: dict[str, Any] = json.loads(BEFORE["the user's own"] or "")
    assert json.loads(settings.read_text()) == expected | {"later": "é"}


def test_a_status_line_of_an_unexpected_form_is_refused_and_unchanged(mind_skills: Run, settings: Path) -> None:
    settings.parent.mkdir()
    settings.write_text('{"statusLine": "fancy"}')
    done = mind_skills("install", "claude-code", "--statusline", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "settings_shape")
    assert json.loads(settings.read_text())["statusLine"] == "fancy"
    assert mind_skills("uninstall", "claude-code", "--verify").code == 0
    assert settings.read_text() == '{"statusLine": "fancy"}'


def test_a_status_line_for_other_hosts_is_refused_before_anything_is_written(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any]
) -> None:
    before = tree(home)
    done = mind_skills("install", "codex", "watch", "--statusline", "--json")
    assert (done.code, done.json["error"]["message"], tree(home)) == (
        2,
        "--statusline is for claude-code, which is not among codex and watch.",
        before,
    )
