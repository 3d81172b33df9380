"""Every target keeps its promises over its seeds, over what once broke one, and over the same mutations in every run."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import seeds
from tests.fuzz.mutation import mutated
from tests.fuzz.target import LONGEST, BrokenPromiseError, TooSlowError, bounded, furnished, promise
from tests.fuzz.targets import TARGETS
from tests.testkit.examples import WHOLE
from tests.testkit.paths import FIXTURES

FOUND = Path(__file__).parent / "found"
ROUNDS, BEGUN = (25, 12) if WHOLE else (5, 5)
"""Mutations of each target, and seeds that they begin with."""


def _blind(data: bytes, most: int) -> bytes:
    """What a fuzzer's own mutation does, in little: some bytes are others."""
    random = Random(data)
    changed = bytearray(data or b"\x00")
    for _ in range(3):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed[:most])


@pytest.fixture(autouse=True)
def _own_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in furnished(tmp_path).items():
        monkeypatch.setenv(name, value)
    for name in ("CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(seeds, "SHARED", tmp_path / "no recordings")
    monkeypatch.chdir(tmp_path)


@pytest.mark.process
@pytest.mark.parametrize("name", TARGETS)
def test_a_target_meets_its_promises_on_its_seeds_and_some_mutations(name: str) -> None:
    target = TARGETS[name]
    begun = list(islice(target.seeds(), BEGUN))
    for data in begun:
        with bounded():
            target.check(data)
    for seed in range(ROUNDS):
        data = mutated(begun[seed % len(begun)], LONGEST, seed, _blind, target.words)
        with bounded():
            target.check(data)


@pytest.mark.parametrize("path", sorted(FOUND.glob("*/*")), ids=lambda path: f"{path.parent.name}: {path.stem}")
def test_inputs_that_broke_a_promise_before_no_longer_do(path: Path) -> None:
    with bounded():
        TARGETS[path.parent.name].check(path.read_bytes())


def test_a_mutation_depends_on_the_seed_only_and_is_bounded() -> None:
    data = (FIXTURES / "demo/session.jsonl").read_bytes()
    first = [mutated(data, 40_000, seed, _blind) for seed in range(60)]
    assert first == [mutated(data, 40_000, seed, _blind) for seed in range(60)]
    assert max(map(len, first)) <= 40_000
    assert len(set(first)) > 50  # nearly every one is another


def test_most_mutations_of_a_log_are_still_json_lines_that_parse() -> None:
    from mind_skills.observations.read import read_session

    data = (FIXTURES / "claude_code/transcript.jsonl").read_bytes()
    log = Path("log")
    whole = 0
    for seed in range(60):
        log.write_bytes(mutated(data, LONGEST, seed, _blind))
        whole += not [each for each in read_session(log, "claude-code").warnings if "JSON" in each.message]
    assert whole > 30


def test_an_input_that_takes_too_much_cpu_time_is_stopped() -> None:
    def for_ever() -> None:
        with bounded(0.05):
            while True:
                pass

    with pytest.raises(TooSlowError):
        for_ever()


def test_a_broken_promise_is_reported() -> None:
    with pytest.raises(BrokenPromiseError, match="it stays"):
        promise(kept=[], what="it stays")
