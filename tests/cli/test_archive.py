"""`mind-skills skills archive`: a skill that came from a candidate is archived whole and restored; other skills are not moved."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mind_skills.learning.outcome import Outcome, OutcomeType
from mind_skills.learning.skills.discovery import find_installed_skills
from mind_skills.output.state import read_clock
from mind_skills.plugin.cli import run
from mind_skills.staging.analyse import analyse
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.sessions import SkillUseRecord
from mind_skills.store.project import resolve_project
from tests.testkit.paths import DEMO

FINE = Outcome("helpful", 0.9, True, 60_000, 0, 0, "succeeded")
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


def record_sessions(place: Path, skill: str, *outcomes: OutcomeType) -> None:
    """Record sessions that finished today with these outcomes, and loaded the skill if one is named."""
    where, at = resolve_project(str(place)), read_clock()
    with Ledger.open(place.parent / "state") as ledger:
        for number, outcome in enumerate(outcomes):
            name = f"{skill}-{number}"
            ledger.register_session(name, "claude-code", where, "", at)
            seen = ledger.find_session(name)
            assert seen is not None
            uses = (
                [SkillUseRecord(skill, str(place / ".claude/skills" / skill / "SKILL.md"), "tool", at)] if skill else []
            )
            ledger.store_analysis(seen, uses, replace(FINE, type=outcome, at=at), at)
            ledger.finish_session(name, at)


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    code = run([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def find_listed(capsys: pytest.CaptureFixture[str], name: str) -> Any:
    """The entry of `skills list` for the only skill of that name."""
    (found,) = [each for each in call(capsys, "skills", "list")[1]["skills"] if each["name"] == name]
    return found


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


def test_archiving_and_restoring_leave_receipts_and_the_candidate_stays_accepted(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["skills", "archive", "exact-decimals"])
    run(["skills", "restore", "exact-decimals"])
    capsys.readouterr()
    with Ledger.open(project.parent / "state") as ledger:
        assert [receipt.event for receipt in ledger.list_receipts()][-3:] == ["accepted", "archived", "restored"]
        assert [record.state for record in ledger.list_history()] == ["accepted"]


def test_a_dry_run_reports_its_plan_and_moves_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, report = call(capsys, "skills", "archive", "exact-decimals", "--dry-run")
    assert (report["dryRun"], report["skills"][0]["target"], report["skills"][0]["at"]) == (
        True, str(project / ARCHIVE), None,
    )  # fmt: skip
    assert (list_skill_names(project), call(capsys, "skills", "archive")[1]["skills"]) == (
        ["by-hand", "exact-decimals"],
        [],
    )
    run(["skills", "archive", "exact-decimals"])
    capsys.readouterr()
    _, report = call(capsys, "skills", "restore", "exact-decimals", "--dry-run")
    assert (report["done"], (project / ARCHIVE).exists(), (project / PLACE).exists()) == ("restored", True, False)


def test_the_commands_printed_about_skills_of_another_project_name_that_project(
    project: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    helpful, harmful = list[OutcomeType](["helpful"] * 9), list[OutcomeType](["harmful"] * 9)
    record_sessions(project, "", *helpful)
    record_sessions(project, "exact-decimals", *harmful)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    option = ["--project", str(project)]
    printed = f"`mind-skills skills archive exact-decimals --project {project}`"
    for words in ([], ["archive"]):
        run(["skills", *words, *option])
        assert printed in capsys.readouterr().out
    reasons = call(capsys, "why", "exact-decimals", *option)[1]["reasons"]
    assert [reason for reason in reasons if "It is failing" in reason and f"Run {printed} to archive it;" in reason]
    run(["skills", "archive", "exact-decimals", *option])
    assert f"`mind-skills skills restore exact-decimals --project {project}`" in capsys.readouterr().out


def test_a_failing_skill_is_proposed_with_a_reason_that_its_archive_entry_repeats(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record_sessions(project, "exact-decimals", "harmful", "harmful")
    assert call(capsys, "status")[1]["proposed"] == []
    record_sessions(project, "exact-decimals", "harmful", "harmful", "harmful")
    why = "3 of 3 sessions that loaded it were harmful (100% after decay, 44% to 100%)"
    assert [each["reason"] for each in call(capsys, "status")[1]["proposed"]] == [why]
    assert [each["reason"] for each in call(capsys, "skills", "archive")[1]["proposed"]] == [why]
    skill = find_listed(capsys, "exact-decimals")
    assert (skill["failing"], skill["proposed"], skill["state"], skill["worth"]) == (why, True, "deprecated", 0.0)
    assert call(capsys, "skills", "archive", "exact-decimals")[1]["skills"][0]["reason"] == why
    assert (call(capsys, "status")[1]["proposed"], run(["status", "-v"])) == ([], 0)
    assert "1 skill archived" in capsys.readouterr().out
    assert run(["skills", "list"]) == run(["why", "exact-decimals"]) == 0
    text = capsys.readouterr().out
    assert (text.count("It is archived."), f"(archived: {project / ARCHIVE})" in text) == (1, True)


def test_a_failing_skill_written_by_hand_is_reported_but_never_proposed_or_archived(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record_sessions(project, "by-hand", "harmful", "harmful", "harmful")
    skill = find_listed(capsys, "by-hand")
    assert (skill["failing"] != "", skill["proposed"], skill["origin"]) == (True, False, None)
    assert run(["skills", "list"]) == 0
    assert "It was not made from a candidate" in capsys.readouterr().out
    code, error = call(capsys, "skills", "archive", "by-hand")
    assert (code, error["error"]["code"]) == (1, "not_ours")
    assert (list_skill_names(project), call(capsys, "skills", "archive")[1]["proposed"]) == (
        ["by-hand", "exact-decimals"],
        [],
    )


def test_a_skill_with_one_harmful_session_of_three_is_deprecated_but_not_failing(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record_sessions(project, "exact-decimals", "helpful", "helpful", "harmful")
    skill = find_listed(capsys, "exact-decimals")
    assert (skill["state"], skill["multiplier"], skill["worth"], skill["failing"]) == ("deprecated", 0.0, 0.5, "")


def test_a_failing_skill_is_not_proposed_where_nearly_all_sessions_fail(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    everywhere: list[OutcomeType] = ["harmful"] * 19
    record_sessions(project, "", *everywhere, "helpful")
    record_sessions(project, "exact-decimals", "harmful", "harmful", "harmful")
    assert call(capsys, "skills", "archive")[1]["proposed"] == []


def test_the_list_shows_a_skills_origin_and_the_hosts_that_read_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    skill = find_listed(capsys, "exact-decimals")
    origin = skill["origin"]
    assert (skill["hosts"], origin["sessions"], origin["host"], origin["acceptedAt"]) == (
        ["claude-code", "opencode"], ["learned"], "claude-code", 2,
    )  # fmt: skip
    assert run(["why", "exact-decimals"]) == 0
    text = capsys.readouterr().out
    assert f"From {origin['candidate']}" in text
    assert "noticed in learned" in text


def test_two_archived_skills_of_one_name_are_restored_by_their_folders(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["skills", "archive", "exact-decimals"])
    write(project / PLACE, {"SKILL.md": b"---\nname: exact-decimals\ndescription: z\n---\nOther.\n"})
    run(["skills", "archive", "exact-decimals"])
    capsys.readouterr()
    code, error = call(capsys, "skills", "restore", "exact-decimals")
    assert (code, error["error"]["code"]) == (1, "ambiguous_skill")
    assert call(capsys, "skills", "restore", str(project / f"{ARCHIVE}-2"))[0] == 0
    code, error = call(capsys, "skills", "restore", str(project / ARCHIVE))
    assert (code, error["error"]["code"]) == (1, "place_taken")
    assert ((project / PLACE / "SKILL.md").read_bytes()[-7:], tree(project / ARCHIVE)["SKILL.md"]) == (
        b"Other.\n", FILES["SKILL.md"],
    )  # fmt: skip


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


def test_a_skill_folder_that_contains_a_second_skill_is_not_archived(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project / PLACE / "inner", {"SKILL.md": b"---\nname: inner\ndescription: y\n---\nBody.\n"})
    code, error = call(capsys, "skills", "archive", str(project / PLACE))
    assert (code, error["error"]["code"]) == (1, "refused_path")


def test_an_unknown_skill_name_is_an_error(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "skills", "archive", "none")[1]["error"]["code"] == "unknown_skill"
    assert call(capsys, "skills", "restore", "none")[1]["error"]["code"] == "not_archived"
    assert call(capsys, "skills", "restore")[0] == 2


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
