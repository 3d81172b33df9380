"""Which errors a session met, and which it got past."""

from __future__ import annotations

import pytest

from mind_skills.observations.commands import normalise
from mind_skills.observations.error_names import name_error
from mind_skills.observations.model import Observation
from mind_skills.observations.results import build_error_signature
from mind_skills.staging.analyse import analyse
from mind_skills.staging.error_meter import MAX_ERRORS, ErrorCollector
from mind_skills.staging.skill_cases import list_signatures
from tests.testkit.paths import DEMO

LOCKED = "OperationalError: database is locked by another writer"
MISSING = "ModuleNotFoundError: No module named 'yaml_parser'"


def ran(line: int, error: str = "", command: str = "pytest", *, at: int | None = None) -> Observation:
    failed = bool(error)
    return Observation(
        "tool", line, action="run", command=command, signature=command, outcome="failed" if failed else "ok",
        exit_code=int(failed), error=error, error_signature=build_error_signature(error), text=error, at=at,
    )  # fmt: skip


def met(*observations: Observation) -> list[tuple[str, int, int, int, int, int | None]]:
    meter = ErrorCollector()
    for observation in observations:
        meter.feed(observation)
    return [(m.signature, m.times, m.line, m.solved_line, m.steps, m.duration_ms) for m in meter.result()]


def test_an_error_is_solved_when_the_command_that_it_stopped_passes() -> None:
    look = Observation("tool", 2, action="read", outcome="ok", command="db.py", signature="read")
    assert met(ran(1, LOCKED, at=1_000), look, ran(3, LOCKED, at=2_000), ran(4, at=9_000)) == [
        (LOCKED, 2, 1, 4, 3, 8_000)
    ]


def test_another_command_that_passes_does_not_solve_an_error() -> None:
    assert met(ran(1, LOCKED), ran(2, command="ls")) == [(LOCKED, 1, 1, 0, 0, None)]


def test_another_error_of_the_same_command_solves_nothing_and_a_pass_solves_both() -> None:
    assert met(ran(1, LOCKED), ran(2, MISSING)) == [(LOCKED, 1, 1, 0, 0, None), (MISSING, 1, 2, 0, 0, None)]
    assert [row[3] for row in met(ran(1, LOCKED), ran(2, MISSING), ran(3))] == [3, 3]


def test_an_error_that_comes_back_is_open_again() -> None:
    assert met(ran(1, LOCKED), ran(2), ran(3, LOCKED)) == [(LOCKED, 2, 1, 0, 0, None)]


def test_an_error_is_solved_only_by_the_command_that_it_stopped_last() -> None:
    observations = [ran(1, LOCKED), ran(2, LOCKED, "make test"), ran(3)]
    assert [row[3] for row in met(*observations)] == [0]
    assert [row[3] for row in met(*observations, ran(4, command="make test"))] == [4]


def test_generic_errors_and_messages_are_not_recorded() -> None:
    said = Observation("assistant", 3, text=LOCKED)
    assert met(ran(1, "AssertionError: assert 1 == 2"), ran(2, "make: *** [test] Error 2"), said) == []


def test_a_generic_error_is_named_after_the_check_that_failed_and_its_target() -> None:
    def check(line: int, error: str, target: str) -> Observation:
        observation = ran(line, error, "unittest")
        observation.target = target
        return observation

    observations = [
        check(1, "AssertionError: 268 != 267", "tests/test_prices.py"),
        check(4, "", "tests/test_prices.py"),
    ]
    other = check(5, "AssertionError: 1 != 2", "test_names.py")
    assert met(*observations, other) == [
        ("unittest test_prices.py: AssertionError: N != N", 1, 1, 4, 1, None),
        ("unittest test_names.py: AssertionError: N != N", 1, 5, 0, 0, None),
    ]


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("python3 -m unittest test_prices", "unittest test_prices: AssertionError: N != N"),
        ("pytest tests/test_invoice.py", "pytest test_invoice.py: AssertionError: N != N"),
        ("npm test", ""),
        ("make check", ""),
        ("pytest -q", ""),
        ("ls prices", ""),
    ],
)
def test_a_generic_error_gets_a_name_only_if_its_command_is_a_check_with_a_target(command: str, name: str) -> None:
    found = normalise(command)
    assert name_error("AssertionError: 268 != 267", found.signature, found.target) == name


def test_only_the_first_fifty_errors_of_a_session_are_recorded() -> None:
    words = [f"{one}{two}" for one in "abcdefghij" for two in "klmnopqrst"]
    rows = met(*(ran(number, f"LookupError: unknown {word * 3} in registry") for number, word in enumerate(words, 1)))
    assert [row[2] for row in rows] == list(range(1, MAX_ERRORS + 1))


def test_a_candidate_has_the_error_signature_that_its_session_recorded() -> None:
    found = analyse(DEMO)
    (candidate,), (error,) = found.candidates, found.errors
    assert list_signatures(candidate) == (error.signature,)
    assert (error.times, error.line < error.solved_line, error.duration_ms) == (2, True, 118_000)
