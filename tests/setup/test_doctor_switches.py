"""`doctor` with hosts that switch hooks off, hooks that are slow, hang or print, and a faulty machine."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.plugin import command
from mind_skills.setup.doctor import examination, probe


@pytest.fixture
def without_starting_hooks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not start hooks; for tests of the other checks."""
    monkeypatch.setattr(probe, "measure_hooks", lambda python, hooks: (1.0, []))


def list_checks(report: Any, name: str, make_trust_tables: str, host: str = "") -> list[str]:
    return [
        f"{one['text']} -> {one['mend']}"
        for one in report["checks"]
        if (one["name"], one["state"], one["host"]) == (name, make_trust_tables, host)
    ]


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
@pytest.mark.usefixtures("without_starting_hooks")
def test_hooks_switched_off_in_a_projects_claude_code_settings_are_reported(
    tmp_path: Path, mind_skills: Callable[..., Any], name: str
) -> None:
    file = tmp_path / "project/.claude" / name
    file.parent.mkdir()
    file.write_text('{"disableAllHooks": true}')
    assert mind_skills("doctor", "--json").code == 0
    mind_skills("install", "claude-code")
    done = mind_skills("doctor", "--json")
    assert (done.code, list_checks(done.json, "hooks", "failed", "claude-code")) == (
        1,
        [
            f"{file} disables all hooks in this project -> Remove `disableAllHooks` from that file, if you want hooks there."
        ],
    )


@pytest.mark.usefixtures("without_starting_hooks")
def test_switched_off_hooks_are_reported_if_the_plugin_is_enabled(home: Path, mind_skills: Callable[..., Any]) -> None:
    file = home / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text('{"enabledPlugins": {"mind-skills@x": true}, "disableAllHooks": true}')
    done = mind_skills("doctor", "--json")
    assert (done.code, len(list_checks(done.json, "hooks", "failed", "claude-code"))) == (1, 1)


GEMINI: dict[str, Any] = {
    "disables all hooks -> Remove `hooksConfig.enabled` from that file, or run /hooks enable-all in the client.": {
        "enabled": False
    },
    "disables the hooks named mind-skills -> Remove mind-skills from `hooksConfig.disabled`, or run /hooks enable mind-skills"
    " in the client.": {"disabled": ["other", "mind-skills"]},
}


@pytest.mark.parametrize("said", GEMINI)
@pytest.mark.usefixtures("without_starting_hooks")
def test_hooks_switched_off_in_gemini_settings_are_reported(
    home: Path, mind_skills: Callable[..., Any], said: str
) -> None:
    mind_skills("install", "gemini")
    file = home / ".gemini/settings.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"hooksConfig": GEMINI[said]}))
    done = mind_skills("doctor", "--json")
    assert (done.code, list_checks(done.json, "hooks", "failed", "gemini")) == (1, [f"{file} {said}"])


def make_trust_tables(home: Path, **values: str) -> str:
    events = ("session_start", "stop", "session_end")
    return "".join(
        f'[hooks.state."{home}/.codex/hooks.json:{event}:0:0"]\n{values.get(event, "")}trusted_hash = "sha256:x"\n'
        for event in events
    )


CODEX: dict[str, Callable[[Path], str]] = {
    "disables all hooks -> Remove `hooks` from the [features] table of that file.": lambda home: (
        "[features]\nhooks = false\n"
    ),
    "disables the hook at stop -> Enable the hook in Codex with /hooks.": lambda home: make_trust_tables(
        home, stop="enabled = false\n"
    ),
    "disables the hooks at session_end and stop -> Enable the hooks in Codex with /hooks.": lambda home: (
        make_trust_tables(home, stop="enabled = false\n", session_end="enabled = false\n")
    ),
    "is not valid TOML: Invalid value (at end of document) -> Correct that file.": lambda home: "model = ",
}


@pytest.mark.parametrize("said", CODEX)
@pytest.mark.usefixtures("without_starting_hooks")
def test_hooks_switched_off_in_codex_settings_are_reported(
    home: Path, mind_skills: Callable[..., Any], said: str
) -> None:
    mind_skills("install", "codex")
    file = home / ".codex/config.toml"
    file.write_text(CODEX[said](home))
    done = mind_skills("doctor", "--json")
    assert (done.code, list_checks(done.json, "hooks", "failed", "codex")) == (1, [f"{file} {said}"])


