from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mind_skills.staging.offer import CLOSING, OPENING, claim_offer, could_offer
from mind_skills.store.project import Project
from tests.staging.workbench import Workbench, candidate
from tests.testkit.paths import ROOT


def test_a_claim_for_the_same_session_returns_the_same_bytes(bench: Workbench) -> None:
    bench.stage("R", "a")
    first = bench.claim("S", at=5)
    bench.stage("R", "b")
    again = claim_offer(bench.home, bench.project, "S", 9, ".gemini/skills")
    assert first is not None
    assert again is not None
    assert (again.ids, again.text, again.at) == (first.ids, first.text, 5)
    assert (first.fresh, again.fresh) == (True, False)
    assert first.text.startswith(OPENING)
    assert first.text.endswith(CLOSING)


def test_the_first_session_gets_the_best_five_the_second_the_rest_and_the_third_nothing(bench: Workbench) -> None:
    bench.stage("R", *"abcde", score=1.0)
    bench.stage("Q", *"fgh", score=2.0)
    offers = [claim_offer(bench.home, bench.project, session, 200, limit=9) for session in ("S", "T", "U")]
    assert [len(offer.ids) if offer else None for offer in offers] == [5, 3, None]
    assert {*(offers[0].ids if offers[0] else ())} > {bench.id(anchor) for anchor in "fgh"}


def test_the_pending_file_is_stamped_once_all_its_candidates_were_offered(bench: Workbench) -> None:
    bench.stage("R", *"abcde")
    bench.stage("Q", "f", score=0.5)
    bench.claim("S", at=7)
    bench.ledger.update_pending_file(bench.project, 8)
    times = [c.get("injectedAt") for c in bench.written()["candidates"]]
    assert (times, "injectedAt" in bench.written()) == ([7, 7, 7, 7, 7, None], False)
    bench.claim("T", at=9)
    bench.ledger.update_pending_file(bench.project, 10)
    assert bench.written()["injectedAt"] == 9


def test_a_claim_opens_no_database_if_nothing_is_pending(bench: Workbench, tmp_path: Path) -> None:
    empty = str(tmp_path / "none")
    assert claim_offer(empty, bench.project, "S", 1) is None
    assert not (tmp_path / "none").exists()
    bench.stage("R", "a")
    bench.claim("S")
    assert [could_offer(bench.home, bench.project.id, s) for s in ("S", "T")] == [True, False]


def test_a_claim_removes_a_ready_flag_without_a_candidate(bench: Workbench) -> None:
    bench.stage("R", "a")
    flag = Path(bench.home) / "ready" / bench.project.id
    bench.stage("R")
    flag.touch()
    assert (bench.claim("S"), flag.exists()) == (None, False)


def test_a_session_without_an_id_gets_no_offer(bench: Workbench) -> None:
    bench.stage("R", "a")
    assert bench.claim("") is None


def test_a_withdrawn_offer_can_be_claimed_again_by_its_session(bench: Workbench) -> None:
    bench.stage("R", "a", "b")
    first = bench.claim("S", at=5)
    assert first is not None
    assert [bench.ledger.withdraw_offer("S", 6), bench.ledger.withdraw_offer("S", 7)] == [True, False]
    second = bench.claim("S", at=8)
    assert second is not None
    assert (second.ids, second.at, second.fresh) == (first.ids, 8, True)
    assert bench.claim("T") is None


def test_withdrawing_an_offer_frees_neither_its_decided_candidates_nor_those_of_other_sessions(
    bench: Workbench,
) -> None:
    bench.stage("R", "a")
    bench.claim("S")
    bench.stage("Q", "b", "c")
    bench.claim("T")
    bench.ledger.dismiss(bench.id("b"), "no", 5)
    bench.ledger.withdraw_offer("T", 6)
    rearmed = [
        (receipt.candidate, receipt.session) for receipt in bench.ledger.list_receipts() if receipt.event == "rearmed"
    ]
    offers = [bench.claim(session) for session in ("U", "V")]
    assert (rearmed, [offer and offer.ids for offer in offers]) == ([(bench.id("c"), "T")], [(bench.id("c"),), None])


def test_a_settled_offer_cannot_be_withdrawn(bench: Workbench) -> None:
    bench.stage("R", "a")
    bench.claim("S")
    bench.ledger.apply_verdicts("S", {}, 3)
    assert (bench.ledger.withdraw_offer("S", 4), bench.ledger.withdraw_offer("T", 4), bench.states()) == (
        False,
        False,
        {"a": "ignored"},
    )


def test_worktrees_share_their_pending_candidates(bench: Workbench, tmp_path: Path) -> None:
    bench.stage("R", "a")
    (tmp_path / "tree").mkdir()
    tree = Project(str(tmp_path / "tree"), bench.project.id, "repo", bench.project.git_folder)
    assert claim_offer(bench.home, tree, "S", 1) is not None
    bench.ledger.update_pending_file(tree, 2)
    copy = json.loads((tmp_path / "tree" / ".claude" / bench.file.name).read_bytes())
    assert copy["candidates"] == bench.written()["candidates"]
    assert copy["injectedAt"] == 1


