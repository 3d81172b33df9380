"""`mind-skills skills archive`: a skill that came from a candidate is archived whole and restored; other skills are not moved."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mind_skills.learning.skills.discovery import find_installed_skills
from mind_skills.plugin.cli import run
from mind_skills.staging.analyse import analyse
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from tests.testkit.paths import DEMO

PLACE = ".claude/skills/exact-decimals"
ARCHIVE = ".claude/mind-skills-archive/exact-decimals"
FILES = {
    "SKILL.md": b"---\nname: exact-decimals\ndescription: x\n---\nBody.\n",
    "references/deep/a.bin": bytes(range(256)),
}


def write(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(autouse=True)
def _skills(repository: Path, state: Path) -> None:
    """A project with a skill that came from a candidate, and one written by hand."""
    place = repository
    write(place / PLACE, FILES)
    (place / PLACE / "run.sh").touch(0o755)
    write(place / ".claude/skills/by-hand", {"SKILL.md": b"---\nname: by-hand\ndescription: y\n---\nBody.\n"})
    with Ledger.open(state) as ledger:
        where = resolve_project(str(place))
        (id_,) = ledger.stage(where, "learned", "claude-code", analyse(DEMO).candidates, 1).new
        ledger.accept(id_, str(place / PLACE / "SKILL.md"), 2, where)


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    code = run([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def list_skill_names(place: Path) -> list[str]:
    return sorted(skill.name for skill in find_installed_skills(str(place)).skills)


def test_an_archived_skill_is_hidden_from_hosts_and_restored_byte_for_byte(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, mode = tree(project / PLACE), (project / PLACE / "run.sh").stat().st_mode
    code, report = call(capsys, "skills", "archive", "exact-decimals", "--reason", "superseded")
    (moved,) = report["skills"]
    assert (code, report["done"], moved["target"], moved["reason"]) == (
        0, "archived", str(project / ARCHIVE), "superseded",
    )  # fmt: skip
    assert (tree(project / ARCHIVE), (project / PLACE).exists(), list_skill_names(project)) == (
        before,
        False,
        ["by-hand"],
    )
    assert [each["name"] for each in call(capsys, "skills", "archive")[1]["skills"]] == ["exact-decimals"]
    assert call(capsys, "status")[1]["archived"] == 1
    code, report = call(capsys, "skills", "restore", "exact-decimals")
    assert (code, report["done"], tree(project / PLACE)) == (0, "restored", before)
    assert (project / PLACE / "run.sh").stat().st_mode == mode
    assert ((project / ARCHIVE).parent.exists(), list_skill_names(project)) == (False, ["by-hand", "exact-decimals"])
    assert call(capsys, "skills", "archive")[1]["skills"] == []


def test_undo_restores_an_archived_skill_and_only_then_reverts_its_acceptance(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tree(project / PLACE)
    call(capsys, "skills", "archive", "exact-decimals", "--reason", "superseded")
    code, would = call(capsys, "undo", "--dry-run")
    assert (code, would["done"], would["subject"], would["id"]) == (0, "would_undo", "skill", "exact-decimals")
    (project / PLACE).mkdir()
    code, error = call(capsys, "undo")
    assert (code, error["error"]["code"], tree(project / ARCHIVE)) == (1, "place_taken", before)
    (project / PLACE).rmdir()
    assert call(capsys, "undo") == (0, would | {"done": "undone"})
    assert (tree(project / PLACE), call(capsys, "skills", "archive")[1]["skills"]) == (before, [])
    code, undone = call(capsys, "undo")
    assert (code, undone["subject"], undone["what"], undone["state"]) == (0, "candidate", "accepted", "pending")


@pytest.mark.parametrize("place", ["", ".claude/skills", PLACE, f"{PLACE}/SKILL.md"])
def test_archiving_through_a_symbolic_link_is_refused(
    project: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    path = project / (place or ".claude/mind-skills-archive")
    elsewhere = project / "elsewhere"
    if place:
        path.rename(elsewhere)
    else:
        elsewhere.mkdir()
    path.symlink_to(elsewhere)
    before = tree(project)
    code, error = call(capsys, "skills", "archive", str(project / PLACE))
    assert (code, error["error"]["code"], tree(project) == before) == (1, "refused_path", True), error
    assert call(capsys, "skills", "archive")[1]["skills"] == []


@pytest.mark.process
def test_only_one_of_four_processes_that_archive_a_skill_at_once_succeeds(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = tree(project / PLACE)
    line = [
        sys.executable,
        "-c",
        "from mind_skills.plugin.cli import main; main()",
        "skills",
        "archive",
        "exact-decimals",
    ]
    pipe = subprocess.PIPE
    running = [subprocess.Popen(line, env=dict(os.environ), stdout=pipe, stderr=pipe) for _ in range(4)]
    said = [process.communicate() for process in running]
    assert sorted(process.returncode for process in running) == [0, 1, 1, 1], said
    assert b"Traceback" not in b"".join(part for pair in said for part in pair)
    assert len(call(capsys, "skills", "archive")[1]["skills"]) == 1
    assert tree(project / ARCHIVE) == whole or tree(project / f"{ARCHIVE}-2") == whole


KILLED = """
import os, signal, sys
from mind_skills.learning.skills import archive
from mind_skills.staging.ledger import Ledger
from mind_skills.plugin.cli import run
def die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)
where, name = sys.argv[1], sys.argv[2]
if where == "before": archive.move_skill = die
if where == "after":
    Ledger.record_archived = die
    Ledger.record_restored = die
run(["skills", sys.argv[3], name])
"""


@pytest.mark.process
@pytest.mark.parametrize("where", ["before", "after"])
@pytest.mark.parametrize("way", ["archive", "restore"])
def test_a_killed_archive_or_restore_leaves_the_skill_in_one_place_and_can_be_continued(
    project: Path, capsys: pytest.CaptureFixture[str], where: str, way: str
) -> None:
    whole = tree(project / PLACE)
    if way == "restore":
        run(["skills", "archive", "exact-decimals"])
    line = [sys.executable, "-c", KILLED, where, "exact-decimals", way]
    assert subprocess.run(line, env=dict(os.environ), check=False).returncode == -signal.SIGKILL
    capsys.readouterr()
    archived = (where == "after") != (way == "restore")
    assert [place for place in (PLACE, ARCHIVE) if (project / place).exists()] == [ARCHIVE if archived else PLACE]
    assert len(call(capsys, "skills", "archive")[1]["skills"]) == archived
    assert run(["skills", "restore" if archived else "archive", "exact-decimals"]) == 0
    if not archived:
        assert run(["skills", "restore", "exact-decimals"]) == 0
    assert tree(project / PLACE) == whole
