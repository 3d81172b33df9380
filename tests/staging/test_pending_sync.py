from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from mind_skills.store.project import Project
from tests.staging.workbench import Workbench, candidate

OLD = {"id": "sc_abcdef01_0", "title": "Fix: other", "reason": "r", "confidence": "high", "evidence": [], "detectedAt": 1,
       "sessionId": "x"}  # fmt: skip


def write_pending_file(bench: Workbench, data: Any) -> None:
    bench.file.parent.mkdir(exist_ok=True)
    bench.file.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())


def read_other_files(bench: Workbench) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in bench.file.parent.iterdir() if p != bench.file}


def test_the_file_is_readable_by_its_owner_alone_and_excluded_from_git(bench: Workbench) -> None:
    bench.stage("R", "a")
    assert stat.S_IMODE(bench.file.stat().st_mode) == 0o600
    assert (bench.root / ".git" / "info" / "exclude").read_text() == "**/.claude/mind-skills-pending.json*\n"
    assert (read_other_files(bench), bench.ledger.problems) == ({}, [])


def test_the_file_is_written_only_when_its_content_changes(bench: Workbench) -> None:
    bench.stage("R", "a")
    before = bench.file.stat().st_ino
    bench.stage("R", "a", at=999)
    bench.ledger.update_pending_file(bench.project, 5)
    assert bench.file.stat().st_ino == before


def test_an_empty_list_removes_the_file(bench: Workbench) -> None:
    bench.stage("R", "a")
    bench.stage("R")
    assert not bench.file.exists()


def test_deleting_the_file_dismisses_nothing_and_it_is_written_again(bench: Workbench) -> None:
    bench.stage("R", "a")
    before = bench.in_file()
    bench.file.unlink()
    bench.ledger.update_pending_file(bench.project, 5)
    assert (bench.errors(), bench.in_file()) == (["a"], before)


def test_foreign_candidates_stay_with_every_key_and_are_never_offered(bench: Workbench) -> None:
    other = {**OLD, "colour": "red"}
    write_pending_file(bench, {"version": 1, "candidates": [other], "owner": "me"})
    bench.stage("R", "a")
    offer = bench.claim("S")
    assert offer is not None
    assert offer.ids == (bench.id("a"),)
    assert bench.ledger.list_foreign(bench.project) == [other]
    bench.ledger.apply_verdicts("S", {}, 9)
    assert (bench.written()["candidates"], bench.written()["owner"]) == ([other], "me")


def test_two_foreign_candidates_with_one_id_both_stay(bench: Workbench) -> None:
    twins = [OLD, {**OLD, "title": "another"}]
    write_pending_file(bench, {"candidates": twins})
    bench.stage("R", "a")
    assert bench.written()["candidates"][1:] == twins


def test_candidates_of_a_file_that_came_with_the_repository_are_not_offered(bench: Workbench) -> None:
    write_pending_file(bench, {"version": 1, "candidates": [{**OLD, "id": "sc_12345678", "fingerprint": "0" * 32}]})
    bench.ledger.update_pending_file(bench.project, 5)
    assert (bench.errors(), bench.claim("S"), len(bench.ledger.list_foreign(bench.project))) == ([], None, 1)


def test_a_file_of_the_older_tool_is_upgraded(bench: Workbench) -> None:
    write_pending_file(bench, {"candidates": [OLD], "injectedAt": 7})
    bench.ledger.update_pending_file(bench.project, 5)
    assert bench.written() == {
        "version": 1,
        "token": bench.written()["token"],
        "candidates": [{**OLD, "injectedAt": 7}],
        "injectedAt": 7,
    }


def test_keys_added_to_our_candidates_stay_and_changes_of_our_keys_are_reverted(bench: Workbench) -> None:
    bench.stage("R", "a")
    whole = bench.written()
    whole["candidates"][0] |= {"note": "mine", "title": "changed", "injectedAt": 5}
    write_pending_file(bench, whole)
    bench.stage("S", "b")
    first = next(c for c in bench.written()["candidates"] if c["id"] == bench.id("a"))
    assert (first["note"], first["title"], "injectedAt" in first) == ("mine", candidate("a").title, False)


@pytest.mark.parametrize(
    ("data", "kind"),
    [(b"{", "corrupt"), (b'{"version": 9}', "newer"), (b"\xff" * 10, "corrupt"), (b" " * (16 * 2**20 + 1), "corrupt")],
    ids=["cut", "newer", "binary", "huge"],
)
def test_an_unreadable_file_is_moved_aside_with_its_content_and_staging_continues(
    bench: Workbench, data: bytes, kind: str
) -> None:
    for number in (1, 2):
        write_pending_file(bench, data)
        bench.stage("R", "a", f"b{number}")
        assert len(bench.ledger.problems) == number
    aside = {f"mind-skills-pending.json.{kind}-{number}": data for number in (1, 2)}
    assert (read_other_files(bench), sorted(bench.errors())) == (aside, ["a", "b2"])


@pytest.mark.parametrize("what", ["link", "pipe", "folder", "linked folder", "file for a folder"])
def test_a_file_that_must_not_be_written_is_reported_and_candidates_are_staged_and_offered(
    bench: Workbench, tmp_path: Path, what: str
) -> None:
    target, folder = tmp_path / "target", bench.file.parent
    if what == "linked folder":
        target.mkdir()
        folder.symlink_to(target)
    elif what == "file for a folder":
        folder.write_text("")
    else:
        folder.mkdir()
        {
            "link": lambda: bench.file.symlink_to(target),
            "pipe": lambda: os.mkfifo(bench.file),
            "folder": bench.file.mkdir,
        }[what]()
    bench.stage("R", "a")
    assert (bench.errors(), len(bench.ledger.problems), bench.claim("S") is not None) == (["a"], 1, True)
    assert (target.is_file(), list(target.iterdir()) if target.is_dir() else []) == (False, [])


def test_a_read_only_project_is_reported_and_its_candidates_are_staged(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(*arguments: object, **more: object) -> None:
        raise OSError(30, "Read-only file system")

    bench.ledger.stage(Project(str(bench.folder), "0" * 16, "other"), "Q", "codex", [candidate("q")], 1)
    monkeypatch.setattr("mind_skills.store.atomic._create_folder", read_only)
    bench.stage("R", "a")
    assert bench.errors() == ["a"]
    assert bench.ledger.problems == [
        (
            f"the pending file was not updated ({bench.file.parent}: Read-only file system), and candidates are only stored in the"
            " state folder. Check that the path exists and is writable."
        )
    ]


def test_a_decision_in_a_deleted_project_reports_no_problem_and_does_not_recreate_it(bench: Workbench) -> None:
    bench.stage("R", "a")
    shutil.rmtree(bench.root)
    bench.ledger.dismiss(bench.id("a"), "no", 5)
    assert (bench.ledger.problems, bench.root.exists()) == ([], False)
