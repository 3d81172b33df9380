"""The command-line runner of reference outputs."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.learning.run_vectors import main

NOW = "2026-01-15T12:00:00.000Z"
DECAY, PROMOTE = "calculateDecayedValue", "promotePattern"
SEEN = "raised DeprecatedPatternError: Cannot promote a deprecated pattern"


def decays(expected: object, at: str = "2025-10-17T12:00:00.000Z") -> dict[str, Any]:
    return {"id": f"v-{expected}", "function": DECAY, "input": {"timestamp": at, "now": NOW}, "expected": expected}


def raises(expected: object) -> dict[str, Any]:
    return {"id": "b", "function": DECAY, "input": {"timestamp": NOW}, "expected": expected}


def refuses(message: str) -> dict[str, Any]:
    maturity = {"pattern_id": "p", "state": "deprecated", "helpful_count": 0, "harmful_count": 3}
    given = {"maturity": maturity, "now": NOW}
    return {"id": message, "function": PROMOTE, "input": given, "expected": {"$throws": message}}


def total(*counts: int) -> str:
    return "in all {} passed {} failed {} not implemented {} decided otherwise".format(*counts)


UNKNOWN = {"id": "u", "function": "notYetThere", "input": {}, "expected": 1}
DECIDED = {
    "id": "c",
    "function": "classifyFailure",
    "input": {"error": "Unexpected token"},
    "expected": "context_overflow",
}
MISSED = [f"{DECAY} 1 passed 1 failed", total(1, 1, 0, 0)]
CASES: dict[str, tuple[list[Any], str, int, list[str]]] = {
    "a failure and a function that is missing": (
        [decays(0.5), decays(0.25), UNKNOWN],
        "original",
        1,
        [MISSED[0], "notYetThere 1 not implemented", total(1, 1, 1, 0), "- v-0.25: expected 0.25, saw 0.5"],
    ),
    "the original": ([DECIDED], "original", 0, ["classifyFailure 1 passed 0 failed", total(1, 0, 0, 0)]),
    "a decision": ([DECIDED], "default", 0, [total(0, 0, 0, 1), "~ c: matches_whole_words"]),
    "nan": ([decays({"$nan": True}, "bogus")], "original", 0, [f"{DECAY} 1 passed 0 failed", total(1, 0, 0, 0)]),
    "no nan": (
        [decays({"$nan": True})],
        "original",
        1,
        [f"{DECAY} 0 passed 1 failed", total(0, 1, 0, 0), "- v-{'$nan': True}: expected {'$nan': True}, saw 0.5"],
    ),
    **{
        f"a rule that raises, {profile}, {expected}": (
            [raises(expected), decays(0.5)],
            profile,
            1,
            [*MISSED, f"- b: expected {expected!r}, saw \"raised KeyError: 'now'\""],
        )
        for profile in ("original", "default")
        for expected in (0.5, {"$throws": "*"})
    },
    "a refusal": (
        [refuses("Cannot promote a deprecated pattern"), refuses("Cannot promote")],
        "original",
        1,
        [
            f"{PROMOTE} 1 passed 1 failed",
            MISSED[1],
            f"- Cannot promote: expected {{'$throws': 'Cannot promote'}}, saw '{SEEN}'",
        ],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_file_is_answered_by_its_counts_and_its_deviations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    vectors, profile, code, lines = CASES[case]
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps({"vectors": vectors}), encoding="utf-8")
    found = main([str(file), "--rows", "--profile", profile])
    assert (found, [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]) == (code, lines)


def test_a_missing_file_or_one_of_another_shape_exits_with_two(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[]", encoding="utf-8")
    assert [main([str(tmp_path / name)]) for name in ("x.json", "missing.json")] == [2, 2]
