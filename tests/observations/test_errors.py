import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.observations.results import (
    MAX_LINE_CHARACTERS,
    build_error_signature,
    find_error_line,
    has_failure_line,
)

LINES = [
    (
        "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\nAttributeError: no attribute 'x'",
        "AttributeError: no attribute 'x'",
    ),
    ("Exit code 2\nerror: unrecognized subcommand 'bun'\n\nUsage: x", "error: unrecognized subcommand 'bun'"),
    ("src/a.ts(3,1): error TS2304: Cannot find name 'x'.", "src/a.ts(3,1): error TS2304: Cannot find name 'x'."),
    ("[lint] $ golangci-lint run\npkg/a.go:12:3: duplicate (dupl)\n1 issues", "pkg/a.go:12:3: duplicate (dupl)"),
    ("building\nfatal: not a git repository", "fatal: not a git repository"),
    ("pkg/a.go:3:1: missing return\n[lint:go] ERROR task failed", "pkg/a.go:3:1: missing return"),
    ('error: script "lint" exited with code 1', 'error: script "lint" exited with code 1'),
    ("", ""),
]


@pytest.mark.parametrize(("output", "expected"), LINES, ids=[expected[:30] or "empty" for _, expected in LINES])
def test_the_line_that_names_the_error_is_found(output, expected):
    assert find_error_line(output) == expected


def test_the_same_error_elsewhere_has_the_same_signature():
    first = build_error_signature("/home/a/pkg/a.go:12:3: undefined: fooBar (0x1f) at 3f2504e04f89")
    second = build_error_signature("/srv/b/c/pkg/a.go:99:1: undefined: fooBar (0x2e) at 9c858901abcd")
    assert (first, second) == ("a.go:N:N: undefined: fooBar (H) at H",) * 2


def test_other_errors_have_other_signatures():
    assert build_error_signature("undefined: foo") != build_error_signature("undefined: bar")


@pytest.mark.parametrize(
    ("output", "failed"),
    [
        ("--- FAIL: TestA (0.00s)\nFAIL\n", True),
        ("Traceback (most recent call last):\nValueError: x", True),
        ("=== 1 failed, 3 passed ===", True),
        ("error: Database connection failed\n 120 pass\n 0 fail", False),
        ("grep found: error handling in main.go", False),
        ("0 issues.", False),
        ("ok  \tpkg\t0.1s", False),
    ],
)
def test_a_failure_is_detected_by_form_not_by_words(output, failed):
    assert has_failure_line(output) is failed


@given(st.text(max_size=2000))
def test_no_output_makes_error_detection_raise_and_its_results_are_bounded(output):
    assert len(find_error_line(output)) <= MAX_LINE_CHARACTERS
    assert len(build_error_signature(find_error_line(output))) <= 160
    assert has_failure_line(output) in (True, False)
