"""The plugin's private environment: built next to its final place, once, whole or not at all."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from mind_skills.plugin import environment
from mind_skills.plugin.environment import RETRY_MS, BuildStatus, build
from mind_skills.plugin.environment.build import ensure_environment
from mind_skills.setup.doctor.examination import check_environments
from tests.testkit.paths import ROOT

NOW = 1_700_000_000_000
FAKE = """#!/bin/sh
here={here}
printf '%s\\n' "$*" >>"$here/calls"
case "$*" in
*find_spec*) echo {has} ;;
*'-m venv'*)
    for new; do :; done
    mkdir -p "$new/bin" && cp "$0" "$new/bin/python" && cp "$0" "$new/bin/pip"
    ;;
*'-m pip'*)
    env | grep -E '^(PIP_|PYTHONPATH)' | sort >"$here/environment"
    [ ! -e "$here/offline" ] || {{ cat "$here/offline" >&2; exit 1; }}
    ;;
esac
"""


def fake(folder: Path, has: str = "ensurepip") -> str:
    """A Python that records its arguments; its pip prints the file ``offline`` and fails, if there is one."""
    path = folder / f"python-{has or 'without'}"
    path.write_text(FAKE.format(here=folder, has=has))
    path.chmod(0o755)
    return str(path)


def calls(folder: Path) -> list[str]:
    """The modules that the fake Pythons were asked to run, and the check of their packages."""
    path = folder / "calls"
    lines = path.read_text().splitlines() if path.exists() else []
    words = [re.findall(r"-m (\w+)|(import click)", line) for line in lines]
    return ["".join(found[0]) for found in words if found]


def list_files(data: Path) -> list[str]:
    return sorted(str(path.relative_to(data)) for path in data.rglob("*"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


COMPLETE = ["environment.lock", "venv", "venv/bin", "venv/bin/python", "venv/mind-skills-lock"]
OFFLINE = "ERROR: No matching distribution found for click==8.5.1"


def test_packages_are_installed_from_wheels_only_and_by_hash(tmp_path: Path, data: Path) -> None:
    assert ensure_environment(str(data), NOW, [fake(tmp_path)]) == ""
    (install,) = [
        line for line in (tmp_path / "calls").read_text().splitlines() if "-m pip" in line and "install" in line
    ]
    assert ("--only-binary :all:" in install, "--require-hashes" in install) == (True, True)


def test_an_environment_is_built_once_and_without_scripts_that_name_its_build_folder(
    tmp_path: Path, data: Path
) -> None:
    assert ensure_environment(str(data), NOW, [fake(tmp_path)]) == ""
    assert (list_files(data), environment.is_ready(str(data))) == (COMPLETE, True)
    assert calls(tmp_path) == ["venv", "pip", "import click"]
    assert ensure_environment(str(data), NOW, [fake(tmp_path)]) == ""
    assert len(calls(tmp_path)) == 3


def test_a_failed_build_leaves_nothing_half_built_and_is_retried_after_a_day(tmp_path: Path, data: Path) -> None:
    (tmp_path / "offline").write_text(f"WARNING: retrying\n{OFFLINE}\n")
    message = f"its packages could not be installed: {OFFLINE}"
    assert (
        ensure_environment(str(data), NOW, [fake(tmp_path)])
        == f"the plugin's private environment could not be built: {message}"
    )
    assert list_files(data) == ["environment", "environment.lock"]
    last = environment.read_build_status(str(data))
    assert (last.state, last.at, last.text) == ("failed", NOW, message)
    assert ensure_environment(str(data), NOW + RETRY_MS - 1, [fake(tmp_path)]) == ""
    assert calls(tmp_path) == ["venv", "pip"]
    (tmp_path / "offline").unlink()
    assert ensure_environment(str(data), NOW + RETRY_MS, [fake(tmp_path)]) == ""
    assert list_files(data) == COMPLETE


def test_a_clock_that_was_set_back_does_not_prevent_a_retry(tmp_path: Path, data: Path) -> None:
    (tmp_path / "offline").write_text(OFFLINE)
    ensure_environment(str(data), NOW, [fake(tmp_path)])
    assert environment.is_due(str(data), NOW - 1)


def test_an_environment_of_another_version_is_replaced_and_its_failure_does_not_count(
    tmp_path: Path, data: Path
) -> None:
    ensure_environment(str(data), NOW, [fake(tmp_path)])
    (data / "venv/mind-skills-lock").write_text("0123456789abcdef\n")
    (data / "venv/old").touch()
    environment.write_build_status(str(data), BuildStatus("failed", "0123456789abcdef", NOW, "x"))
    assert ensure_environment(str(data), NOW, [fake(tmp_path)]) == ""
    assert list_files(data) == COMPLETE


def test_an_environment_without_its_interpreter_is_built_again(tmp_path: Path, data: Path) -> None:
    ensure_environment(str(data), NOW, [fake(tmp_path)])
    (data / "venv/bin/python").unlink()
    assert not environment.is_ready(str(data))
    assert ensure_environment(str(data), NOW, [fake(tmp_path)]) == ""
    assert list_files(data) == COMPLETE


def test_only_one_process_builds_at_a_time(tmp_path: Path, data: Path) -> None:
    data.mkdir()
    with (data / "environment.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert ensure_environment(str(data), NOW, [fake(tmp_path)]) == ""
    assert (calls(tmp_path), list_files(data)) == ([], ["environment.lock"])


def test_the_next_build_removes_what_a_dead_builder_left(tmp_path: Path, data: Path) -> None:
    for name in ("venv.new-123/lib", "venv.old-123/lib"):
        (data / name).mkdir(parents=True)
    environment.write_build_status(str(data), BuildStatus("building", environment.read_requirements_digest(), NOW, "x"))
    assert ensure_environment(str(data), NOW, [fake(tmp_path)]) == ""
    assert list_files(data) == COMPLETE


def test_a_builder_killed_during_the_installation_does_not_prevent_the_next_build(tmp_path: Path, data: Path) -> None:
    os.mkfifo(tmp_path / "begun")
    os.mkfifo(tmp_path / "never")
    slow = Path(fake(tmp_path))
    slow.write_text(slow.read_text().replace("*'-m pip'*)", '*\'-m pip\'*) echo >"$here/begun"; cat "$here/never"'))
    code = "import sys; from mind_skills.plugin.environment import build; build.ensure_environment(sys.argv[1], 1, sys.argv[2:])"
    with subprocess.Popen([sys.executable, "-c", code, str(data), str(slow)]) as builder:
        (tmp_path / "begun").read_text()
        assert ensure_environment(str(data), NOW, [str(slow)]) == ""  # the other process is building
        builder.kill()
    (tmp_path / "never").write_text("")  # releases the process that the dead builder started
    assert (environment.read_build_status(str(data)).state, environment.is_ready(str(data))) == ("building", False)
    assert ensure_environment(str(data), NOW, [fake(tmp_path)]) == ""
    assert list_files(data) == COMPLETE


def test_a_python_without_ensurepip_builds_with_its_own_pip_if_no_other_python_has_ensurepip(
    tmp_path: Path, data: Path
) -> None:
    poor, rich = fake(tmp_path, "pip"), fake(tmp_path)
    assert build.choose_python([fake(tmp_path, ""), poor, rich]) == (rich, "ensurepip")
    assert ensure_environment(str(data), NOW, [poor]) == ""
    asked = (tmp_path / "calls").read_text()
    assert ("-m venv --without-pip" in asked, f"-m pip --python {data}/venv.new" in asked) == (True, True)


def test_a_build_without_a_usable_python_names_the_package_to_install(tmp_path: Path, data: Path) -> None:
    missing = str(tmp_path / "nothing")
    message = ensure_environment(str(data), NOW, [missing, fake(tmp_path, "")])
    assert "apt install python3-venv" in message
    assert environment.read_build_status(str(data)).state == "failed"


SECRET = "hunter" + "2" * 14


@pytest.mark.parametrize("before", range(230, 300, 7))
def test_an_error_line_that_is_cut_within_a_password_shows_no_part_of_it(before: int) -> None:
    message = f"ERROR: {'x' * before} https://deploy:{SECRET}@mirror.invalid/simple"
    assert SECRET[:4] not in build._extract_error(message.encode())


def test_an_error_does_not_show_the_password_of_a_package_index(tmp_path: Path, data: Path) -> None:
    (tmp_path / "offline").write_text("ERROR: 403 for https://me:hunter2hunter2@index.example/simple/click\n")
    assert "hunter2" not in ensure_environment(str(data), NOW, [fake(tmp_path)])


def test_pip_uses_the_users_index_and_no_variable_that_puts_packages_elsewhere(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_INDEX_URL", "https://index.example/simple")
    monkeypatch.setenv("PIP_TARGET", "/elsewhere")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    ensure_environment(str(data), NOW, [fake(tmp_path)])
    assert (tmp_path / "environment").read_text() == "PIP_INDEX_URL=https://index.example/simple\n"


def test_only_hooks_of_this_plugin_have_an_environment_and_only_if_the_user_allows_it(tmp_path: Path) -> None:
    ours = {"CLAUDE_PLUGIN_DATA": "/data", "CLAUDE_PLUGIN_ROOT": str(ROOT)}
    assert environment.find_data_folder(ours) == "/data"
    assert environment.find_data_folder(ours | {"CLAUDE_PLUGIN_ROOT": str(tmp_path)}) == ""
    assert environment.find_data_folder({"CLAUDE_PLUGIN_DATA": "/data"}) == ""
    assert environment.find_data_folder(ours | {"CLAUDE_PLUGIN_DATA": "data"}) == ""
    assert environment.find_data_folder(ours | {"MIND_SKILLS_NO_ENVIRONMENT": "1"}) == ""


def test_a_malformed_note_counts_as_no_note(tmp_path: Path) -> None:
    for text in ("", "failed\n", "failed\nx\nyesterday\ny\n"):
        (tmp_path / "environment").write_text(text)
        assert environment.read_build_status(str(tmp_path)).state == ""


def test_the_locked_packages_cover_the_dependencies_in_the_versions_that_the_checks_use() -> None:
    def pins(path: Path) -> dict[str, str]:
        return dict(re.findall(r"^([a-z0-9-]+)==([^ ;]+)", path.read_text(), re.MULTILINE))

    locked, checked = pins(ROOT / "plugin/environment/requirements.txt"), pins(ROOT / "requirements-ci.txt")
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert {re.split(r"[<>=]", name)[0] for name in needed} - locked.keys() == set()
    assert {name: version for name, version in locked.items() if checked.get(name) != version} == {}


def checks(home: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    monkeypatch.setenv("HOME", str(home))
    return [(found.state, found.text) for found in check_environments()]


def test_the_doctor_reports_the_state_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / ".claude/plugins/data/mind-skills-market"
    assert checks(tmp_path, monkeypatch) == []
    data.mkdir(parents=True)
    assert checks(tmp_path, monkeypatch) == []
    environment.write_build_status(str(data), BuildStatus("building", environment.read_requirements_digest(), NOW, "x"))
    message = "the plugin's environment is being built, or its build was interrupted"
    assert checks(tmp_path, monkeypatch) == [("note", message)]
    environment.write_build_status(
        str(data), BuildStatus("failed", environment.read_requirements_digest(), NOW, "no network")
    )
    assert checks(tmp_path, monkeypatch) == [("note", "the plugin's environment could not be built: no network")]
    environment.write_build_status(str(data), None)
    ensure_environment(str(data), NOW, [fake(tmp_path)])
    assert checks(tmp_path, monkeypatch) == [("ok", f"{data}/venv/bin/python has all required packages")]
    (data / "venv/bin/python").unlink()
    assert checks(tmp_path, monkeypatch) == [("note", f"{data}/venv is from another version, or its Python is missing")]


def test_a_purge_removes_our_environment_and_leaves_those_of_other_plugins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mind_skills.setup.install.purging import purge

    monkeypatch.setenv("HOME", str(tmp_path))
    ours, others = (tmp_path / ".claude/plugins/data" / name for name in ("mind-skills-market", "other-market"))
    for folder in (ours, others):
        ensure_environment(str(folder), NOW, [fake(tmp_path)])
        (folder / "venv.new-1").mkdir()
    done, _ = purge(dry_run=True)
    assert set(done.removed) >= {str(ours / name) for name in ("venv", "environment.lock", "venv.new-1")}
    purge()
    assert (ours.exists(), list_files(others)) == (False, sorted([*COMPLETE, "venv.new-1"]))
