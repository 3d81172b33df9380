"""The systemd service, with a stub in place of systemctl: the unit file, the calls, and its complete removal."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from mind_skills.hosts import HOST_NAMES
from mind_skills.plugin import command
from tests.watch.machine import Machine

UNIT = ".config/systemd/user/mind-skills-watch.service"


@pytest.fixture
def recorded_calls(machine: Machine, tmp_path: Path) -> Path:
    """The file in which the stub records its arguments."""
    folder, recorded_calls = tmp_path / "bin", tmp_path / "asked"
    folder.mkdir()
    stub = folder / "systemctl"
    stub.write_text(
        f'#!/bin/sh\necho "$*" >>"{recorded_calls}"\n[ ! -e "{recorded_calls}.refuse" ] || {{ echo "no bus" >&2; exit 1; }}\n'
    )
    stub.chmod(0o755)
    machine.environment["PATH"] = f"{folder}:/usr/bin:/bin"
    return recorded_calls


def read_files(home: Path) -> dict[str, bytes]:
    return {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()}


def test_the_service_is_installed_started_and_uninstalled_without_a_trace(
    machine: Machine, recorded_calls: Path
) -> None:
    before, folders = read_files(machine.home), sorted(machine.home.rglob("*"))
    report = machine.json("install", "watch")
    text = (machine.home / UNIT).read_text()
    again = machine.json("install", "watch")
    left = machine.json("uninstall", "watch", "--verify")
    assert [(host["host"], host["files"][0]["action"], host["next"]) for host in report["hosts"]] == [
        ("watch", "create", [])
    ]
    options = " ".join(f'"{option}"' for option in command.list_isolation_options())
    assert f'{options} "-m" "mind_skills.plugin.watch"\n' in text
    assert f'Environment="MIND_SKILLS_HOME={machine.state}"\n' in text
    assert again["hosts"][0]["files"][0]["action"] == "none"
    assert (left["hosts"][0]["files"][0]["action"], left["residue"]) == ("remove", [])
    assert (read_files(machine.home), sorted(machine.home.rglob("*"))) == (before, folders)
    unit = "mind-skills-watch.service"
    said = ["daemon-reload", f"enable --now {unit}", f"disable --now {unit}", "daemon-reload"]
    assert recorded_calls.read_text().splitlines() == [f"--user {words}" for words in said]


def test_a_relative_settings_folder_is_ignored_as_systemd_ignores_it(machine: Machine, recorded_calls: Path) -> None:
    machine.environment["XDG_CONFIG_HOME"] = "settings"
    report = machine.json("install", "watch")
    assert report["hosts"][0]["files"][0]["path"] == str(machine.home / UNIT)
    assert recorded_calls.exists()


def test_a_service_that_systemd_does_not_start_is_reported_with_a_command_to_try_again(
    machine: Machine, recorded_calls: Path
) -> None:
    Path(f"{recorded_calls}.refuse").touch()
    (host,) = machine.json("install", "watch")["hosts"]
    again = "Run `systemctl --user enable --now mind-skills-watch.service` to try again."
    assert host["next"] == ["systemd did not start the service: no bus", again]
    assert (machine.home / UNIT).is_file()


def test_a_foreign_unit_file_of_our_name_is_refused_and_unchanged(machine: Machine, recorded_calls: Path) -> None:
    unit = machine.home / UNIT
    unit.parent.mkdir(parents=True)
    unit.write_text("[Unit]\n")
    done = machine.run("install", "watch", "--json")
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (1, "foreign_file")
    assert machine.json("uninstall", "watch", "--verify")["residue"] == []
    assert (unit.read_text(), recorded_calls.exists()) == ("[Unit]\n", False)


def test_a_unit_file_that_cannot_be_read_is_reported_and_does_not_stop_the_uninstallation_of_the_hosts(
    machine: Machine, recorded_calls: Path
) -> None:
    unit = machine.home / UNIT
    unit.mkdir(parents=True)
    done = machine.run("uninstall", "--all", "--verify", "--json")
    report = json.loads(done.stdout)
    codes = [host["error"] and host["error"]["code"] for host in report["hosts"]]
    assert (done.returncode, codes) == (1, [*[None] * len(HOST_NAMES), "refused_path"])
    assert report["residue"] == [f"{unit} is not a regular file"]
    assert not recorded_calls.exists()


def test_a_dry_run_writes_no_unit_file_and_does_not_call_systemctl(machine: Machine, recorded_calls: Path) -> None:
    before = read_files(machine.home)
    assert machine.json("install", "watch", "--dry-run")["hosts"][0]["files"][0]["action"] == "create"
    assert (read_files(machine.home), recorded_calls.exists()) == (before, False)


def test_uninstalling_everything_removes_the_service(machine: Machine, recorded_calls: Path) -> None:
    machine.json("install", "watch")
    report = machine.json("uninstall", "--all", "--purge", "--verify")
    assert (report["residue"], machine.state.exists(), (machine.home / UNIT).exists()) == ([], False, False)


@pytest.mark.process
def test_a_purge_is_refused_while_a_watch_is_running(real: Machine) -> None:
    real.watch()
    assert real.process is not None
    done = real.run("uninstall", "--all", "--purge", "--json")
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (1, "still_watching")
    assert f"`kill {real.process.pid}`" in json.loads(done.stdout)["error"]["hint"]
    real.stop()
    assert real.run("uninstall", "--all", "--purge").returncode == 0
    assert not real.state.exists()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
@pytest.mark.parametrize("broken", [False, True])
def test_systemd_accepts_the_unit_file_whatever_the_state_folder_is_called(
    machine: Machine, recorded_calls: Path, tmp_path: Path, broken: bool
) -> None:
    machine.environment["MIND_SKILLS_HOME"] = str(tmp_path / "odd 'one' \"two\" 100%n $HOME \\n")
    machine.json("install", "watch")
    unit = machine.home / UNIT
    if broken:
        unit.write_text(unit.read_text().replace("Restart=", "Restrat="))
    line = ["systemd-analyze", "verify", "--man=no", str(unit)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, "Restrat" in done.stderr, done.stderr == "") == (0, broken, not broken)
    assert '/odd \'one\' \\"two\\" 100%%n $HOME \\\\n"\n' in unit.read_text()
