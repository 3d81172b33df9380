"""The doctor finds what is broken, and says how to mend it."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hosts import HOST_NAMES as HOSTS
from mind_skills.hosts import load_spec
from mind_skills.plugin import VERSION, pausing
from mind_skills.redaction.prefixes import ISSUERS, MARKED_KEYS, SOURCES_DATE
from mind_skills.setup.doctor import probe
from mind_skills.setup.install import targets
from tests.testkit.paths import DEMO


@pytest.fixture
def without_starting_hooks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not start hooks; for tests of the other checks."""
    monkeypatch.setattr(probe, "measure_hooks", lambda python, hooks: (1.0, []))


def list_checks(report: Any, name: str, state: str, host: str = "") -> list[str]:
    return [
        f"{one['text']} -> {one['mend']}"
        for one in report["checks"]
        if (one["name"], one["state"], one["host"]) == (name, state, host)
    ]


@pytest.mark.process
def test_doctor_finds_no_fault_with_every_host_installed_and_measures_every_hook(
    tree: Callable[..., Any], home: Path, mind_skills: Callable[..., Any]
) -> None:
    mind_skills("install", *HOSTS)
    before = tree(home)
    done = mind_skills("doctor", "--json")
    report = done.json
    assert [one for one in report["checks"] if one["state"] == "failed"] == []
    assert (done.code, report["healthy"]) == (0, True)
    assert sorted({one["host"] for one in report["latencies"]}) == sorted(HOSTS)
    assert all(one["ms"] > 0 and one["ratio"] > 0 for one in report["latencies"])
    assert {one["host"]: one["verdict"] for one in report["loops"]} == dict.fromkeys(HOSTS, "silent")
    assert tree(home) == before


