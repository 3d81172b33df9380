"""A check that succeeded without checking anything has neither passed nor failed."""

from __future__ import annotations

import pytest

from mind_skills.observations import builders, results
from mind_skills.observations.model import Observation


def run(command: str, output: str, code: int = 0) -> Observation:
    return builders.build_tool_call(
        "Bash", "run", line=1, command=command, output=output, outcome="failed" if code else "ok", exit_code=code
    )


NOTHING = [
    ("npx jest --passWithNoTests nothing", "No tests found, exiting with code 0\n"),
    ("go test ./a", "?   \texample.com/a\t[no test files]\n"),
    ("pytest -k none | tail -3", "collected 0 items\n\n==== no tests ran in 0.01s ====\n"),
    ("pytest -k none; true", "==== 12 deselected in 0.01s ====\n"),
    ("cargo test none", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored\n"),
    ("npx vitest run none --passWithNoTests", "\x1b[33mNo test files found\x1b[0m, exiting with code 0\n"),
    ("pytest --version", "pytest 8.0.0\n"),
    ("pytest --collect-only", "<Module a.py>\n"),
    ("pytest tests | grep FAILED", ""),
    ("mise run test", "[test] ?   \texample.com/a\t[no test files]\n"),
    ("make test", "make: Nothing to be done for 'test'.\n"),
    ("make test", "make: 'test' is up to date.\n"),
    ("ninja test", "ninja: no work to do.\n"),
]
SOMETHING = [
    ("go test ./...", "?   \texample.com/a\t[no test files]\nok  \texample.com/b\t0.1s\n"),
    ("mise run test", "[test] ?   \texample.com/a\t[no test files]\n[test] ok  \texample.com/b\t0.1s\n"),
    ("pytest", "==== 3 passed, 2 skipped in 0.1s ====\n"),
    ("npm test", "\x1b[32m Tests \x1b[0m 12 passed | 3 skipped (15)\n no tests found in src/old\n"),
    ("mise run check", "[lint] 0 issues.\n[test] ? a [no test files]\n"),
    ("npm run build", "no tests found\n"),
    ("npm run lint && npm test", "no tests found\n"),
    ("tsc --noEmit | head", ""),
    ("go test ./a", ""),
    ("cat notes.txt", "no tests ran\n"),
]


@pytest.mark.parametrize(("command", "output"), NOTHING, ids=[command for command, _ in NOTHING])
def test_a_check_that_reports_no_tests_has_not_passed(command: str, output: str) -> None:
    observation = run(command, output)
    assert (observation.outcome, observation.error, results.parse_check(observation).verdict) == (
        "nothing",
        "",
        "nothing",
    )


@pytest.mark.parametrize(
    ("command", "output"), SOMETHING, ids=[f"{command}: {output[:20]}" for command, output in SOMETHING]
)
def test_a_command_that_checked_something_has_succeeded(command: str, output: str) -> None:
    assert run(command, output).outcome == "ok"


def test_an_exit_code_overrides_the_output() -> None:
    assert run("pytest none", "collected 0 items\n", 5).outcome == "failed"


def test_a_missing_runner_behind_a_pipe_has_an_error_and_no_verdict_but_the_outcome_ok() -> None:
    observation = run("python -m pytest tests | head", "/usr/bin/python: No module named pytest\n")
    assert (observation.outcome, observation.error) == ("ok", "/usr/bin/python: No module named pytest")
    assert results.parse_check(observation).verdict == "nothing"


def test_a_compiler_that_failed_behind_a_pipe_has_an_error_but_the_outcome_ok() -> None:
    observation = run("cargo test --no-run 2>&1 | tail", "error: mismatched closing delimiter\n")
    assert (observation.outcome, observation.error) == ("ok", "error: mismatched closing delimiter")


REPORTS = """no test to run|No tests ran|no tests found|no tests executed|no tests collected|no tests were found|no test files found
no tests match the filter|[no test files]|collected 0 items|Ran 0 tests|1..0|0 tests|0 examples|0 specs|0 passing|0 runs|Tests:  0 total
Tests run: 0|running 0 tests|:testDebug NO-SOURCE|:test UP-TO-DATE|:unitTest FROM-CACHE|:checkStyle SKIPPED|NO STATUS|nothing to do
Nothing to be done for 'test'|'test' is up to date|target test is up to date|no work to do|skipped|echo skipping|tests are disabled
test was cached|skipping all checks|skipping test|all tests skipped|No module named pytest|make: pytest: command not found
sh: x: not found"""


@pytest.mark.parametrize("text", [text for line in REPORTS.split("\n") for text in line.split("|")])
def test_every_report_that_no_tests_ran_contains_a_hint_that_is_searched_first(text: str) -> None:
    lowered = text.lower()
    assert results.NO_TESTS_RAN.search(text)
    assert any(hint in lowered for hint in results.NO_TESTS_RAN_HINTS)
