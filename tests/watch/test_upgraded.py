"""What is installed changes beneath a watch: it goes on as the other version, or ends."""

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


def installed(real: Machine) -> Path:
    """A copy of the package that this machine runs, whose waits are short; the folder of its watch."""
    site = real.home / "site"
    for name in PACKAGES:
        shutil.copytree(ROOT / name, site / "mind_skills" / name, ignore=shutil.ignore_patterns("__pycache__"))
    (site / "mind_skills" / "__init__.py").touch()  # else what is installed here comes before it
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


def other(path: Path, text: str) -> None:
    path.with_name("new").write_text(text, "utf-8")
    path.with_name("new").replace(path)


@pytest.mark.process
def test_after_an_upgrade_the_same_process_goes_on_as_the_new_version(real: Machine) -> None:
    file = installed(real) / "watcher.py"
    real.watch()
    other(file, file.read_text("utf-8").replace('"event": "started"', '"event": "started", "message": "new"'))
    real.until(lambda event: event["event"] == "upgraded")
    started = real.until(lambda event: event["event"] == "started")
    assert real.process is not None
    assert (started["message"], real.json("status")["watching"]["pid"]) == ("new", real.process.pid)
    real.write("claude-code", SESSION)
    assert real.looked(SESSION)["candidates"] == 1
    assert real.stop() == 0


@pytest.mark.process
def test_where_it_is_uninstalled_the_watch_ends(real: Machine) -> None:
    watch = installed(real)
    real.watch()
    shutil.rmtree(watch.parents[1])
    real.until(lambda event: event["event"] == "gone")
    assert real.process is not None
    assert (real.process.wait(), real.said()) == (0, "")


def test_an_upgrade_is_over_when_no_file_changes_any_more(tmp_path: Path) -> None:
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


def test_a_version_that_has_one_of_the_files_no_more_is_another_and_one_with_none_is_gone(tmp_path: Path) -> None:
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


def test_files_that_are_put_back_are_the_same(tmp_path: Path) -> None:
    file = tmp_path / "one.py"
    file.write_text("old")
    found = InstalledCode([str(file)])
    file.rename(tmp_path / "aside")
    assert found.check(0.0) == "changing"
    (tmp_path / "aside").rename(file)
    assert found.check(1.0) == "same"


def test_without_a_list_it_is_all_of_ours_that_is_loaded() -> None:
    assert watcher.__file__ in InstalledCode()._paths


def test_where_its_python_is_gone_as_well_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(MindSkillsError) as failed:
        command._restart()
    message = f"{tmp_path / 'python'} could not be started: No such file or directory"
    assert (failed.value.code, failed.value.message) == ("not_restarted", message)
    assert failed.value.hint == "Start `mind-skills watch` again."
