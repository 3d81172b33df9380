"""A panel: what readers get, and what their answers are worth."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from research.evaluation.figures import Shown, write_digests
from tests.research.evaluation.conftest import Place


@pytest.fixture
def panel(place: Place, evaluate: Callable[..., Any]) -> Path:
    """Five sessions, of which one has no digest, for two readers."""
    place.label("none.jsonl", learnings=((1, 5),))
    place.label("one.jsonl", learnings=((10, 20, ["Decimal"]), (40, 60)))
    place.label("disputed.jsonl", disputed=[{"start_line": 10, "end_line": 20}])
    place.label("silent.jsonl", borderline=[{"start_line": 10, "end_line": 20}])
    place.label("quiet.jsonl")
    names = [json.loads(line)["session_file"].rpartition("/")[2] for line in place.written]
    report, out = place.labels.with_name("report.json"), place.labels.with_name("panel")
    write_digests(map(Path, names), {name: Shown(name if name != "none.jsonl" else "") for name in names}, report)
    done = evaluate("panel", "write", "--labels", place.labels, "--out", out, "--readers", "2", report)
    assert done.json == {"digests": 4, "readers": 2, "seed": 11}
    return out


def test_each_digest_goes_to_one_reader(panel: Path) -> None:
    given = [(panel / f"reader-{number}.txt").read_text().split() for number in (0, 1)]
    assert ([len(each) for each in given], sorted(given[0] + given[1])) == ([2, 2], ["s001", "s002", "s003", "s004"])
    assert {path.stem: path.read_text() for path in (panel / "digests").iterdir()}["s003"] == "silent.jsonl"


def test_answers_are_judged_by_their_lines(panel: Path, place: Place, evaluate: Callable[..., Any]) -> None:
    def keep(p: float, first: int, last: int, text: str = "") -> dict[str, Any]:
        return {"p": p, "start_line": first, "end_line": last, "text": text}

    answers = {
        "s001": [keep(60, 9, 15, "Use DECIMAL."), keep(50, 12, 20), keep(40, 100, 110)],
        "s002": [keep(60, 10, 20)],
        "s003": [keep(30, 12, 14)],
    }
    (panel / "answers/a.jsonl").write_text(
        "\n".join(json.dumps({"id": key, "learnings": kept}) for key, kept in answers.items()), encoding="utf-8"
    )
    done = evaluate("panel", "score", "--labels", place.labels, "--out", panel).json
    assert {name: done[name] for name in ("sessions", "learnings", "missing")} == {
        "sessions": 4,
        "learnings": 2,
        "missing": ["s004"],
    }
    by_p = {each["p"]: each for each in done["thresholds"]}
    counts = {"kept": 4, "right": 1, "borderline": 1, "disputed": 1, "noisy": 1, "silent": 2}
    assert by_p[25] == {"p": 25, **counts, "precision": 0.25, "recall": 0.5, "useful": 0.5, "named": 1.0}
    counts = {"kept": 1, "right": 1, "borderline": 0, "disputed": 1, "noisy": 0, "silent": 2}
    assert by_p[55] == {"p": 55, **counts, "precision": 1.0, "recall": 0.5, "useful": 1.0, "named": 1.0}


@pytest.mark.parametrize("line", ["{", "[]", '{"id": "s001", "learnings": [{"p": 3}]}'])
def test_an_invalid_answer_is_an_error(panel: Path, place: Place, evaluate: Callable[..., Any], line: str) -> None:
    (panel / "answers/a.jsonl").write_text(line, encoding="utf-8")
    done = evaluate("panel", "score", "--labels", place.labels, "--out", panel)
    assert (done.code, "a.jsonl" in done.err) == (1, True)
