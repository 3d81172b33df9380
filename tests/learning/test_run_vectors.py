"""The command-line runner of reference outputs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.testkit.paths import ROOT

NOW = "2026-01-15T12:00:00.000Z"


def build_vector(
    expected: object, at: str = "2025-10-17T12:00:00.000Z", tags: tuple[str, ...] = ()
) -> dict[str, object]:
    given = {"timestamp": at, "now": NOW}
    return {
        "id": f"v-{expected}",
        "function": "calculateDecayedValue",
        "input": given,
        "expected": expected,
        "tags": tags,
    }


def run(file: Path, *options: str) -> tuple[int, list[str]]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.learning.run_vectors", file, *options],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    return done.returncode, [" ".join(line.split()) for line in done.stdout.splitlines()]


def write_vectors(folder: Path, *vectors: object) -> Path:
    file = folder / "vectors.json"
    file.write_text(json.dumps({"vectors": vectors}), encoding="utf-8")
    return file


def test_passed_failed_and_unimplemented_vectors_are_counted_and_a_failure_exits_with_one(tmp_path: Path) -> None:
    unknown = {"id": "u", "function": "notYetThere", "input": {}, "expected": 1}
    assert run(write_vectors(tmp_path, build_vector(0.5), build_vector(0.25), unknown), "--rows") == (
        1,
        [
            "calculateDecayedValue 1 passed 1 failed",
            "notYetThere 1 not implemented",
            "in all 1 passed 1 failed 1 not implemented 0 decided otherwise",
            "- v-0.25: expected 0.25, saw 0.5",
        ],
    )


def test_a_deviation_of_the_default_profile_is_listed_and_is_not_a_failure(tmp_path: Path) -> None:
    message = {
        "id": "c",
        "function": "classifyFailure",
        "input": {"error": "Unexpected token"},
        "expected": "context_overflow",
    }
    file = write_vectors(tmp_path, message)
    assert run(file, "--profile", "original") == (
        0,
        ["classifyFailure 1 passed 0 failed", "in all 1 passed 0 failed 0 not implemented 0 decided otherwise"],
    )
    code, lines = run(file, "--profile", "default", "--rows")
    assert (code, lines[-1]) == (0, "~ c: matches_whole_words")


def test_an_expected_nan_matches_only_nan(tmp_path: Path) -> None:
    assert run(write_vectors(tmp_path, build_vector({"$nan": True}, at="bogus")))[0] == 0
    assert run(write_vectors(tmp_path, build_vector({"$nan": True})))[0] == 1


@pytest.mark.parametrize("profile", ["original", "default"])
@pytest.mark.parametrize("expected", [0.5, {"$throws": "*"}], ids=["a value", "a refusal"])
def test_a_rule_that_raises_fails_its_vector_and_the_other_vectors_are_run(
    tmp_path: Path, expected: object, profile: str
) -> None:
    broken = {"id": "b", "function": "calculateDecayedValue", "input": {"timestamp": NOW}, "expected": expected}
    assert run(write_vectors(tmp_path, broken, build_vector(0.5)), "--rows", "--profile", profile) == (
        1,
        [
            "calculateDecayedValue 1 passed 1 failed",
            "in all 1 passed 1 failed 0 not implemented 0 decided otherwise",
            f"- b: expected {expected!r}, saw \"raised KeyError: 'now'\"",
        ],
    )


def test_an_expected_refusal_matches_only_its_exact_message(tmp_path: Path) -> None:
    maturity = {"pattern_id": "p", "state": "deprecated", "helpful_count": 0, "harmful_count": 3}
    refused = {"function": "promotePattern", "input": {"maturity": maturity, "now": NOW}}
    met = {**refused, "id": "met", "expected": {"$throws": "Cannot promote a deprecated pattern"}}
    other = {**refused, "id": "other", "expected": {"$throws": "Cannot promote"}}
    code, lines = run(write_vectors(tmp_path, met, other), "--rows")
    seen = "raised DeprecatedPatternError: Cannot promote a deprecated pattern"
    assert (code, lines[0], lines[2:]) == (
        1,
        "promotePattern 1 passed 1 failed",
        [f"- other: expected {{'$throws': 'Cannot promote'}}, saw '{seen}'"],
    )


def test_a_missing_file_or_one_of_another_shape_exits_with_two(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[]", encoding="utf-8")
    assert run(tmp_path / "x.json") == (2, [])
    assert run(tmp_path / "missing.json") == (2, [])
