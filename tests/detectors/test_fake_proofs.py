"""Checks that seem to pass and prove nothing: nothing ran, something else ran, or what ran had failed."""

from __future__ import annotations

import pytest

from mind_skills.detectors.timeline import build_timeline
from mind_skills.detectors.verification import is_fixed_by
from tests.testkit.stories.detector_story import Story

REPORT = "The importer does not work: it drops the last row of every file that it reads."
CAUSE = "Root cause: the slice in the importer stops one row early, because the header row is counted twice."
RED = "tests/test_importer.py:12: AssertionError: expected 10 rows, got 9\n=== 1 failed, 9 passed in 0.12s ==="
JEST = "FAIL src/importer.test.ts\n  expected 10 rows, got 9\nTests: 1 failed, 9 passed, 10 total"
FAILED, LAST = 1, 4
"""Indexes of the failing run and of the last run in the story."""
GO = "--- FAIL: TestImporter\n    importer_test.go:9: got 9 rows\nFAIL\tshop\t0.01s"

FAKES: dict[str, tuple[str, str, str, str]] = {
    # the failing run: command, output; then the supposed proof: command, output
    "a version": ("pytest", RED, "pytest --version", "pytest 8.1.1"),
    "a short version": ("pytest", RED, "pytest -V", "pytest 8.1.1"),
    "help": ("npx jest", JEST, "npx jest --help", "Usage: jest [TestPathPattern]"),
    "a list": ("pytest", RED, "pytest --collect-only", "10 tests collected in 0.01s"),
    "a short list": ("pytest", RED, "pytest --co -q", "10 tests collected in 0.01s"),
    "a list of jest": ("npx jest", JEST, "npx jest --listTests", "/src/importer.test.ts"),
    "a list of go": ("go test ./...", GO, "go test -list . ./...", "TestImporter\nok  \tshop\t0.01s"),
    "only compiled": ("cargo test", "test result: FAILED. 9 passed; 1 failed", "cargo test --no-run", "Finished"),
    "none selected": ("pytest", RED, "pytest -k nothing; true", "=== 10 deselected in 0.01s ==="),
    "others selected": ("pytest", RED, "pytest -k writer", "=== 3 passed, 7 deselected in 0.01s ==="),
    "the failing one left out": ("pytest", RED, "pytest -k 'not importer'", "=== 9 passed, 1 deselected in 0.1s ==="),
    "deselected": ("pytest", RED, "pytest --deselect tests/test_importer.py::t", "=== 9 passed in 0.1s ==="),
    "another file": ("pytest", RED, "pytest tests/test_writer.py", "=== 4 passed in 0.1s ==="),
    "another file of the folder": ("pytest tests", RED, "pytest tests/test_writer.py", "=== 4 passed in 0.1s ==="),
    "another name of jest": ("npx jest", JEST, "npx jest -t writer", "Tests: 7 skipped, 3 passed, 10 total"),
    "another name of go": ("go test ./...", GO, "go test -run TestWriter ./...", "ok  \tshop\t0.01s"),
    "no test to run": ("go test ./...", GO, "go test -run nothing ./...", "ok  \tshop\t0.01s [no tests to run]"),
    "no test files": ("go test ./...", GO, "go test ./...", "?   \tshop\t[no test files]"),
    "all filtered out": (
        "cargo test",
        "1 failed",
        "cargo test nothing",
        "running 0 tests\n\ntest result: ok. 0 passed; 0 failed",
    ),
    "only skips": ("pytest", RED, "pytest", "=== 10 skipped in 0.01s ==="),
    "the failing one skipped": ("pytest", RED, "pytest", "=== 9 passed, 1 skipped in 0.1s ==="),
    "one test fewer": ("pytest", RED, "pytest", "=== 9 passed in 0.1s ==="),
    "only skips of unittest": (
        "python -m unittest",
        "FAILED (failures=1)",
        "python -m unittest",
        "Ran 9 tests in 0.1s\n\nOK (skipped=9)",
    ),
    "no test ran": ("python -m unittest", "FAILED (failures=1)", "python -m unittest", "Ran 0 tests in 0.000s\n\nOK"),
    "no test found": (
        "npx vitest run",
        "Tests  1 failed",
        "npx vitest run --passWithNoTests",
        "No test files found, exiting with code 0",
    ),
    "echo after it": ("pytest", RED, "pytest; echo done", "done"),
    "a failure, and echo": ("pytest", RED, "pytest; echo done", f"{RED}\ndone"),
    "true after it": ("pytest", RED, "pytest || true", RED),
    "exit 0 with a failure": ("pytest", RED, "pytest", RED),
    "exit 0 with an error": ("pytest", RED, "pytest", "=== 9 passed, 1 error in 0.1s ==="),
    "exit 0 with a failure of jest": ("npx jest", JEST, "npx jest", "Tests: 1 failed, 9 passed, 10 total"),
    "exit 0 with a failure of go": ("go test ./...", GO, "go test ./... | cat", f"ok  \tshop/a\t0.01s\n{GO}"),
    "a failure behind a pipe of what is named no check": (
        "cargo tarpaulin",
        "test result: FAILED. 9 passed; 1 failed",
        "cargo tarpaulin | tail -3",
        "test result: FAILED. 9 passed; 1 failed",
    ),
    "a hook that ends the run": ("pytest", RED, "pytest", "ending here"),
    "nothing printed": ("pytest", RED, "pytest", ""),
    "a time-out": ("pytest", RED, "timeout 5 pytest; true", ""),
    "a reported time-out": ("pytest", RED, "pytest", "tests/test_importer.py ....\nCommand timed out after 2m 0.0s"),
    "a run that was killed": ("npx mocha", "1 failing", "npx mocha", "  9 passing\n\nTerminated"),
    "an echoed summary": ("pytest", RED, "pytest >/dev/null; echo '10 passed in 0.1s'", "10 passed in 0.1s"),
    "no runner installed": ("pytest", RED, "python -m pytest 2>&1 | tail -3", "python: No module named pytest"),
    "a task that was not run": (
        "gradle test",
        "10 tests completed, 1 failed",
        "gradle test",
        "> Task :test UP-TO-DATE",
    ),
    "another check": ("pytest", RED, "ruff check .", "All checks passed!"),
    "a build": ("pytest", RED, "make build", ""),
    "a build with hidden output": (
        "make build",
        "importer.c:9: error: no rows",
        "make build | tail -3; echo done",
        "done",
    ),
    "a dry run": ("make build", "importer.c:9: error: no rows", "make build -n", "cc importer.c"),
    "missing counts": ("make test", RED, "make test", "done"),
    "in the background": ("pytest", RED, "pytest > log.txt 2>&1 &", ""),
}