IMPORTS = """
import sys
sys.path[:0] = [sys.argv[4]]
import mind_skills
before = set(sys.modules)
from mind_skills.staging.offer import claim_offer
from mind_skills.store.project import resolve_project
project = resolve_project(sys.argv[2])
nothing = claim_offer(sys.argv[1], project, "S", 5) if sys.argv[3] == "idle" else None
quiet = set(sys.modules) - before
offer = claim_offer(sys.argv[1], project, "S", 5)
print(*sorted(quiet))
print(*sorted(set(sys.modules) - before - quiet))
print(len(offer.ids))
"""


def test_a_claim_imports_only_a_few_modules(bench: Workbench) -> None:
    bench.stage("R", "a")
    shim = str(ROOT / ".dev")
    command = [sys.executable, "-I", "-S", "-c", IMPORTS, bench.home, bench.project.root, "", shim]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    quiet, late, count = (line.split() for line in ran.stdout.splitlines())
    ours = ["errors", "staging", "staging.offer", "staging.start_files"]
    ours += ["store", "store.home", "store.project"]
    assert [name for name in quiet if name not in ("__future__", "_blake2")] == [f"mind_skills.{name}" for name in ours]
    assert [name for name in late if name.startswith("mind_skills")] == [
        "mind_skills.staging.tables",
        "mind_skills.staging.tables.schema",
        "mind_skills.store.database",
        "mind_skills.store.processes",
    ]
    assert not {"dataclasses", "json", "logging", "subprocess", "contextlib", "pathlib"} & set(late)
    assert count == ["1"]


@pytest.mark.process
def test_processes_that_claim_at_once_never_get_the_same_candidate(bench: Workbench) -> None:
    code = (
        "import sys, json\nfrom mind_skills.staging.offer import claim_offer\nfrom mind_skills.store.project import resolve_project\n"
        "sys.stdin.readline()\noffer = claim_offer(sys.argv[1], resolve_project(sys.argv[2]), sys.argv[3], 5)\n"
        "print(json.dumps(list(offer.ids) if offer else []))\n"
    )
    for turn in range(3):
        anchors = [f"{turn}{n}" for n in range(10)]
        bench.ledger.stage(bench.project, f"R{turn}", "codex", [candidate(a) for a in anchors[:5]], turn)
        bench.ledger.stage(bench.project, f"Q{turn}", "codex", [candidate(a) for a in anchors[5:]], turn)
        started = [
            subprocess.Popen(
                [sys.executable, "-c", code, bench.home, bench.project.root, f"S{turn}{n}"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ},
            )
            for n in range(4)
        ]  # fmt: skip
        answers = [process.communicate(b"\n")[0] for process in started]
        got = [id_ for answer in answers for id_ in json.loads(answer)]
        assert sorted(got) == sorted({bench.id(anchor) for anchor in anchors})
        for n in range(4):
            bench.ledger.apply_verdicts(f"S{turn}{n}", {}, 9)


def test_offered_candidates_do_not_keep_new_ones_out_of_the_list(bench: Workbench) -> None:
    for session in "PQ":
        bench.stage(session, *(f"{session}{n}" for n in range(5)), score=3.0)
    assert [len(offer.ids) if (offer := bench.claim(session)) else 0 for session in "ST"] == [5, 5]
    bench.stage("R", "new", score=1.0)
    offer = bench.claim("U", at=300)
    assert offer is not None
    assert (offer.ids, "new" in bench.errors(), len(bench.errors())) == ((bench.id("new"),), True, 10)


def test_shelved_candidates_do_not_return_when_the_ten_best_are_offered(bench: Workbench) -> None:
    for session, score in (("P", 1.0), ("Q", 2.0), ("R", 3.0)):
        bench.stage(session, *(f"{session}{n}" for n in range(5)), score=score)
    offers = [bench.claim(session) for session in "STU"]
    assert [len(offer.ids) if offer else None for offer in offers] == [5, 5, None]
    assert bench.states() == dict.fromkeys((f"P{n}" for n in range(5)), "shelved")


def test_a_session_is_not_offered_a_candidate_that_it_alone_has_seen(bench: Workbench) -> None:
    bench.stage("S", "own", "shared")
    bench.stage("R", "shared")
    own, other = bench.claim("S"), bench.claim("T")
    assert own is not None
    assert other is not None
    assert (own.ids, other.ids) == ((bench.id("shared"),), (bench.id("own"),))


def test_a_failed_read_does_not_use_up_the_offer(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.stage("R", "a")

    def fails(*arguments: Any, **more: Any) -> str:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr("mind_skills.staging.offer.assemble_offer", fails)
        with pytest.raises(OSError, match="Input/output"):
            bench.claim("S")
    offer = bench.claim("S")
    assert offer is not None
    assert offer.ids == (bench.id("a"),)


def test_the_end_of_a_session_preserves_candidates_staged_after_its_offer(bench: Workbench) -> None:
    bench.stage("R", "a")
    bench.claim("S")
    bench.stage("T", "b")
    bench.stage("S", "c")
    bench.ledger.apply_verdicts("S", {bench.id("b"): ("dismissed", "not its to say")}, 9)
    assert (sorted(bench.errors()), bench.states()) == (["b", "c"], {"a": "ignored"})
    assert sorted(bench.in_file()) == sorted([bench.id("b"), bench.id("c")])
