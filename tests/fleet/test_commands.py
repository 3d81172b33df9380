"""The commands without the extra, and wrong usage."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from errno import ENOSPC
from importlib import util
from pathlib import Path

import pytest

from mind_skills.cli import fleet
from mind_skills.errors import MindSkillsError
from mind_skills.fleet import REPORT_PACKAGES, SCAN_PACKAGES
from mind_skills.fleet.folder import ScanFolder
from tests.testkit.command import CommandResult
from tests.testkit.paths import ROOT


@pytest.mark.parametrize(("command", "needed"), [("scan", SCAN_PACKAGES), ("report", REPORT_PACKAGES)])
def test_a_command_without_the_extra_is_an_error_that_says_what_to_install(
    mind_skills: Callable[..., CommandResult],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    command: str,
    needed: tuple[str, ...],
) -> None:
    monkeypatch.setattr("mind_skills.fleet.find_spec", lambda name: None if name in needed else util.find_spec(name))
    arguments = (tmp_path, "--out", tmp_path / "scan") if command == "scan" else (tmp_path,)
    refused = mind_skills("fleet", command, *arguments, "--json")
    assert (refused.code, refused.json["error"]) == (
        1,
        {
            "code": "extra_missing",
            "message": f"this command needs packages that are not installed: {', '.join(needed)}",
            "hint": "Reinstall mind-skills with the `fleet` extra: in your checkout, run uv tool install '.[fleet]', "
            "or pip install '.[fleet]'.",
        },
    )
    assert not (tmp_path / "scan").exists()


def test_workers_and_a_scheduler_exclude_each_other(mind_skills: Callable[..., CommandResult], tmp_path: Path) -> None:
    command = ("fleet", "scan", tmp_path, "--out", tmp_path / "scan", "--workers", "2", "--scheduler", "tcp://x:1")
    assert mind_skills(*command).code == 2


@pytest.mark.parametrize(
    "limit", [("--memory", "99999999999999999999"), ("--time-limit", "inf"), ("--time-limit", "1e300")]
)
def test_a_limit_that_no_process_can_have_is_wrong_usage(
    mind_skills: Callable[..., CommandResult], tmp_path: Path, limit: tuple[str, str]
) -> None:
    done = mind_skills("fleet", "scan", tmp_path, "--out", tmp_path / "scan", *limit)
    assert (done.code, "is not in the range" in done.err, (tmp_path / "scan").exists()) == (2, True, False)


def test_a_scan_without_its_key_is_not_continued_with_another_key(tmp_path: Path) -> None:
    folder = ScanFolder(str(tmp_path / "scan"))
    (tmp_path / "scan").mkdir()
    (tmp_path / "scan" / "key").write_text("ab" * 32)
    keys = [folder.prepare(with_titles=False) for _ in range(2)]
    (tmp_path / "scan" / "key").unlink()
    with pytest.raises(MindSkillsError) as raised:
        folder.prepare(with_titles=False)
    assert (keys, raised.value.code) == ([b"\xab" * 32] * 2, "no_scan")


def test_a_part_that_cannot_be_written_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = ScanFolder(str(tmp_path / "scan"))
    folder.prepare(with_titles=False)

    def fail(_file: int) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left on device") as failed:
        folder.write_part("a", b"rows")
    assert failed.value.filename == folder.parts


def test_the_documented_examples_can_be_parsed() -> None:
    helps = (each.epilog or "" for each in fleet.command.commands.values())
    text = "\n".join(((ROOT / "docs/fleet.md").read_text(encoding="utf-8"), *helps))
    lines = re.findall(r"^ *(?:find [^\n|]*\| )?mind-skills fleet ((?:scan|report) [^\n`]+)$", text, re.MULTILINE)
    assert len(lines) >= 8
    for line in lines:
        name, *arguments = shlex.split(line, comments=True)
        fleet.command.commands[name].make_context(name, arguments)
