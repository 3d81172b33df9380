"""The error line of a failure is the one that names the cause, not a task runner's message or a test name."""

from __future__ import annotations

import pytest

from mind_skills.observations.results import find_error_line, is_runner_message

NAMED = [
    (["2.32.0", "[ERROR] 2025/12/31 no account found", "done"], "[ERROR] 2025/12/31 no account found"),
    (
        [
            "Your proposed edit has introduced new syntax error(s).",
            "- E999 IndentationError: unexpected indent",
            "DO NOT re-run the same failed edit command.",
        ],
        "- E999 IndentationError: unexpected indent",
    ),
    (["Error in sys.excepthook", "ERROR tests/test_dates.py"], "ERROR tests/test_dates.py"),
    (
        [
            "[lint] $ linter run",
            "cmd/clean.go:1: : # example.com/cmd",
            "cmd/setup_test.go:13:9: undefined: errors",
            "[lint] ERROR task failed",
        ],
        "cmd/setup_test.go:13:9: undefined: errors",
    ),
    (
        [
            "ERROR: · test_old",
            "Traceback (most recent call last):",
            '  File "a.py", line 1',
            "TypeError: can't compare dates",
        ],
        "TypeError: can't compare dates",
    ),
    (
        [
            "ERROR: test_old (tests.Dates)",
            "FAIL: test_new (tests.Dates)",
            "ValueError: no date",
        ],
        "ValueError: no date",
    ),
    (
        [
            "error: Recipe `test` failed on line 3 with exit code 1",
            "KeyError: 'day'",
        ],
        "KeyError: 'day'",
    ),
    (
        [
            "error[E0308]: mismatched types",
            " --> src/a.rs:1:1",
            "error: could not compile `a` (lib) due to 1 previous error",
        ],
        "error[E0308]: mismatched types",
    ),
    (
        [
            "npm error Lifecycle script `test` failed with error:",
            "npm error code 1",
            "TypeError: x is undefined",
        ],
        "TypeError: x is undefined",
    ),
    (
        [
            "FAIL\texample.com/a [build failed]",
            'compile: version "1.2" does not match tool version "1.3"',
        ],
        'compile: version "1.2" does not match tool version "1.3"',
    ),
    (
        [
            "error: no such table",
            "DeprecationWarning: old",
            "RuntimeError: gone",
        ],
        "RuntimeError: gone",
    ),
    (
        [
            "ERROR: test_old",
        ],
        "ERROR: test_old",
    ),
]
RUNNERS = [
    "npm error Lifecycle script `test` failed with error:",
    " ELIFECYCLE  Command failed with exit code 1.",
    "error: Recipe `test` failed on line 3 with exit code 1",
    "error: could not compile `a` (lib) due to 2 previous errors",
    "FAIL\texample.com/a\t0.012s",
    "ninja: build stopped: subcommand failed.",
    'task: Failed to run task "test": exit status 1',
]


@pytest.mark.parametrize(("output", "line"), NAMED, ids=[line for _, line in NAMED])
def test_the_line_that_names_the_cause_is_found(output: list[str], line: str) -> None:
    assert find_error_line("\n".join(output)) == line


@pytest.mark.parametrize("line", RUNNERS)
def test_a_message_of_a_task_runner_is_recognised_as_one(line: str) -> None:
    assert is_runner_message(line)
