"""`doctor` with hosts that switch hooks off, hooks that are slow, hang or print, and a faulty machine."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hosts import load_spec
from mind_skills.plugin import command
from mind_skills.setup.doctor import examination, probe
from mind_skills.setup.install import codex_trust, targets


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


def list_problems(mind_skills: Callable[..., Any], host: str) -> list[str]:
    """What `status` says prevents a host's hooks from running."""
    title = f"{load_spec(host).title}: "
    problems = mind_skills("status", "--json").json["problems"]
    assert all(text.startswith(title) for text in problems)
    return [text.removeprefix(title) for text in problems]


ALL = "disables all hooks"
REMOVE = "Remove `disableAllHooks` from that file."
ASK = "disables hooks other than its own -> Ask whoever manages that file; `mind-skills watch` learns without hooks."
WORKSPACE = (
    "disables all hooks in this project -> Remove `hooksConfig.enabled` from that file, or run /hooks enable-all in the client,"
    " if you want hooks there."
)
SIMPLE = "Remove `CLAUDE_CODE_SIMPLE` from `env` in that file, if you want hooks there."
OR_ENABLE = "or run /hooks enable mind-skills in the client."
NAMED = "disables the hooks named mind-skills"
IN_HOME = "~/.claude/remote-settings.json"
LAYERS: dict[str, tuple[str, dict[str, str], list[str]]] = {
    "by the organisation": ("claude-code", {IN_HOME: '{"allowManagedHooksOnly": true}'}, [f"{IN_HOME} {ASK}"]),
    "all, by the organisation": (
        "claude-code",
        {IN_HOME: '{"disableAllHooks": true}', "project/.claude/settings.json": '{"disableAllHooks": false}'},
        [f"{IN_HOME} {ALL} -> {REMOVE}"],
    ),
    "by the machine": (
        "claude-code",
        {"/etc/claude-code/managed-settings.json": '{"allowManagedHooksOnly": true}'},
        [f"/etc/claude-code/managed-settings.json {ASK}"],
    ),
    "by a part of the machine's settings": (
        "claude-code",
        {"/etc/claude-code/managed-settings.d/7.json": '{"allowManagedHooksOnly": true}'},
        [f"/etc/claude-code/managed-settings.d/7.json {ASK}"],
    ),
    "by whoever only allows plugins": (
        "claude-code",
        {IN_HOME: '{"strictPluginOnlyCustomization": true}'},
        [f"{IN_HOME} {ASK}"],
    ),
    "by whoever only allows plugins with hooks": (
        "claude-code",
        {IN_HOME: '{"strictPluginOnlyCustomization": ["skills", "hooks"]}'},
        [f"{IN_HOME} {ASK}"],
    ),
    "by whoever allows hooks": ("claude-code", {IN_HOME: '{"strictPluginOnlyCustomization": ["skills"]}'}, []),
    "by a variable": (
        "claude-code",
        {"project/.claude/settings.json": '{"env": {"CLAUDE_CODE_SIMPLE": "1"}}'},
        [f"project/.claude/settings.json {ALL} in this project -> {SIMPLE}"],
    ),
    "by a variable that says no": (
        "claude-code",
        {"project/.claude/settings.json": '{"env": {"CLAUDE_CODE_SIMPLE": "0"}}'},
        [],
    ),
    "by whoever may not": ("claude-code", {"project/.claude/settings.json": '{"allowManagedHooksOnly": true}'}, []),
    "by nobody": ("claude-code", {IN_HOME: '{"allowManagedHooksOnly": false}'}, []),
    "by a file that is not JSON": ("claude-code", {IN_HOME: "{"}, []),
    "in Gemini's workspace": (
        "gemini",
        {"project/.gemini/settings.json": '{"hooksConfig": {"enabled": false}}'},
        [f"project/.gemini/settings.json {WORKSPACE}"],
    ),
    "on Gemini's machine": (
        "gemini",
        {"/etc/gemini-cli/settings.json": '{"hooksConfig": {"disabled": ["mind-skills"]}}'},
        [
            f"/etc/gemini-cli/settings.json {NAMED} -> Remove mind-skills from `hooksConfig.disabled`, {OR_ENABLE}",
        ],
    ),
    "by default on Gemini's machine, but not in the workspace": (
        "gemini",
        {
            "/etc/gemini-cli/system-defaults.json": '{"hooksConfig": {"enabled": false}}',
            "project/.gemini/settings.json": '{"hooksConfig": {"enabled": true}}',
        },
        [],
    ),
    "by Codex's profile": (
        "codex",
        {"~/.codex/config.toml": 'profile = "work"\nfeatures.hooks = true\n[profiles.work.features]\nhooks = false\n'},
        ["~/.codex/config.toml disables all hooks -> Remove `hooks` from the `features` of that file."],
    ),
    "not by another profile of Codex": (
        "codex",
        {"~/.codex/config.toml": 'profile = "work"\n[profiles.home.features]\nhooks = false\n'},
        [],
    ),
    "on Codex's machine": (
        "codex",
        {"/etc/codex/requirements.toml": "allow_managed_hooks_only = true"},
        [f"/etc/codex/requirements.toml {ASK}"],
    ),
}


