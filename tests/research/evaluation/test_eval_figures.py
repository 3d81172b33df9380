"""What a reader of a digest can see of a learning, and the gate: by the definitions that come with the labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from research.evaluation.figures import (
    MEASURES,
    Shown,
    build_figures,
    build_gate,
    read_digests,
    score_report,
    write_digests,
)
from research.evaluation.labels import Label, Learning
from tests.research.evaluation.conftest import Place

LEARNING = Learning(start_line=100, end_line=120, key_phrases=["Decimal", "HALF_UP"])
ALL = "100 run pytest: failed\n  | Decimal\n118>121 run pytest: ok\nHALF_up"


@pytest.mark.parametrize(
    ("text", "episodes", "holds"),
    [
        (ALL, ((90, 125),), set(MEASURES)),
        ("", (), set()),
        (ALL, ((10, 20),), {"named", "named2", "begin", "borne_out"}),
        ("", ((115, 300),), set()),
        ("", ((114, 300),), {"covered"}),
        ("", ((120, 120),), {"covered"}),
        ("decimal", ((100, 120),), {"covered", "named"}),
        ("103 x", (), {"begin"}),
        ("104 x", (), set()),
        ("88 x", ((90, 125),), {"covered", "begin"}),
        ("86 x", ((90, 125),), {"covered"}),
        ("117 x", (), {"borne_out"}),
        ("100>132 x", (), {"begin", "borne_out"}),
        ("133 x\n| 120 is no row\n120: neither", (), set()),
        ("132~ Decimal", ((100, 120),), {"covered", "named", "borne_out", "whole"}),
    ],
)
def test_what_of_a_learning_can_be_seen(text: str, episodes: tuple[tuple[int, int], ...], holds: set[str]) -> None:
    label = Label(session_file="a", learnings=[LEARNING])
    figures = build_figures([label], {"a": Shown(text, episodes)})
    assert {name for name in MEASURES if figures[name]} == holds


def test_figures_count_sessions_learnings_and_characters() -> None:
    labels = [
        Label(session_file="x/seen", learnings=[LEARNING, Learning(start_line=1, end_line=2)]),
        Label(session_file="x/not-shown", learnings=[LEARNING]),
        Label(session_file="x/silent"),
        Label(session_file="x/not-there", learnings=[LEARNING]),
    ]
    shown = {
        "seen": Shown(ALL, ((90, 125),), 10_000),
        "not-shown": Shown(size=500),
        "silent": Shown("1 x", ((1, 1),), 20),
    }
    characters = len(ALL) + 3
    assert build_figures(labels, shown) == {
        "sessions": 3,
        "missing": 1,
        "learnings": 3,
        "sessions_shown": 2,
        "characters": round(characters / 2),
        "episodes": 1.0,
        "gate_precision": 0.5,
        "gate_recall": 0.5,
        **dict.fromkeys(MEASURES, 0.333),
        "times_smaller": round(10_520 / characters),
    }


def test_the_gate_takes_sessions_of_equal_probability_together() -> None:
    sessions = [(0.9, True), (0.5, True), (0.5, False), (0.2, False), (0.1, True), (0.0, False)]
    assert build_gate(sessions) == [
        {"recall": recall, "reached": 1.0, "precision": 0.6, "probability": 0.1} for recall in (0.9, 0.95, 0.97, 0.99)
    ]


def test_a_report_is_scored_and_digests_are_read_as_they_were_written(
    place: Place, evaluate: Callable[..., Any]
) -> None:
    place.session("a.jsonl", learnings=((100, 120, ["Decimal", "HALF_UP"]),), format="codex-rollout")
    log, report = place.folder / "a.jsonl", place.folder / "report.json"
    shown = {"a.jsonl": Shown(ALL, ((90, 125),), log.stat().st_size)}
    write_digests([log, Path("gone.jsonl")], shown, report)
    assert read_digests(report) == shown
    done = evaluate("score", "--labels", place.labels, report)
    assert (done.code, done.json) == (0, score_report([place.labels], report))
    assert (done.json["digest"]["whole"], list(done.json["formats"]), list(done.json["sources"])) == (
        1.0,
        ["codex-rollout"],
        ["a.jsonl"],
    )


@pytest.mark.parametrize("text", ["", "[]", "{}", json.dumps({"sessions": [{"digest": None}]})])
def test_a_file_without_digests_is_an_error(place: Place, evaluate: Callable[..., Any], text: str) -> None:
    place.label("a.jsonl")
    report = place.labels.with_name("report.json")
    report.write_text(text, encoding="utf-8")
    done = evaluate("score", "--labels", place.labels, report)
    assert (done.code, "holds no digests" in done.err) == (1, True)