@pytest.fixture
def without_access(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """A function that denies this process access to a path, as its mode does for any user but root."""

    def deny(denied: Path) -> None:
        access = os.access
        monkeypatch.setattr(
            os, "access", lambda path, mode, **options: path != str(denied) and access(path, mode, **options)
        )

    return deny


@pytest.mark.usefixtures("without_starting_hooks")
def test_a_state_folder_without_access_is_reported_and_does_not_end_the_doctor(
    home: Path,
    mind_skills: Callable[..., Any],
    without_access: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = home / ".local/state/mind-skills"
    state.mkdir(parents=True, mode=0o700)

    def fail(*_: str) -> None:
        raise PermissionError(13, "Permission denied", str(state))

    without_access(state)
    monkeypatch.setattr(pausing, "find_pause_start", fail)
    done = mind_skills("doctor", "--json")
    assert done.code == 1
    assert list_checks(done.json, "state", "failed") == [f"{state} is not readable and writable -> chmod u+rwx {state}"]


@pytest.mark.usefixtures("without_starting_hooks")
def test_a_database_that_cannot_be_written_is_reported(
    home: Path, mind_skills: Callable[..., Any], without_access: Callable[[Path], None]
) -> None:
    mind_skills("memory", "add", "a note")
    path = home / ".local/state/mind-skills/mind-skills.db"
    without_access(path)
    done = mind_skills("doctor", "--json")
    assert done.code == 1
    assert list_checks(done.json, "database", "failed") == [f"{path} is not writable -> chmod u+rw {path}"]


def test_a_command_that_cannot_read_the_state_folder_is_an_error_and_not_an_empty_list(
    home: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    state, read = home / ".local/state/mind-skills", os.listdir
    state.mkdir(parents=True, mode=0o700)

    def fail(path: str) -> list[str]:
        if path == str(state):
            raise PermissionError(13, "Permission denied", path)
        return read(path)

    monkeypatch.setattr(os, "listdir", fail)
    done = mind_skills("memory", "list", "--json")
    assert (done.code, done.json["error"]["message"]) == (1, f"Permission denied: {state}")


@pytest.mark.usefixtures("without_starting_hooks")
def test_a_folder_in_place_of_a_settings_file_is_reported_and_ends_no_command(
    mind_skills: Callable[..., Any], home: Path
) -> None:
    mind_skills("install", "codex", "--no-mcp")
    paths = {"claude-code": home / ".claude/settings.json", "codex": home / ".codex/config.toml"}
    for path in paths.values():
        path.mkdir(parents=True)
    report = mind_skills("doctor", "--json").json
    for host, path in paths.items():
        message = f"{path} is not a regular file -> Remove it, or replace it with a regular file."
        assert list_checks(report, "hooks", "failed", host) == [message]
    problem = f"Codex: {paths['codex']} is not a regular file"
    assert mind_skills("status", "--json").json["problems"] == [problem]


@pytest.mark.usefixtures("without_starting_hooks")
def test_doctor_runs_the_command_that_offers_name(
    mind_skills: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mind_skills("install", "codex")
    beside = Path(sys.executable).with_name("mind-skills")
    assert list_checks(mind_skills("doctor", "--json").json, "command", "ok") == [f"agents can run {beside} -> "]
    other = tmp_path / "bin/mind-skills"
    other.parent.mkdir()
    mend = (
        "Add the folder that contains mind-skills to your shell's PATH, or install it with `uv tool install` or pipx."
    )
    for text, state, said in (
        ("exit 3", "failed", "agents cannot run mind-skills, as they are told to"),
        (
            "echo mind-skills 0.0.1",
            "note",
            f"mind-skills, the command that agents are told to run, is mind-skills 0.0.1; this installation is {VERSION}",
        ),
    ):
        other.write_text(f"#!/bin/sh\n{text}\n")
        other.chmod(0o755)
        monkeypatch.setenv("PATH", f"{other.parent}:/usr/bin:/bin")
        assert list_checks(mind_skills("doctor", "--json").json, "command", state) == [f"{said} -> {mend}"]


def duplicate_stop_hook(text: str) -> str:
    data = json.loads(text)
    data["hooks"]["Stop"] *= 2
    return json.dumps(data)


ILL: dict[str, tuple[Callable[[str], str], str]] = {
    "two hooks at one": (duplicate_stop_hook, "has duplicate hooks at Stop -> mind-skills install claude-code"),
    "another interpreter": (
        lambda text: text.replace('\\"/', '\\"/gone/', 1),
        "does not exist -> mind-skills install claude-code",
    ),
}
"""What transcripts/doctor.txt does not show."""


@pytest.mark.parametrize("what", ILL)
@pytest.mark.usefixtures("without_starting_hooks")
def test_settings_that_prevent_the_hooks_from_working_are_reported(
    home: Path, mind_skills: Callable[..., Any], what: str
) -> None:
    mind_skills("install", "claude-code")
    file = home / ".claude/settings.json"
    spoil, expected = ILL[what]
    file.write_text(spoil(file.read_text()))
    done = mind_skills("doctor", "--json")
    assert done.code == 1
    (text,) = list_checks(done.json, "hooks", "failed", "claude-code")
    assert text.endswith(expected)
    assert mind_skills("status", "--json").json["problems"] == [f"Claude Code: {text.split(' -> ')[0]}"]


UNREADABLE: dict[str, Callable[[Path], object]] = {
    "is not valid JSON: line ": lambda file: file.write_text(f"{file.read_text()},,"),
    "is not valid JSON: it is not valid UTF-8": lambda file: file.write_bytes(b"\xff"),
    "is not a regular file": lambda file: file.rename(file.with_suffix(".old")).with_suffix(".json").mkdir(),
}


@pytest.mark.parametrize("said", UNREADABLE)
@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini"])
@pytest.mark.usefixtures("without_starting_hooks")
def test_status_and_doctor_name_a_hook_file_that_cannot_be_read(
    home: Path, mind_skills: Callable[..., Any], host: str, said: str
) -> None:
    mind_skills("install", host, "--no-mcp")
    file, title = Path(targets.make_target(host).path), load_spec(host).title
    assert file.is_relative_to(home)
    UNREADABLE[said](file)
    (text,) = list_checks(mind_skills("doctor", "--json").json, "hooks", "failed", host)
    assert text.startswith(f"{file} {said}")
    out = " ".join(mind_skills("status").out.split())
    assert f"Hooks: installed in {title} (with a problem, no report yet); not installed in " in out
    assert (
        f"Next: run `mind-skills doctor` to find out how to fix the hooks of {title}. Problem: {title}: {file} " in out
    )
    for journal in (home / ".local/state/mind-skills").rglob("install*"):  # as after an installation by hand
        shutil.rmtree(journal)
    assert f"Hooks: unknown in {title}; not installed in " in mind_skills("status").out
    assert f"{host}: Whether the hooks are installed is unknown" in mind_skills("status", "--verbose").out


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini"])
@pytest.mark.usefixtures("without_starting_hooks")
def test_a_file_to_which_hooks_cannot_be_added_is_reported_before_an_installation(
    home: Path, mind_skills: Callable[..., Any], host: str
) -> None:
    file = Path(targets.make_target(host).path)
    file.parent.mkdir(parents=True, exist_ok=True)
    for text in ("", "{}", '{"hooks": {}}'):
        file.write_text(text)
        assert list_checks(mind_skills("doctor", "--json").json, "hooks", "failed", host) == []
    file.write_text('{"hooks": []}')
    assert list_checks(mind_skills("doctor", "--json").json, "hooks", "failed", host) == [
        f"{file}: hooks is not an object -> Correct the file, then run `mind-skills doctor` again."
    ]


def test_a_hook_that_fails_when_started_is_reported(home: Path, mind_skills: Callable[..., Any]) -> None:
    mind_skills("install", "codex")
    file = home / ".codex/hooks.json"
    file.write_text(file.read_text().replace(" codex end ", " codex end; echo no such thing >&2; true "))
    done = mind_skills("doctor", "--json")
    assert done.code == 1
    assert list_checks(done.json, "hooks", "failed", "codex") == [
        "the SessionEnd hook fails: no such thing -> mind-skills install codex"
    ]
    assert [one["moment"] for one in done.json["latencies"]] == ["start", "idle"]


@pytest.mark.usefixtures("without_starting_hooks")
def test_state_that_other_users_may_read_is_reported(
    state: Path, tmp_path: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    learn(state, tmp_path / "project")
    (state / "ready").chmod(0o755)
    (text,) = list_checks(mind_skills("doctor", "--json").json, "state", "failed")
    assert text == f"other users may access {state / 'ready'} -> chmod -R go= {state}"


@pytest.mark.usefixtures("without_starting_hooks")
def test_an_empty_database_as_a_full_disk_leaves_it_is_intact(home: Path, mind_skills: Callable[..., Any]) -> None:
    path = home / ".local/state/mind-skills/mind-skills.db"
    path.parent.mkdir(parents=True, mode=0o700)
    path.touch(mode=0o600)
    report = mind_skills("doctor", "--json").json
    assert list_checks(report, "database", "failed") == []
    assert list_checks(report, "database", "ok") == [f"{path} is intact -> "]


@pytest.mark.usefixtures("without_starting_hooks")
def test_a_database_of_a_newer_version_is_reported(
    state: Path, tmp_path: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    learn(state, tmp_path / "project")
    sql = sqlite3.connect(state / "mind-skills.db")
    with sql:
        sql.execute("UPDATE versions SET version = 99")
    sql.close()
    (text,) = list_checks(mind_skills("doctor", "--json").json, "database", "failed")
    assert text.endswith("was written by a newer mind-skills -> Upgrade mind-skills.")


@pytest.mark.usefixtures("without_starting_hooks")
def test_a_pending_file_that_cannot_be_written_is_to_be_made_writable(
    state: Path,
    tmp_path: Path,
    mind_skills: Callable[..., Any],
    learn: Callable[..., Any],
    without_access: Callable[[Path], None],
) -> None:
    learn(state, tmp_path / "project")
    file = tmp_path / "project/.claude/mind-skills-pending.json"
    file.unlink()
    without_access(file.parent)
    advice = f"Make {file.parent} writable, and run `mind-skills pending`. Until then, candidates are only in the state folder."
    assert list_checks(mind_skills("doctor", "--json").json, "pending", "failed") == [
        f"{file} is missing; the database has 1 pending candidate -> {advice}"
    ]


@pytest.mark.usefixtures("without_starting_hooks")
def test_a_candidate_whose_state_contradicts_its_last_receipt_is_reported(
    state: Path, tmp_path: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    candidate = learn(state, tmp_path / "project")
    for line in (["dismiss", candidate.id, "--reason", "r"], ["undo"], ["dismiss", candidate.id, "--reason", "s"]):
        assert mind_skills(*line).code == 0
        assert mind_skills("doctor", "--json").json["healthy"] is True
    sql = sqlite3.connect(state / "mind-skills.db")
    with sql:
        sql.execute("UPDATE candidates SET state = 'accepted'")
    sql.close()
    (text,) = list_checks(mind_skills("doctor", "--json").json, "receipts", "failed")
    assert text.startswith(f"{candidate.id} is accepted, but its last receipt is dismissed")


@pytest.mark.parametrize("scope", [[], ["--project", "."]])
def test_a_pause_with_a_length_ends_by_itself(
    state: Path, project: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, scope: list[str]
) -> None:
    now = time.time_ns()
    monkeypatch.setattr("mind_skills.plugin.pausing.time.time_ns", lambda: now)
    report = mind_skills("pause", "2h", *scope, "--json").json
    assert (report["changed"], report["until"] // 60_000) == (True, now // 60_000_000_000 + 120)
    assert mind_skills("pause", "30m", *scope).out.startswith("Paused ")
    assert [mind_skills("status", "--json").json["paused"], pausing.is_paused_here(str(project))] == [
        "project" if scope else "everywhere",
        True,
    ]
    now += 31 * 60_000_000_000
    assert [mind_skills("status", "--json").json["paused"], pausing.is_paused_here(str(project))] == ["", False]
    assert not (state / "paused").exists()
    assert "was not paused" in mind_skills("resume", *scope).out
    assert mind_skills("pause", "soon").code == 2


@pytest.mark.usefixtures("without_starting_hooks")
def test_stored_data_not_checked_against_the_redaction_rules_is_reported_until_a_prune(
    mind_skills: Callable[..., Any], project: Path
) -> None:
    mind_skills("replay", DEMO, "--stage", "--project", project)
    said = "; stored data will be checked against them after the next sessions -> Run `mind-skills prune` to do it now."
    (text,) = list_checks(mind_skills("doctor", "--json").json, "redaction", "note")
    assert text.endswith(said)
    assert mind_skills("prune").code == 0
    assert list_checks(mind_skills("doctor", "--json").json, "redaction", "ok") == [f"{text.removesuffix(said)} -> "]


@pytest.mark.usefixtures("without_starting_hooks")
def test_the_reported_number_of_kinds_of_keys_includes_those_with_a_rule_of_their_own(
    mind_skills: Callable[..., Any], project: Path
) -> None:
    kinds = len({rule.name for rule in (*ISSUERS, *MARKED_KEYS)})
    text = f"{kinds} kinds of API keys and tokens are recognised by their format, as of {SOURCES_DATE} -> "
    assert list_checks(mind_skills("doctor", "--json").json, "redaction", "ok") == [text]