@pytest.mark.usefixtures("without_starting_hooks")
def test_doctor_reports_whether_codex_has_a_record_of_trust_in_the_hooks(
    home: Path, mind_skills: Callable[..., Any]
) -> None:
    mind_skills("install", "codex")
    file = home / ".codex/config.toml"
    verdict = "\nNothing is broken, but Codex skips hooks until you trust them.\nSee the note on trust above.\n"
    all_tables = make_trust_tables(home)
    for tables, hooks in (
        ("", "hooks at session_end, session_start and stop"),
        (all_tables.rpartition("[hooks")[0], "hook at session_end"),
    ):
        file.write_text(tables)
        (text,) = list_checks(mind_skills("doctor", "--json").json, "trust", "note", "codex")
        assert text.startswith(f"{file} has no record that you trust the {hooks} -> Start codex and trust ")
        assert mind_skills("doctor").out.endswith(verdict)
    file.write_text(all_tables)
    assert mind_skills("doctor").out.endswith("\nHealthy.\n")
    report = mind_skills("doctor", "--json").json
    assert (report["healthy"], list_checks(report, "trust", "ok", "codex")) == (
        True,
        [f"{file} records that you trust 3 hooks; Codex asks again if a hook changes -> "],
    )


@pytest.mark.process
def test_a_hook_that_hangs_or_prints_when_started_is_reported(
    home: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe, "TIMEOUT_SECONDS", 0.5)
    mind_skills("install", "codex")
    file = home / ".codex/hooks.json"
    text = file.read_text()
    for word, line in (("end", "; exec sleep 60; true "), ("idle", "; echo hello; true ")):
        text = text.replace(f" codex {word} ", f" codex {word} {line}")
    file.write_text(text)
    report = mind_skills("doctor", "--json").json
    assert list_checks(report, "hooks", "failed", "codex") == [
        "the Stop hook responds although there is nothing to offer: b'hello\\n' -> mind-skills install codex",
        "the SessionEnd hook does not finish within 0 s -> mind-skills install codex",
    ]


@pytest.mark.process
def test_a_slow_hook_is_reported(home: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "MAX_LATENCY_MS", 0.0)
    mind_skills("install", "codex")
    report = mind_skills("doctor", "--json").json
    told = list_checks(report, "latency", "failed", "codex")
    assert len(told) == 3
    assert all(
        text.endswith("-> Run `mind-skills install codex`: the hook may start Python through a version manager's shim.")
        for text in told
    )


@pytest.mark.usefixtures("without_starting_hooks")
def test_a_python_that_is_a_shim_is_reported(
    mind_skills: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shim = tmp_path / "bin/python"
    shim.parent.mkdir()
    shim.write_text('#!/bin/sh\nexec python3 "$@"\n')
    shim.chmod(0o755)
    for name in ("executable", "_base_executable"):
        monkeypatch.setattr(sys, name, str(shim))
    done = mind_skills("doctor", "--json")
    (text,) = list_checks(done.json, "interpreter", "failed")
    assert (done.code, text.split(" -> ")[0]) == (1, f"no Python binary was found to run hooks with: {shim} is not one")


@pytest.mark.usefixtures("without_starting_hooks")
def test_a_missing_entry_script_is_reported(mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "find_entry_script", lambda: "/nowhere/entry.py")
    done = mind_skills("doctor", "--json")
    assert (done.code, list_checks(done.json, "interpreter", "failed")) == (
        1,
        ["/nowhere/entry.py cannot be read -> Install mind-skills again."],
    )


@pytest.mark.usefixtures("without_starting_hooks")
def test_a_file_in_place_of_the_state_folder_is_reported(home: Path, mind_skills: Callable[..., Any]) -> None:
    place = home / ".local/state/mind-skills"
    place.parent.mkdir(parents=True)
    place.write_text("what?")
    done = mind_skills("doctor", "--json")
    assert (done.code, list_checks(done.json, "state", "failed")) == (
        1,
        [f"{place} is not a folder -> Move or rename the file at that path."],
    )
