"""The result of a check is parsed from the output of each runner."""

from __future__ import annotations

import pytest

from mind_skills.observations import builders, results
from mind_skills.observations.results import Check


def parse(command: str, output: str) -> Check:
    return results.parse_check(
        builders.build_tool_call("Bash", "run", line=1, command=command, output=output, outcome="ok", exit_code=0)
    )


COUNTED = {
    "pytest": ("pytest", "==== 1 failed, 3 passed, 2 skipped in 0.12s ====", (3, 1, 2)),
    "pytest, quiet": ("pytest -q", "...\n3 passed in 0.12s", (3, 0, 0)),
    "pytest, errors": ("pytest", "=== 2 passed, 1 error in 1.2s ===", (2, 1, 0)),
    "unittest": ("python -m unittest", "Ran 4 tests in 0.001s\n\nOK (skipped=1)", (3, 0, 1)),
    "unittest, red": ("python -m unittest", "Ran 4 tests in 0.001s\n\nFAILED (failures=1, errors=1)", (2, 2, 0)),
    "jest": ("npx jest", "Test Suites: 2 passed, 2 total\nTests:       1 skipped, 5 passed, 6 total", (7, 0, 1)),
    "jest, red": ("npx jest", "Tests:       1 failed, 5 passed, 6 total", (5, 1, 0)),
    "vitest": ("npx vitest run", " Test Files  2 passed (2)\n      Tests  12 passed (12)", (14, 0, 0)),
    "vitest, red": ("npx vitest run", "      Tests  1 failed | 11 passed (12)", (11, 1, 0)),
    "mocha": ("npx mocha", "  12 passing (34ms)\n  1 pending", (12, 0, 1)),
    "mocha, red": ("npx mocha", "  11 passing (34ms)\n  1 failing", (11, 1, 0)),
    "bun": ("bun test", " 20 pass\n 0 fail\n 29 expect() calls", (20, 0, 0)),
    "deno": ("deno test", "ok | 5 passed | 0 failed (12ms)", (5, 0, 0)),
    "go": ("go test ./...", "ok  \texample.test/a\t0.012s\nok  \texample.test/b\t(cached)", (2, 0, 0)),
    "cargo": ("cargo test", "test result: ok. 3 passed; 0 failed; 17 ignored; 0 measured; 0 filtered out", (3, 0, 17)),
    "nextest": ("cargo nextest run", "     Summary [   0.1s] 12 tests run: 11 passed, 1 failed, 2 skipped", (11, 1, 2)),
    "rspec": ("bundle exec rspec", "12 examples, 1 failure, 2 pending", (9, 1, 2)),
    "minitest": ("rails test", "8 runs, 20 assertions, 0 failures, 0 errors, 1 skips", (7, 0, 1)),
    "phpunit": ("vendor/bin/phpunit", "OK (12 tests, 30 assertions)", (12, 0, 0)),
    "phpunit, red": ("phpunit", "Tests: 12, Assertions: 30, Errors: 1, Failures: 2, Skipped: 3.", (6, 3, 3)),
    "dotnet": ("dotnet test", "Passed!  - Failed:     0, Passed:    12, Skipped:     1, Total:    13", (12, 0, 1)),
    "maven": ("mvn test", "[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 2", (10, 0, 2)),
    "ctest": ("ctest", "100% tests passed, 0 tests failed out of 12", (12, 0, 0)),
    "exunit": ("mix test", "3 doctests, 12 tests, 0 failures, 1 skipped", (11, 0, 1)),
    "googletest": ("./run_tests", "[  PASSED  ] 12 tests.", (12, 0, 0)),
    "swift": ("swift test", "\t Executed 12 tests, with 1 failure (0 unexpected) in 0.1 seconds", (11, 1, 0)),
    "node": ("node --test", "ℹ tests 3\nℹ pass 3\nℹ fail 0", (3, 0, 0)),
    "tap": ("prove", "ok 1 - a\nok 2 - b\nok 3 - c # SKIP no network\nok 4 - d # skip not installed", (2, 0, 0)),
    "playwright": ("npx playwright test", "  12 passed (3.4s)", (12, 0, 0)),
    "behave": ("behave", "3 scenarios passed, 1 failed, 0 skipped", (3, 1, 0)),
    "behind make": ("make test", "pytest\n== 3 passed in 0.12s ==", (3, 0, 0)),
}


@pytest.mark.parametrize("name", COUNTED)
def test_the_counts_of_a_runner_are_read(name: str) -> None:
    command, output, (passed, failed, skipped) = COUNTED[name]
    assert parse(command, output) == Check("failed" if failed else "passed", passed, failed, skipped)


NOTHING = {
    "a version": ("pytest --version", "pytest 8.1.1"),
    "a version of cargo": ("cargo test --version", "cargo 1.80.0"),
    "help": ("npx jest --help", "Usage: jest [--config=<pathToConfigFile>] [TestPathPattern]"),
    "a list of tests": ("pytest --collect-only", "tests/test_a.py::test_a\n\n3 tests collected in 0.01s"),
    "a list of tests of go": ("go test -list .", "TestA\nok  \texample.test/a\t0.012s"),
    "tests that were compiled": ("cargo test --no-run", "Finished test profile"),
    "none selected": ("pytest -k nothing", "=== 12 deselected in 0.01s ==="),
    "none to run": ("go test -run nothing ./...", "ok  \texample.test/a\t0.012s [no tests to run]"),
    "no files": ("go test ./...", "?   \texample.test/a\t[no test files]"),
    "none found": ("npx vitest run --passWithNoTests", "No test files found, exiting with code 0"),
    "none ran": ("python -m unittest", "Ran 0 tests in 0.000s\n\nNO TESTS RAN"),
    "all filtered out": ("cargo test nothing", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored"),
    "all skipped": ("pytest", "=== 3 skipped in 0.01s ==="),
    "all skipped by unittest": ("python -m unittest", "Ran 3 tests in 0.001s\n\nOK (skipped=3)"),
    "nothing printed": ("pytest", ""),
    "cut off": ("pytest", "tests/test_a.py .....\nCommand timed out after 2m 0.0s"),
    "cut off after counts": ("npx mocha", "  12 passing\n\nTerminated"),
    "output of another command": ("pytest; echo done", "done"),
    "an echoed summary": ("pytest >/dev/null; echo '3 passed in 0.1s'", "3 passed in 0.1s"),
    "no runner": ("python -m pytest 2>&1 | tail -3", "/usr/bin/python: No module named pytest"),
    "a task that was not run": ("gradle test", "> Task :test UP-TO-DATE\n\nBUILD SUCCESSFUL in 1s"),
}


@pytest.mark.parametrize("name", NOTHING)
def test_a_check_without_tests_has_no_result(name: str) -> None:
    assert parse(*NOTHING[name]).verdict == "nothing"


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("npx tsc --noEmit", ""),
        ("cargo check", "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 8.13s"),
        ("npx eslint .", ""),
        ("python reproduce.py", "345"),
    ],
)
def test_output_without_counts_is_silent(command: str, output: str) -> None:
    assert parse(command, output) == Check("silent")


@pytest.mark.parametrize("command", ["pytest || true", "make; echo done", "make check | tail -3", "npm start &"])
def test_a_hidden_exit_code_is_detected(command: str) -> None:
    assert results.hides_status(command)


@pytest.mark.parametrize("command", ["pytest", "cd a && make check", "make 2>&1"])
def test_a_visible_exit_code_is_not_taken_for_hidden(command: str) -> None:
    assert not results.hides_status(command)
