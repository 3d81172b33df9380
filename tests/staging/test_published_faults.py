"""Faults of the published plugin in staging, found in its code and in the real client, which must not come back.

"It" in the docstrings is that plugin.
"""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from mind_skills.errors import StoreError
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.offer import claim_offer
from tests.staging.workbench import Workbench, candidate


def test_each_session_in_one_process_is_offered_what_the_session_before_staged(bench: Workbench) -> None:
    """Its flag "injected" was never reset, so that only the first session of a process was offered anything."""
    told: list[str] = []
    for number in range(3):
        bench.stage(f"S{number}", f"learned in {number}")
        offer = bench.claim(f"S{number + 1}", at=number)
        assert offer is not None
        told += offer.ids
        bench.ledger.apply_verdicts(f"S{number + 1}", {}, number)
    assert told == [bench.id(f"learned in {number}") for number in range(3)]


def test_a_failed_read_does_not_use_up_the_offer(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its flag was set before the file was read: after a transient error, nothing was offered."""
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


def test_a_database_that_cannot_be_opened_does_not_use_up_the_offer(bench: Workbench) -> None:
    bench.stage("R", "a")
    bench.ledger.close()
    database = Path(bench.home) / "mind-skills.db"
    database.rename(database.with_suffix(".away"))
    database.mkdir()
    with pytest.raises(StoreError):
        bench.claim("S")
    database.rmdir()
    database.with_suffix(".away").rename(database)
    assert bench.claim("S") is not None


def test_the_end_of_a_session_preserves_candidates_staged_after_its_offer(bench: Workbench) -> None:
    """At idle it deleted the file, with what other sessions had staged since the injection."""
    bench.stage("R", "a")
    bench.claim("S")
    bench.stage("T", "b")
    bench.stage("S", "c")
    bench.ledger.apply_verdicts("S", {bench.id("b"): ("dismissed", "not its to say")}, 9)
    assert (sorted(bench.errors()), bench.states()) == (["b", "c"], {"a": "ignored"})
    assert sorted(bench.in_file()) == sorted([bench.id("b"), bench.id("c")])


def test_a_session_that_was_offered_nothing_ends_without_clearing_anything(bench: Workbench) -> None:
    bench.stage("R", "a")
    assert (bench.ledger.apply_verdicts("S", {}, 9), bench.errors()) == ([], ["a"])


def test_an_offer_is_settled_only_once(bench: Workbench) -> None:
    bench.stage("R", "a", "b")
    bench.claim("S")
    changes = [len(bench.ledger.apply_verdicts("S", {bench.id("a"): ("accepted", "/s")}, at)) for at in (5, 6, 7)]
    assert (changes, bench.states()) == ([2, 0, 0], {"a": "accepted", "b": "ignored"})


def test_a_skill_written_after_the_first_end_still_counts(bench: Workbench) -> None:
    bench.stage("R", "a")
    bench.claim("S")
    bench.ledger.apply_verdicts("S", {}, 5)
    bench.ledger.apply_verdicts("S", {bench.id("a"): ("accepted", "/s")}, 6)
    assert bench.states() == {"a": "accepted"}


def test_parallel_staging_loses_no_candidate(bench: Workbench) -> None:
    """It read, changed and wrote the file without a lock: of parallel writers, the last one won."""

    def work(number: int) -> None:
        with Ledger.open(bench.home, timeout=60) as ledger:
            ledger.stage(bench.project, f"S{number}", "codex", [candidate(f"a{number}")], number)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(bench.in_file()) == sorted(bench.id(f"a{n}") for n in range(9))


def test_a_crash_in_the_middle_of_a_write_leaves_the_whole_old_file(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its writes were not atomic."""
    bench.stage("R", "a")
    before = bench.file.read_bytes()

    def dies(*arguments: Any, **more: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(os, "replace", dies)
        with pytest.raises(KeyboardInterrupt):
            bench.stage("S", "b")
    assert (bench.file.read_bytes(), sorted(bench.errors())) == (before, ["a", "b"])
    bench.stage("S", "b")
    assert len(json.loads(bench.file.read_bytes())["candidates"]) == 2


def test_two_learnings_with_equal_titles_are_two_candidates(bench: Workbench) -> None:
    """It took the lower-cased title for identity, and tool titles are alike."""
    found = [candidate("first cause", title="Fix: npm test"), candidate("second cause", title="Fix: npm test")]
    bench.ledger.stage(bench.project, "S", "codex", found, 5)
    assert len(bench.ledger.list_pending(bench.project)) == 2


def test_one_learning_with_two_titles_is_one_candidate(bench: Workbench) -> None:
    for session, title in (("S", "Fix: npm test"), ("T", "Fix: npm run test")):
        bench.ledger.stage(bench.project, session, "codex", [candidate("one cause", title=title, session=session)], 5)
    assert len(bench.ledger.list_pending(bench.project)) == 1


def test_an_offer_does_not_drop_candidates_that_are_still_pending(bench: Workbench) -> None:
    """Once injectedAt was set, the next merge dropped all waiting candidates, injected or not."""
    bench.stage("R", *"abcde", score=2.0)
    bench.stage("Q", "f")
    bench.claim("S")
    bench.stage("T", "g")
    offer = claim_offer(bench.home, bench.project, "U", 9)
    assert offer is not None
    assert {*offer.ids} == {bench.id("f"), bench.id("g")}


def test_a_better_candidate_enters_a_full_list_first(bench: Workbench) -> None:
    """It merged the waiting ones first and cut at ten, so that a full list never changed."""
    bench.stage("R", *"abcde")
    bench.stage("S", *"fghij")
    bench.stage("T", "best", score=5.0)
    assert bench.errors()[0] == "best"
