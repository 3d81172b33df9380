"""Installing and uninstalling restores the home: for every host, whatever its settings contained before."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hosts import HOST_NAMES as HOSTS
from mind_skills.hosts import load_spec
from mind_skills.plugin import command
from mind_skills.setup.install.targets import find_handlers

FILES = {
    "claude-code": ".claude/settings.json",
    "opencode": ".config/opencode/plugin/mind-skills.js",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "antigravity": ".gemini/config/hooks.json",
}
THEIRS = """{
  // what I like
  "model": "opus",
  "hooks": {
    /* somebody else's */
    "SessionStart": [{"matcher": "startup", "hooks": [{"type": "command", "command": "echo hi"}]}],
    "PreToolUse": []
  },
  "unknown to us": [1, 2, 3,], // with a comma too many
}
"""
BEFORE: dict[str, str | None] = {
    "no folder at all": None,
    "a folder without the file": "",
    "an empty file": "\0empty",
    "an empty object": "{}\n",
    "one line": '{"theme":"dark"}',
    "comments, hooks of others, no newline at the end": THEIRS.rstrip("\n"),
    "Windows line ends and a byte order mark": "\ufeff" + THEIRS.replace("\n", "\r\n"),
}
STRICT = """{
  "notes": {
    "enabled": true,
    "SessionStart": [{"type": "command", "command": "echo hi"}],
    "PreToolUse": [{"matcher": "run_command", "hooks": [{"command": "check", "timeout": 5}]}]
  },
  "mind-skills": {"Stop": [{"command": "echo of somebody else"}]}
}
"""
"""A file that Antigravity accepts: it ignores one that is not strict JSON of these types."""
ACCEPTED = {
    "one line": '{"notes":{"Stop":[]}}',
    "comments, hooks of others, no newline at the end": STRICT.rstrip("\n"),
    "Windows line ends and a byte order mark": STRICT.replace("\n", "\r\n"),
}


def prepare(home: Path, host: str, before: str) -> Path:
    file = home / FILES[host]
    text = ACCEPTED.get(before, BEFORE[before]) if host == "antigravity" else BEFORE[before]
    if text is None:
        return file
    folder = file.parent.parent if host == "opencode" else file.parent
    folder.mkdir(parents=True)
    (folder / "something else").write_text("mine")
    if host == "opencode":
        (folder / "opencode.json").write_bytes((text or "{}").encode())
    elif text:
        file.write_bytes(text.removeprefix("\0empty").encode())
        file.chmod(0o640)
    return file


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("host", HOSTS)
def test_uninstalling_restores_the_home_byte_for_byte(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], host: str, before: str
) -> None:
    file = prepare(home, host, before)
    untouched = tree(home)
    assert mind_skills("install", host).code == 0
    assert file.exists()
    assert mind_skills("install", host, "--json").json["hosts"][0]["files"][0]["action"] == "none"
    done = mind_skills("uninstall", host, "--verify", "--json")
    assert (done.code, done.json["residue"]) == (0, [])
    assert tree(home) == untouched


@pytest.mark.parametrize("host", HOSTS)
def test_a_dry_run_shows_the_diff_and_changes_nothing(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any], host: str
) -> None:
    file = prepare(home, host, "an empty object")
    untouched = tree(home)
    done = mind_skills("install", host, "--dry-run")
    assert (done.code, str(file) in done.out, "\n    +" in done.out) == (0, True, True)
    assert tree(home) == untouched
    mind_skills("install", host)
    installed = tree(home)
    assert mind_skills("uninstall", host, "--dry-run").code == 0
    assert tree(home) == installed


def test_install_without_a_host_installs_into_every_host_that_is_found(
    home: Path, tmp_path: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".claude").mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/gemini").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    done = mind_skills("install", "--json")
    assert [(host["host"], host["files"][0]["action"]) for host in done.json["hosts"]] == [
        ("claude-code", "create"),
        ("gemini", "create"),
    ]


def test_install_without_a_host_is_an_error_if_no_host_is_found(mind_skills: Callable[..., Any]) -> None:
    done = mind_skills("install", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "no_host")
    assert (mind_skills("install", "emacs", "--json").json["error"]["code"]) == "no_such_host"
    assert mind_skills("uninstall").code == 2


def test_the_installed_hooks_have_the_events_timeouts_and_arguments_of_the_host(
    home: Path, mind_skills: Callable[..., Any]
) -> None:
    mind_skills("install", "claude-code", "codex", "gemini")
    for host in ("claude-code", "codex", "gemini"):
        found = find_handlers((home / FILES[host]).read_bytes())
        assert {event: ours[0]["timeout"] for event, ours in found.items()} == load_spec(host).timeouts
        assert [shlex.split(ours[0]["command"])[4:] for ours in found.values()] == [
            [host, moment, *command.list_location_arguments(), "||", "true"]
            for moment in load_spec(host).events.values()
        ]


def test_uninstalling_one_host_leaves_the_others_installed(
    home: Path, mind_skills: Callable[..., Any], tree: Callable[..., Any]
) -> None:
    untouched = tree(home)
    mind_skills("install", "codex")
    with_one = tree(home)
    mind_skills("install", "gemini")
    mind_skills("uninstall", "codex", "--verify")
    assert (home / FILES["gemini"]).exists()
    assert not (home / ".codex").exists()
    mind_skills("install", "codex")
    mind_skills("uninstall", "gemini")
    assert {path for path in tree(home) if "mind-skills/" not in path} == {
        path for path in with_one if "mind-skills/" not in path
    }
    assert mind_skills("uninstall", "--all", "--verify").code == 0
    assert tree(home) == untouched


@pytest.mark.parametrize("host", ["claude-code", "gemini"])
def test_uninstalling_preserves_settings_that_were_changed_after_the_install(
    home: Path, mind_skills: Callable[..., Any], host: str
) -> None:
    file = prepare(home, host, "comments, hooks of others, no newline at the end")
    mind_skills("install", host)
    text = file.read_text()
    assert text.count('"model": "opus"') == 1
    file.write_text(text.replace('"model": "opus"', '"model": "sonnet"'))
    assert mind_skills("uninstall", host, "--verify").code == 0
    assert file.read_text() == THEIRS.rstrip("\n").replace("opus", "sonnet")


def test_only_our_hooks_are_removed_from_settings_that_the_host_rewrote(
    home: Path, mind_skills: Callable[..., Any]
) -> None:
    file = prepare(home, "claude-code", "one line")
    mind_skills("install", "claude-code")
    data = json.loads(file.read_text())
    file.write_text(json.dumps(data | {"later": True}, indent=4))
    assert mind_skills("uninstall", "claude-code", "--verify").code == 0
    assert json.loads(file.read_text()) == {"theme": "dark", "later": True}


def test_installed_hooks_are_recognised_without_the_state_folder(home: Path, mind_skills: Callable[..., Any]) -> None:
    file = prepare(home, "claude-code", "one line")
    mind_skills("install", "claude-code")
    for path in sorted((home / ".local/state/mind-skills").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    assert mind_skills("install", "claude-code", "--json").json["hosts"][0]["files"][0]["action"] == "none"
    assert mind_skills("uninstall", "claude-code", "--verify").code == 0
    assert json.loads(file.read_text()) == {"theme": "dark"}


def test_installing_replaces_an_older_hook_and_uninstalling_restores_the_first_settings(
    home: Path, mind_skills: Callable[..., Any]
) -> None:
    file = prepare(home, "codex", "one line")
    mind_skills("install", "codex")
    file.write_text(file.read_text().replace(" -I -S ", " -I "))
    done = mind_skills("install", "codex", "--json")
    assert done.json["hosts"][0]["files"][0]["action"] == "edit"
    assert {event: len(found) for event, found in find_handlers(file.read_bytes()).items()} == dict.fromkeys(
        load_spec("codex").events, 1
    )
    mind_skills("uninstall", "codex", "--verify")
    assert json.loads(file.read_text()) == {"theme": "dark"}


def test_two_settings_folders_of_a_host_are_installed_and_uninstalled_separately(
    home: Path,
    tmp_path: Path,
    mind_skills: Callable[..., Any],
    tree: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mind_skills("install", "claude-code")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "work"))
    mind_skills("install", "claude-code")
    assert (home / ".claude/settings.json").exists()
    assert (tmp_path / "work/settings.json").exists()
    mind_skills("uninstall", "claude-code")
    assert not (tmp_path / "work").exists()
    assert tree(home) == {}


def test_install_is_refused_while_the_plugin_is_enabled(home: Path, mind_skills: Callable[..., Any]) -> None:
    (home / ".claude").mkdir()
    settings = home / ".claude/settings.json"
    settings.write_text('{"enabledPlugins": {"mind-skills@mind-skills": true, "other@x": true}}')
    done = mind_skills("install", "claude-code", "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "installed_as_plugin")
    settings.write_text('{"enabledPlugins": {"mind-skills@mind-skills": false}}')
    assert mind_skills("install", "claude-code").code == 0
