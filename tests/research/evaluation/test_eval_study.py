"""`fit` and `study` on recorded sessions: the same bytes twice, and nobody's own weights."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.detectors import scorer
from mind_skills.detectors.model import Episode
from mind_skills.digest import condense
from mind_skills.staging.analyse import analyse
from research.evaluation.figures import build_figures, read_digests
from research.evaluation.labels import Label, Learning, load_labels, locate_logs
from research.evaluation.measuring import Measured, Proposal, choose_proposals, is_inside
from research.evaluation.running import Task
from research.evaluation.showing import BASELINE_SIZE, BUDGETS, show_variants
from tests.research.evaluation.conftest import Place
from tests.testkit.paths import ROOT


@pytest.mark.process
def test_a_fit_is_reproducible_to_the_byte_and_readable_by_the_scorer(
    corpus: Place, apart: Path, evaluate: Callable[..., Any]
) -> None:
    one, other = apart / "one.json", apart / "other.json"
    done = evaluate("fit", *corpus.arguments, "--out", one)
    corpus.labels.write_text("\n".join(reversed(corpus.written)), encoding="utf-8")
    again = evaluate("fit", *corpus.arguments[:-1], "2", "--out", other)
    assert (done.code, again.code, one.read_bytes()) == (0, 0, other.read_bytes())
    model, written = scorer.parse_weights(one.read_text(encoding="utf-8")), json.loads(one.read_text(encoding="utf-8"))
    assert len(model.weights) == done.json["used"]
    assert {name: written["fitted"][name] for name in ("sessions", "owners", "learnings")} == {
        "sessions": 24,
        "owners": 6,
        "learnings": 18,
    }
    bins = written["measured"]
    assert [each["to"] for each in bins[:-1]] == [each["from"] for each in bins[1:]]
    assert (bins[0]["from"], bins[-1]["to"], sum(each["episodes"] for each in bins) > 0) == (0.0, 1.0, True)


@pytest.mark.process
def test_a_study_condenses_the_sessions_of_each_owner_by_the_others_weights(
    corpus: Place, apart: Path, evaluate: Callable[..., Any]
) -> None:
    done = evaluate("study", *corpus.arguments, "--digests", apart / "digests.json")
    study = done.json
    assert (done.code, done.err, study["owners"], study["problems"]) == (0, "", 6, [])
    digests = read_digests(apart / "digests.json")
    assert study["digest"] == build_figures(load_labels(corpus.labels).labels, digests)
    assert (study["digest"]["sessions"], study["digest"]["learnings"]) == (24, 18)
    assert sum(part["learnings"] for part in study["formats"].values()) == 18
    assert {part["sessions"] for part in study["sources"].values()} == {4}
    assert study["without_largest"]["sessions"] == 20
    sizes = [study["designs"][f"budget {factor}"]["characters"] for factor in BUDGETS]
    assert sizes == sorted(sizes)
    # Owners have the same sessions, so that each is known to the others: what there is to find is found.
    assert study["digest"]["whole"] > 0.5
    assert [point["recall"] for point in study["gate"]] == sorted(point["recall"] for point in study["gate"])
    assert sum(count for count, _, _ in study["calibration"]["bins"]) > 0


def test_variants_begin_with_what_the_product_shows_and_leave_its_budgets_alone(corpus: Place) -> None:
    labels = load_labels(corpus.labels).labels
    logs, _ = locate_logs([corpus.folder], labels)
    label = labels[0]
    before = condense.BASE_BUDGET, condense.EPISODE_BUDGET, condense.MAX_BUDGET
    variants = show_variants(Task(label, logs[label.name]))
    analysis = analyse(logs[label.name].path)
    assert variants.shown["digest"].text == analysis.digest_text != ""
    assert before == (condense.BASE_BUDGET, condense.EPISODE_BUDGET, condense.MAX_BUDGET)
    assert 0 < variants.inside <= variants.lines == analysis.session.lines
    for name in ("the end of the session", "messages only"):
        assert 0 < len(variants.shown[name].text) <= BASELINE_SIZE
    assert show_variants(Task(label, logs[label.name])) == variants


@pytest.mark.parametrize(
    ("first", "last", "inside"), [(7, 24, True), (6, 24, False), (7, 25, False), (12, 12, False), (12, 13, True)]
)
def test_a_proposal_is_on_a_learning_within_three_lines(first: int, last: int, inside: bool) -> None:
    assert is_inside(first, last, Learning(start_line=10, end_line=21)) is inside


def test_a_merged_episode_is_the_proposal_whose_probability_it_has() -> None:
    def propose(first: int, last: int, *, is_vetoed: bool = False) -> Proposal:
        return Proposal(Episode(first, last, ("red_to_green",)), 0, (), (), is_vetoed, False, False)

    session = Measured(
        Label(session_file="a"),
        (propose(0, 9), propose(12, 30), propose(2, 8), propose(60, 70), propose(90, 99, is_vetoed=True)),
    )
    assert choose_proposals(session, [0.5, 0.4, 0.5, 0.7, 0.9]) == [3, 2]
    assert choose_proposals(session, [0.5, 0.4, 0.5, 0.7, 0.9], 1) == [3]


def test_without_numpy_the_extra_is_named(
    place: Place, evaluate: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("research.evaluation.find_spec", lambda _: None)
    done = evaluate("study", *place.arguments)
    assert (done.code, "[dev]" in done.err) == (1, True)


def test_a_missing_option_and_a_misspelt_command_are_usage_errors(evaluate: Callable[..., Any]) -> None:
    done = evaluate("score", "report.json")
    assert (done.code, "Missing option '--labels'" in done.err) == (2, True)
    assert evaluate("studdy").err.count("Did you mean study?") == 1


@pytest.mark.process
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_reading_can_be_interrupted(corpus: Place, apart: Path, jobs: str) -> None:
    """In the middle of a session: its measurement waits for ever, in this process or in those that it started."""
    hold = apart / "hold.py"
    hold.write_text(
        "import sys, time\n"
        "from research.evaluation import measuring\n"
        "def measure(*_):\n    open(sys.argv[-1] + '.begun', 'w').close()\n    time.sleep(600)\n"
        "measuring.analyse_observations = measure\n"
        "if __name__ == '__main__':\n"
        "    from research.evaluation.__main__ import main\n"
        "    sys.exit(main(sys.argv[1:-1]))\n",
        encoding="utf-8",
    )
    arguments = ["fit", *corpus.arguments[:-1], jobs, "--out", str(apart / "weights.json"), str(apart / "mark")]
    checkout = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, hold, *arguments], stderr=subprocess.PIPE, text=True, env=checkout)
    try:
        while not (apart / "mark.begun").exists():
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, "Traceback" in err) == (130, False)
