"""`python -m mind_skills.evaluation identity`: which pairs of learnings the two keys join, and whether rightly."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from mind_skills.evaluation.identity import IdentityReport, Keys, Pair, build_half
from mind_skills.output.document import make_json_schema
from mind_skills.staging.family import FamilyKey
from tests.testkit.paths import DEMO

LINES = {"first": 1, "last": 23, "slack": 3}


def pair(same: str, a: str, b: str) -> dict[str, Any]:
    """A pair of sessions; the first letter of a session is its repository."""
    sides = ({"session": f"{name}.jsonl", "repo": name[0], **LINES} for name in (a, b))
    return {"a": next(sides), "b": next(sides), "same": same, "half": "score", "drawn": "ignored"}


def rows_of(report: Any) -> dict[str, tuple[int, int, int, int, int]]:
    return {
        key["key"]: (
            key["precision"]["hits"],
            key["precision"]["tries"],
            key["recall"]["hits"],
            key["recall"]["tries"],
            key["unsure"],
        )
        for key in report["halves"][0]["keys"]
    }


def test_the_keys_of_sessions_are_compared_with_the_readers_verdicts(apart: Path, evaluate: Callable[..., Any]) -> None:
    for name in ("a1", "a2", "a3", "b1"):
        (apart / f"{name}.jsonl").write_bytes(DEMO.read_bytes())
    pairs = [pair("yes", "a1", "a2"), pair("no", "a1", "a3"), pair("unsure", "a2", "a3"), pair("yes", "a1", "b1")]
    pairs.append(pair("yes", "a1", "lost"))
    path = apart / "pairs.jsonl"
    path.write_text("\n".join(map(json.dumps, pairs)), encoding="utf-8")
    done = evaluate("identity", "--pairs", path, "--corpus", apart, "--jobs", "1", "--rows", "--json")
    Draft202012Validator(make_json_schema(IdentityReport)).validate(done.json)
    assert (done.code, done.json["sides"], done.json["found"], done.err) == (0, 5, 4, "lost.jsonl: no such session.\n")
    assert rows_of(done.json)["exact, one project"] == (1, 2, 1, 1, 1)
    assert [row["exact"] for row in done.json["rows"]] == [True, True, True, False, False]
    text = evaluate("identity", "--pairs", path, "--corpus", apart, "--jobs", "1")
    assert "exact, one project\t0.50\t0.10-0.91\t1 of 2\t1.00\t0.21-1.00\t1 of 1\n" in text.out


def test_a_family_joins_projects_and_a_side_without_one_joins_nothing() -> None:
    shell, git = (FamilyKey("learning", "cannot lock ref", "", program, "") for program in ("shell", "git"))
    keys = {
        (f"{name}.jsonl", 1, 23, 3): found
        for name, found in {
            "a1": Keys("x", shell),
            "a2": Keys("x", None),
            "a3": Keys("y", shell),
            "b1": Keys("x", shell),
            "b2": Keys("z", git),
            "b3": Keys("w", None),
        }.items()
    }
    judged = [
        Pair.model_validate(pair(same, a, b))
        for same, a, b in (
            ("yes", "a1", "a2"),
            ("no", "a1", "a3"),
            ("yes", "a1", "b1"),
            ("unsure", "a3", "b1"),
            ("yes", "a1", "b2"),
            ("no", "a2", "b3"),
        )
    ]
    report = build_half("score", judged, keys)
    assert (report.pairs, report.same, report.unsure) == (6, 3, 1)
    assert {
        each.key: (each.precision.hits, each.precision.tries, each.recall.tries, each.unsure) for each in report.keys
    } == {
        "exact, one project": (1, 1, 1, 0),
        "family, one project": (0, 1, 1, 0),
        "either, one project": (1, 2, 1, 0),
        "family, any projects": (1, 2, 3, 1),
    }
    assert report.keys[1].recall.share == 0.0
    assert build_half("none", [], {}).keys[0].precision.share is None


def test_a_line_that_is_no_pair_is_reported(apart: Path, evaluate: Callable[..., Any]) -> None:
    path = apart / "pairs.jsonl"
    for text, expected in (("", "No pairs in"), ('{"a": 1}', "line 1 is not a pair")):
        path.write_text(text, encoding="utf-8")
        done = evaluate("identity", "--pairs", path, "--corpus", apart)
        assert (done.code, expected in done.err) == (1, True)
