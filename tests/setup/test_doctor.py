"""The doctor finds what is broken, and says how to mend it."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hosts import HOST_NAMES as HOSTS
from mind_skills.plugin import VERSION, pausing
from mind_skills.redaction.prefixes import ISSUERS, MARKED_KEYS, SOURCES_DATE
from mind_skills.setup.doctor import probe
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


@pytest.mark.usefixtures("without_starting_hooks")
def test_missing_hooks_are_notes_and_not_faults(mind_skills: Callable[..., Any], home: Path) -> None:
    (home / ".codex").mkdir()
    report = mind_skills("doctor", "--json").json
    assert report["healthy"] is True
    assert list_checks(report, "hooks", "note", "codex") == [
        "this host is on the machine, but our hooks are not installed -> mind-skills install codex"
    ]
    assert list_checks(report, "hooks", "note", "gemini") == ["this host was not found on the machine -> "]


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
    assert mind_skills("status").code == 0


@pytest.mark.usefixtures("without_starting_hooks")
def test_doctor_says_healthy_only_if_a_hook_is_installed(
    mind_skills: Callable[..., Any], home: Path, state: Path, tmp_path: Path, learn: Callable[..., Any]
) -> None:
    last = "No hook is installed: run `mind-skills install`."
    done = mind_skills("doctor")
    assert (done.code, done.out.splitlines()[-2:]) == (0, ["Nothing is broken, but nothing is learned.", last])
    assert "claude-code\tno hooks\t-\t-\t-\n" in done.out
    assert done.out.startswith("mind-skills is not installed, so it is not active in ")
    mind_skills("install", "codex")
    for words, said in (
        (["config", "set", "enabled", "false", "--project"], "switched off"),
        (["config", "set", "enabled", "true", "--project"], "on"),
        (["pause"], "paused"),
        (["resume"], "on"),
    ):
        mind_skills(*words)
        assert mind_skills("doctor").out.splitlines()[0] == f"mind-skills is {said} in {Path.cwd()}"
    assert (mind_skills("doctor").out.splitlines()[-1], mind_skills("doctor", "--json").json["installed"]) == (
        "See the note on trust above.",
        ["codex"],
    )
    learn(state, tmp_path / "project")
    mind_skills("uninstall", "codex")
    report = mind_skills("doctor", "--json").json
    kept = f"no hook is installed; the learned data is in {state}"
    assert list_checks(report, "state", "note") == [f"{kept} -> `mind-skills uninstall --all --purge` removes it."]
    assert (report["healthy"], report["installed"], report["watching"]) == (True, [], False)


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


def remove_stop_hook(text: str) -> str:
    data = json.loads(text)
    del data["hooks"]["Stop"]
    return json.dumps(data)


def duplicate_stop_hook(text: str) -> str:
    data = json.loads(text)
    data["hooks"]["Stop"] *= 2
    return json.dumps(data)


ILL: dict[str, tuple[Callable[[str], str], str]] = {
    "no hook at an event": (remove_stop_hook, "has no hook at Stop -> mind-skills install claude-code"),
    "two hooks at one": (duplicate_stop_hook, "has duplicate hooks at Stop -> mind-skills install claude-code"),
    "another interpreter": (
        lambda text: text.replace('\\"/', '\\"/gone/', 1),
        "does not exist -> mind-skills install claude-code",
    ),
    "another script": (
        lambda text: text.replace("plugin/entry.py", "gone/plugin/entry.py"),
        "does not exist -> mind-skills install claude-code",
    ),
    "all hooks off": (
        lambda text: json.dumps(json.loads(text) | {"disableAllHooks": True}),
        "disables all hooks -> Remove `disableAllHooks` from that file.",
    ),
    "no JSON": (
        lambda text: text[:-5],
        "unexpected end of file -> Correct the file, then run `mind-skills doctor` again.",
    ),
}


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


@pytest.mark.usefixtures("without_starting_hooks")
def test_the_plugin_in_addition_to_the_hooks_is_a_note_and_not_a_fault(
    home: Path, mind_skills: Callable[..., Any]
) -> None:
    mind_skills("install", "claude-code")
    file = home / ".claude/settings.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"enabledPlugins": {"mind-skills@x": True}}))
    done = mind_skills("doctor", "--json")
    (text,) = list_checks(done.json, "hooks", "note", "claude-code")
    assert text.endswith("nothing is offered twice, but one of them is enough -> mind-skills uninstall claude-code")


@pytest.mark.usefixtures("without_starting_hooks")
def test_a_plugin_file_with_a_missing_interpreter_is_reported(home: Path, mind_skills: Callable[..., Any]) -> None:
    mind_skills("install", "opencode")
    file = home / ".config/opencode/plugin/mind-skills.js"
    file.write_text(file.read_text().replace('const PYTHON = "/', 'const PYTHON = "/gone/'))
    (text,) = list_checks(mind_skills("doctor", "--json").json, "hooks", "failed", "opencode")
    assert text.endswith("does not exist -> mind-skills install opencode")


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
def test_a_damaged_database_is_reported_and_unchanged(
    state: Path, tmp_path: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any]
) -> None:
    learn(state, tmp_path / "project")
    damage = b"no database" * 1000
    (state / "mind-skills.db").write_bytes(damage)
    done = mind_skills("doctor", "--json")
    assert (done.code, len(list_checks(done.json, "database", "failed"))) == (1, 1)
    assert (state / "mind-skills.db").read_bytes() == damage


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
def test_a_pending_file_that_differs_from_the_database_is_reported(
    state: Path,
    tmp_path: Path,
    mind_skills: Callable[..., Any],
    learn: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learn(state, tmp_path / "project")
    report = mind_skills("doctor", "--json").json
    assert (
        report["healthy"],
        len(list_checks(report, "pending", "ok")),
        len(list_checks(report, "receipts", "ok")),
    ) == (
        True,
        1,
        1,
    )
    file = tmp_path / "project/.claude/mind-skills-pending.json"
    content = json.loads(file.read_text())
    for change, state_of in (({"candidates": []}, "failed"), ({"candidates": 3}, "failed")):
        file.write_text(json.dumps(content | change))
        assert len(list_checks(mind_skills("doctor", "--json").json, "pending", state_of)) == 1
    file.unlink()
    (text,) = list_checks(mind_skills("doctor", "--json").json, "pending", "failed")
    assert (
        text
        == f"{file} is missing; the database has 1 pending candidate -> Run `mind-skills pending` to update the file."
    )
    monkeypatch.setattr("os.access", lambda path, mode: path != str(file.parent))
    (text,) = list_checks(mind_skills("doctor", "--json").json, "pending", "failed")
    advice = f"Make {file.parent} writable, and run `mind-skills pending`. Until then, candidates are only in the state folder."
    assert text == f"{file} is missing; the database has 1 pending candidate -> {advice}"


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


@pytest.mark.usefixtures("without_starting_hooks")
def test_an_invalid_settings_file_is_to_be_corrected_and_not_changed_by_a_command_that_fails_on_it(
    home: Path, project: Path, mind_skills: Callable[..., Any]
) -> None:
    path = home / ".config/mind-skills/mind-skills.toml"
    path.parent.mkdir(parents=True)
    path.write_text("enabled = maybe\n", encoding="utf-8")
    report = mind_skills("doctor", "--json").json
    wrong = (
        f"{path} is not valid TOML: Invalid value (at line 1, column 11) -> Correct that line, or move the file away."
    )
    assert list_checks(report, "settings", "failed") == [wrong]
    assert list_checks(report, "settings", "note") == [f"disabled in {project} -> Correct {path}."]
    path.write_text("enabled = false\n", encoding="utf-8")
    report = mind_skills("doctor", "--json").json
    command = "mind-skills config set enabled true --project"
    assert list_checks(report, "settings", "note") == [f"disabled in {project} -> {command}"]


@pytest.mark.usefixtures("without_starting_hooks")
def test_wrong_settings_pauses_and_lines_of_the_hooks_log_are_notes(
    state: Path, tmp_path: Path, mind_skills: Callable[..., Any]
) -> None:
    project = tmp_path / "project"
    mind_skills("pause")
    mind_skills("pause", "--project", project)
    (state / "log").mkdir(mode=0o700)
    (state / "log/hooks.log").write_text("first\nlast words\n")
    (state / "log/hooks.log").chmod(0o600)
    (project / ".claude").mkdir()
    (project / ".claude/mind-skills.toml").write_text("enabeld = false\n")
    report = mind_skills("doctor", "--json").json
    assert list_checks(report, "pause", "note") == [
        "paused everywhere -> mind-skills resume",
        f"paused in {project} -> mind-skills resume --project {project}",
    ]
    allowed = "a project's file may only set enabled to false, lengthen idle_seconds and lower the caps"
    path = project / ".claude/mind-skills.toml"
    assert list_checks(report, "settings", "note") == [
        f"enabeld in {path} is not honoured: {allowed} -> Did you mean enabled?"
    ]
    assert "last words" in list_checks(report, "log", "note")[0]
    assert report["healthy"] is True


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


def test_status_shows_a_pause_until_it_is_resumed(tmp_path: Path, mind_skills: Callable[..., Any]) -> None:
    project = tmp_path / "project"
    assert mind_skills("status", "--json").json["paused"] == ""
    assert mind_skills("pause", "--project", project, "--json").json["changed"] is True
    assert mind_skills("pause", "--project", project, "--json").json["changed"] is False
    assert mind_skills("status", "--json").json["paused"] == "project"
    mind_skills("pause")
    told = mind_skills("status", "--json").json
    assert (told["paused"], abs(told["pausedSince"] / 1000 - time.time()) < 600) == ("everywhere", True)
    assert "All projects are paused" in mind_skills("resume", "--project", project).out
    assert (
        "Next: run `mind-skills resume` to continue; mind-skills has been paused everywhere since 20"
        in mind_skills("status").out
    )
    assert ": paused\n" in mind_skills("status").out
    assert "Paused everywhere since" in mind_skills("status", "-v").out
    resumed = {"version": 1, "paused": False, "project": "", "changed": True, "until": None}
    assert mind_skills("resume", "--json").json == resumed
    assert mind_skills("resume").out == "mind-skills was not paused.\n"
    assert mind_skills("status", "--json").json["paused"] == ""


def test_resuming_everywhere_names_the_projects_that_stay_paused(
    mind_skills: Callable[..., Any], tmp_path: Path
) -> None:
    for name in ("project", "shop"):
        (tmp_path / name).mkdir(exist_ok=True)
        mind_skills("pause", "--project", tmp_path / name)
    mind_skills("pause")
    hint = "run `mind-skills resume --project DIR` to end that.\n"
    assert mind_skills("resume").out == f"Resumed, but 2 projects are still paused: {hint}"
    mind_skills("resume", "--project", tmp_path / "shop")
    assert mind_skills("resume").out == f"Only 1 project is paused: {hint}"
    mind_skills("resume", "--project", tmp_path / "project")
    assert mind_skills("resume").out == "mind-skills was not paused.\n"


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
