"""The installed code changes during a watch: the watch continues as the new version, or ends."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from mind_skills.cli import watch as command
from mind_skills.errors import MindSkillsError
from mind_skills.watch import watcher
from mind_skills.watch.watcher import UNINSTALL_TIMEOUT, UPGRADE_SETTLE_TIME, InstalledCode
from tests.testkit.paths import ROOT
from tests.watch.machine import Machine

SESSION = "00000000-0000-4000-8000-0000000000a1"
PACKAGES = (
    "cli",
    "detectors",
    "digest",
    "errors",
    "hooks",
    "hosts",
    "learning",
    "memory",
    "observations",
    "output",
    "plugin",
    "redaction",
    "report",
    "settings",
    "setup",
    "staging",
    "store",
    "tasks",
    "watch",
)
SHORT = {
    "watcher.py": {
        "UPGRADE_SETTLE_TIME = 5.0": "UPGRADE_SETTLE_TIME = 0.1",
        "UNINSTALL_TIMEOUT = 60.0": "UNINSTALL_TIMEOUT = 0.3",
    },
}


def install_copy(real: Machine) -> Path:
    """Install a copy of the package with short waits for this machine, and return the folder of its watch."""
    site = real.home / "site"
    for name in PACKAGES:
        shutil.copytree(ROOT / name, site / "mind_skills" / name, ignore=shutil.ignore_patterns("__pycache__"))
    (site / "mind_skills" / "__init__.py").touch()  # otherwise the installed package takes precedence
    # A worker that is starting must not put anything into a folder that is just being removed.
    real.environment |= {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    watch = site / "mind_skills" / "watch"
    for name, words in SHORT.items():
        text = (watch / name).read_text("utf-8")
        for before, now in words.items():
            assert text.count(before) == 1
            text = text.replace(before, now)
        (watch / name).write_text(text, "utf-8")
    return watch


def replace_file(path: Path, text: str) -> None:
    path.with_name("new").write_text(text, "utf-8")
    path.with_name("new").replace(path)


@pytest.mark.process
def test_the_same_process_continues_as_the_new_version_after_an_upgrade(real: Machine) -> None:
    file = install_copy(real) / "watcher.py"
    real.watch()
    replace_file(file, file.read_text("utf-8").replace('"event": "started"', '"event": "started", "message": "new"'))
    real.until(lambda event: event["event"] == "upgraded")
    started = real.until(lambda event: event["event"] == "started")
    assert real.process is not None
    assert (started["message"], real.json("status")["watching"]["pid"]) == ("new", real.process.pid)
    real.write("claude-code", SESSION)
    assert real.wait_for_inspection(SESSION)["candidates"] == 1
    assert real.stop() == 0


@pytest.mark.process
def test_a_watch_ends_when_the_package_is_uninstalled(real: Machine) -> None:
    watch = install_copy(real)
    real.watch()
    shutil.rmtree(watch.parents[1])
    real.until(lambda event: event["event"] == "gone")
    assert real.process is not None
    assert (real.process.wait(), real.read_stderr()) == (0, "")


def test_an_upgrade_is_complete_when_all_files_exist_and_none_changes_any_more(tmp_path: Path) -> None:
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    for file in (one, two):
        file.write_text("old")
    found = InstalledCode([str(one), str(two)])
    assert found.check(1.0) == "same"
    one.unlink()
    two.unlink()
    assert [found.check(2.0), found.check(2.0 + UNINSTALL_TIMEOUT - 0.1)] == ["changing", "changing"]
    one.write_text("other")
    assert [found.check(100.0), found.check(100.0 + UPGRADE_SETTLE_TIME - 0.1)] == ["changing", "changing"]
    two.write_text("other")
    assert [found.check(100.0 + UPGRADE_SETTLE_TIME), found.check(100.0 + 2 * UPGRADE_SETTLE_TIME)] == [
        "changing",
        "other",
    ]


def test_code_missing_one_file_is_another_version_and_code_missing_all_is_gone(tmp_path: Path) -> None:
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    for file in (one, two):
        file.write_text("old")
    found = InstalledCode([str(one), str(two)])
    two.unlink()
    assert [found.check(0.0), found.check(UPGRADE_SETTLE_TIME)] == ["changing", "other"]
    one.unlink()
    assert [found.check(UPGRADE_SETTLE_TIME), found.check(UPGRADE_SETTLE_TIME + UNINSTALL_TIMEOUT)] == [
        "changing",
        "gone",
    ]


def test_code_whose_files_are_put_back_is_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "one.py"
    file.write_text("old")
    found = InstalledCode([str(file)])
    file.rename(tmp_path / "aside")
    assert found.check(0.0) == "changing"
    (tmp_path / "aside").rename(file)
    assert found.check(1.0) == "same"


def test_installed_code_without_a_list_contains_our_loaded_modules() -> None:
    assert watcher.__file__ in InstalledCode()._paths


def test_a_restart_with_a_missing_python_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(MindSkillsError) as failed:
        command._restart()
    message = f"{tmp_path / 'python'} could not be started: No such file or directory"
    assert (failed.value.code, failed.value.message) == ("not_restarted", message)
    assert failed.value.hint == "Start `mind-skills watch` again."
