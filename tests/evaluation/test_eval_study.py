"""`fit` and `study` on recorded sessions: the same bytes twice, and nobody's own weights."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mind_skills.detectors import scorer
from mind_skills.evaluation.report import FitReport, StudyReport
from mind_skills.output.document import make_json_schema
from tests.testkit.paths import DEMO, FIXTURES

RECORDED = {
    "demo.jsonl": (DEMO, 23, [(1, 22)]),
    "capture.jsonl": (FIXTURES / "claude_code/capture.jsonl", 18, [(8, 16)]),
    "gemini.jsonl": (FIXTURES / "gemini/capture.jsonl", 18, [(8, 16)]),
    "codex.jsonl": (FIXTURES / "codex/rollout-0.169.jsonl", 83, []),
}
OWNERS = tuple(f"Owner{number}" for number in range(10))
"""So many that tiers can be read off: of at least 20 candidates without two of them."""


@pytest.fixture
def labelled(apart: Path) -> tuple[str, ...]:
    """Every recorded session once for each owner, and the arguments that name them."""
    folder, lines = apart / "sessions", list[str]()
    folder.mkdir()
    for owner in OWNERS:
        for name, (recorded, length, places) in RECORDED.items():
            (folder / f"{owner}-{name}").write_bytes(recorded.read_bytes())
            learnings = [
                {"kind": "error_fix", "start_line": first, "end_line": last, "key_phrases": ["round"]}
                for first, last in places
            ]
            label = {"session_file": f"{owner}-{name}", "length": length, "learnings": learnings, "format": name}
            lines.append(json.dumps(label | {"source_repo": f"{owner}/shop", "outcome": "success"}))
    (apart / "labels.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return "--labels", str(apart / "labels.jsonl"), "--corpus", str(folder), "--jobs", "1", "--json"


@pytest.mark.process
def test_a_fit_is_reproducible_to_the_byte_and_readable_by_the_scorer(
    labelled: tuple[str, ...], apart: Path, evaluate: Callable[..., Any]
) -> None:
    one, other = apart / "one.json", apart / "other.json"
    done = evaluate("fit", *labelled, "--out", str(one))
    Draft202012Validator(make_json_schema(FitReport)).validate(done.json)
    labels = apart / "labels.jsonl"
    labels.write_text("\n".join(reversed(labels.read_text(encoding="utf-8").split("\n"))), encoding="utf-8")
    again = evaluate("fit", *labelled, "--out", str(other))
    assert (done.code, again.code, one.read_bytes()) == (0, 0, other.read_bytes())
    assert evaluate("fit", *labelled, "--out", str(one)).json["changed"] is False
    model, written = scorer.parse_weights(one.read_text(encoding="utf-8")), json.loads(one.read_text(encoding="utf-8"))
    assert (model.tiers, len(model.weights)) == (done.json["tiers"], done.json["used"])
    assert (written["fitted"]["sessions"], written["fitted"]["owners"], written["fitted"]["learnings"]) == (40, 10, 30)


@pytest.mark.process
def test_a_study_scores_each_owner_by_the_others_and_pools_the_results(
    labelled: tuple[str, ...], evaluate: Callable[..., Any]
) -> None:
    done = evaluate("study", *labelled)
    report = done.json
    Draft202012Validator(make_json_schema(StudyReport)).validate(report)
    assert (done.code, done.err, report["owners"], report["learnings"], report["silentSessions"]) == (0, "", 10, 30, 10)
    high, wide = (tier["figures"] for tier in report["whole"]["tiers"])
    assert high["candidates"] <= wide["candidates"] <= 2 * report["sessions"]
    by_format = [part["tiers"][1]["figures"]["candidates"] for part in report["formats"]]
    assert (len(by_format), sum(by_format)) == (4, wide["candidates"])
    assert report["withoutLargest"]["sessions"] == 36
    # Owners have the same sessions, so that each is known to the others: what there is to find is found.
    assert wide["strict"]["recall"]["rate"] > report["random"] >= 0
    assert report["designs"][0]["name"] == "signed logistic"
    tainted, untainted = (report[name]["candidates"] for name in ("tainted", "untainted"))
    assert tainted + untainted == wide["candidates"]
    (outcomes,) = report["outcomes"]
    assert (outcomes["outcome"], outcomes["succeeded"] + outcomes["failed"] + outcomes["unknown"]) == ("success", 40)


def test_too_few_owners_are_an_error_with_a_hint(
    labelled: tuple[str, ...], apart: Path, evaluate: Callable[..., Any]
) -> None:
    labels = apart / "labels.jsonl"
    labels.write_text("\n".join(labels.read_text(encoding="utf-8").split("\n")[:8]), encoding="utf-8")
    error = evaluate("study", *labelled).json["error"]
    assert (error["code"], "3 owners" in error["hint"]) == ("too_few", True)


def test_without_numpy_the_extra_is_named(
    labelled: tuple[str, ...], evaluate: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.setattr("mind_skills.evaluation.find_spec", lambda _: None)
    done = evaluate("study", *labelled)
    assert (done.code, done.json["error"]["code"], "[dev]" in done.json["error"]["hint"]) == (1, "extra_missing", True)