def story(failing: str, red: str, passing: str, green: str) -> Story:
    return Story().user(REPORT).runs(failing, red, 1).agent(CAUSE).edits("src/importer.py").runs(passing, green)


def is_proved(name: str, proofs: dict[str, tuple[str, str, str, str]]) -> bool:
    """Whether the last run of the story is a pass that proves that the earlier failure was fixed."""
    line = build_timeline(story(*proofs[name]).observations)
    return LAST in line.passes and is_fixed_by(line, FAILED, LAST)


@pytest.mark.parametrize("name", FAKES)
def test_a_fake_proof_does_not_prove_the_fix(name: str) -> None:
    assert is_proved(name, FAKES) is False


PROOFS: dict[str, tuple[str, str, str, str]] = {
    "the same run": ("pytest", RED, "pytest", "=== 10 passed in 0.1s ==="),
    "one test more": ("pytest", RED, "pytest", "=== 11 passed in 0.1s ==="),
    "the file that failed": ("pytest", RED, "pytest tests/test_importer.py", "=== 4 passed in 0.1s ==="),
    "the test that failed": ("pytest", RED, "pytest -k importer", "=== 1 passed, 9 deselected in 0.1s ==="),
    "with a pipe": ("pytest", RED, "pytest 2>&1 | tail -3", "=== 10 passed in 0.1s ==="),
    "with echo, and counts": ("pytest", RED, "pytest; echo done", "=== 10 passed in 0.1s ===\ndone"),
    "jest": ("npx jest", JEST, "npx jest", "Tests: 10 passed, 10 total"),
    "go": ("go test ./...", GO, "go test ./...", "ok  \tshop\t0.01s"),
    "go, one test": ("go test ./...", GO, "go test -run TestImporter ./...", "ok  \tshop\t0.01s"),
    "a build without counts": ("make build", "importer.c:9: error: no rows", "make build", ""),
    "a type checker": ("npx tsc --noEmit", "src/a.ts(3,1): error TS2322: no rows", "npx tsc --noEmit", ""),
    "a script": ("python reproduce.py", "AssertionError: expected 10 rows, got 9", "python reproduce.py", "10 rows"),
}


@pytest.mark.parametrize("name", PROOFS)
def test_a_real_proof_proves_the_fix(name: str) -> None:
    assert is_proved(name, PROOFS) is True