@pytest.mark.parametrize("where", LAYERS)
@pytest.mark.usefixtures("without_starting_hooks")
def test_hooks_switched_off_by_others_are_reported(
    home: Path, tmp_path: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    host, contents, expected = LAYERS[where]
    mind_skills("install", host)
    places = {"~/": f"{home}/", "project/": f"{tmp_path}/project/", "/etc/": f"{tmp_path}/etc/"}

    def place(text: str) -> str:
        return next((new + text.removeprefix(old) for old, new in places.items() if text.startswith(old)), text)

    monkeypatch.setattr("mind_skills.setup.doctor.hosts.glob", lambda path: map(str, Path("/").glob(place(path)[1:])))
    for name, content in contents.items():
        Path(place(name)).parent.mkdir(parents=True, exist_ok=True)
        Path(place(name)).write_text(content)
    done = mind_skills("doctor", "--json")
    assert (done.code, list_checks(done.json, "hooks", "failed", host)) == (bool(expected), list(map(place, expected)))
    problems = [place(text).split(" -> ")[0] for text in expected]
    assert mind_skills("install", host, "--json").json["answers"][0]["problem"] == "".join(problems)
    assert list_problems(mind_skills, host) == problems


@pytest.mark.usefixtures("without_starting_hooks")
def test_a_variable_names_geminis_settings_of_the_machine(
    tmp_path: Path, mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "machine.json"
    file.write_text('{"hooksConfig": {"enabled": false}}')
    monkeypatch.setenv("GEMINI_CLI_SYSTEM_SETTINGS_PATH", str(file))
    mind_skills("install", "gemini")
    (text,) = list_checks(mind_skills("doctor", "--json").json, "hooks", "failed", "gemini")
    assert text.startswith(f"{file} disables all hooks -> ")


def make_trust_tables(home: Path, *, old: tuple[str, ...] = (), **values: str) -> str:
    """Codex's record of trust in the installed hooks; in an earlier version of those at the events ``old``."""
    path = home / ".codex/hooks.json"
    hashes = codex_trust.compute_hashes(str(path), path.read_bytes())
    return "".join(
        f'[hooks.state."{key}"]\n{values.get(event, "")}trusted_hash = "{"sha256:0" if event in old else digest}"\n'
        for key, digest in sorted(hashes.items(), key=lambda item: "session_end" in item[0])
        for event in [key.split(":")[1]]
    )


CODEX: dict[str, Callable[[Path], str]] = {
    "disables all hooks -> Remove `hooks` from the `features` of that file.": lambda home: (
        "[features]\nhooks = false\n"
    ),
    "disables all hooks -> Remove `codex_hooks` from the `features` of that file.": lambda home: (
        "[features]\nhooks = true\ncodex_hooks = false\n"
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
    assert list_problems(mind_skills, "codex") == [f"{file} {said}".split(" -> ")[0]]


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
        [f"{file} records that you trust 3 hooks -> "],
    )
    file.write_text(make_trust_tables(home, old=("stop",)))
    (text,) = list_checks(mind_skills("doctor", "--json").json, "trust", "note", "codex")
    assert text.startswith(f"{file} records that you trust an earlier version of the hook at stop -> Start codex and ")
    assert mind_skills("doctor").out.endswith(verdict)
    file.write_text(make_trust_tables(home, old=("stop",)).rpartition("[hooks")[0])
    assert len(list_checks(mind_skills("doctor", "--json").json, "trust", "note", "codex")) == 2
    assert mind_skills("doctor").out.endswith(verdict.replace("the note", "the notes"))


@pytest.mark.parametrize(
    ("event", "group", "expected"),
    [
        ("SessionStart", {"hooks": [{"command": "echo 'é' \"x\"", "timeout": 10}]}, "1faf9e3f8c25ab43"),
        ("SessionStart", {"matcher": "startup", "hooks": [{"command": "c", "timeout": 10}]}, "5e318fb651064631"),
        ("SessionEnd", {"matcher": "other", "hooks": [{"command": "true", "timeout": 30}]}, "87852f6858ae5fdd"),
        ("Stop", {"matcher": "x", "hooks": [{"command": "a"}]}, "c75a850480544f28"),
        ("Stop", {"hooks": [{"command": "b", "timeout": 0, "statusMessage": "hm"}]}, "642f90e98c830cbb"),
    ],
)
def test_hooks_have_the_hashes_that_codex_computes(
    event: str, group: dict[str, Any], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `hooks/list` of Codex 0.169.0 returned them."""
    monkeypatch.setattr(targets, "is_our_handler", lambda handler: True)
    group["hooks"][0]["type"] = "command"
    hashes = codex_trust.compute_hashes("/h", json.dumps({"hooks": {event: [group]}}).encode())
    assert [digest[:23] for digest in hashes.values()] == [f"sha256:{expected}"]


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
def test_an_invalid_settings_file_is_the_only_failure_while_it_disables_the_hooks(
    home: Path, mind_skills: Callable[..., Any]
) -> None:
    mind_skills("install", "claude-code")
    file = home / ".config/mind-skills/mind-skills.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("x = [")
    report = mind_skills("doctor", "--json").json
    assert [(one["name"], one["host"]) for one in report["checks"] if one["state"] == "failed"] == [("settings", "")]
    assert report["latencies"] == []


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
