"""The content of a pending file decides nothing: git, a colleague or another tool may have written it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mind_skills.store.project import resolve_project
from tests.staging.workbench import Workbench, candidate


def git(*arguments: str | Path, at: Path) -> str:
    environ = {"PATH": os.environ["PATH"], "HOME": str(at.parent), "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main")
    line = ["git", *identity, *map(str, arguments)]
    return subprocess.run(line, cwd=at, env=environ, check=True, capture_output=True, text=True).stdout


def test_a_pull_that_empties_the_pending_file_dismisses_nothing(tmp_path: Path) -> None:
    """Git overwrites an ignored file without a warning if a commit contains one of the same name."""
    with Workbench(tmp_path) as bench:
        upstream, clone = tmp_path / "upstream", tmp_path / "clone"
        git("init", "-q", upstream, at=tmp_path)
        git("commit", "-q", "--allow-empty", "-m", "first", at=upstream)
        git("clone", "-q", upstream, clone, at=tmp_path)
        bench.root, bench.project = clone, resolve_project(str(clone))
        bench.file = clone / ".claude" / "mind-skills-pending.json"
        bench.stage("R", "a", "b", "c", "d", "e")
        ours = bench.written()
        (upstream / ".claude").mkdir()
        (upstream / ".claude" / "mind-skills-pending.json").write_text(json.dumps({**ours, "candidates": []}))
        git("add", "-f", ".claude", at=upstream)
        git("commit", "-qm", "second", at=upstream)
        git("pull", "-q", at=clone)
        assert bench.written()["candidates"] == []
        bench.ledger.update_pending_file(bench.project, 5)
        offer = bench.claim("S")
        assert (
            offer is not None and len(offer.ids),
            bench.states(),
            bench.ledger.list_decision_events(bench.project),
        ) == (5, {}, {})


@pytest.mark.parametrize("whose", ["ours, edited by hand", "put there by somebody else"])
def test_a_candidate_missing_from_the_file_is_not_dismissed_and_is_written_again(bench: Workbench, whose: str) -> None:
    bench.stage("R", "a", "b")
    bench.edit("a", **({} if whose.startswith("ours") else {"token": "1"}))
    bench.ledger.update_pending_file(bench.project, 5)
    assert (sorted(bench.errors()), len(bench.in_file()), bench.states()) == (["a", "b"], 2, {})


def test_an_added_key_is_preserved_only_in_the_file_that_we_wrote_last(bench: Workbench) -> None:
    def added(**more: Any) -> bool:
        whole = bench.written()
        whole["candidates"][0]["note"] = "mine"
        bench.file.write_text(json.dumps({**whole, **more}))
        bench.ledger.update_pending_file(bench.project, 5)
        return "note" in bench.written()["candidates"][0]

    bench.stage("R", "a")
    stale = bench.written()["token"]
    bench.stage("S", "b")
    assert [added(token=stale), added(token="0" * 32), added(), added(token=stale)] == [False, False, True, False]


def test_each_write_has_a_new_random_token(bench: Workbench) -> None:
    seen: list[str] = []
    for number in range(4):
        bench.stage(f"R{number}", f"a{number}")
        seen.append(bench.written()["token"])
    assert (len(set(seen)), {len(token) for token in seen}, all(int(token, 16) for token in seen)) == (4, {32}, True)


def test_our_candidates_in_a_file_with_an_unknown_token_are_not_foreign(bench: Workbench) -> None:
    bench.stage("R", "a")
    whole = bench.written()
    bench.file.write_text(json.dumps({**whole, "token": "f" * 32}))
    bench.ledger.update_pending_file(bench.project, 5)
    assert (bench.written()["candidates"], bench.ledger.list_foreign(bench.project)) == (whole["candidates"], [])


def test_a_withdrawn_candidate_in_an_old_file_is_not_foreign(bench: Workbench) -> None:
    bench.stage("R", "a", "b")
    old = bench.file.read_bytes()
    bench.stage("R", "b")
    bench.file.write_bytes(old)
    assert bench.ledger.list_foreign(bench.project) == []
    bench.ledger.update_pending_file(bench.project, 5)
    assert len(bench.in_file()) == 1


def test_a_thousand_foreign_candidates_are_distinguished_from_ours(bench: Workbench) -> None:
    bench.stage("R", "a")
    many = [{"id": f"x{number}", "title": "t"} for number in range(1000)]
    whole = bench.written()
    bench.file.write_text(
        json.dumps({**whole, "candidates": [*many, *whole["candidates"], {"id": "\ud800", "title": "t"}]})
    )
    assert len(bench.ledger.list_foreign(bench.project)) == 1001
    bench.stage("S", "b")
    assert len(bench.in_file()) == 1003


def test_a_claim_neither_reads_nor_changes_the_pending_file(bench: Workbench) -> None:
    bench.ledger.stage(bench.project, "R", "claude-code", [candidate("a")], 1)
    bench.file.write_bytes(b"{")
    assert bench.claim("S") is not None
    assert bench.file.read_bytes() == b"{"


def test_a_file_with_fields_of_others_stays_when_nothing_of_ours_is_left_in_it(bench: Workbench) -> None:
    bench.stage("R", "a")
    bench.edit(note="mine")
    bench.ledger.dismiss(bench.id("a"), "no", 5)
    assert {name: value for name, value in bench.written().items() if name != "token"} == {
        "version": 1,
        "note": "mine",
        "candidates": [],
    }
    bench.stage("R", "b")
    whole = bench.written()
    del whole["note"]
    bench.file.write_text(json.dumps(whole))
    bench.ledger.dismiss(bench.id("b"), "no", 6)
    assert not bench.file.exists()
