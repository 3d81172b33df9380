"""`python -m mind_skills.evaluation score` as it is called: what it prints, and what it says to wrong input."""

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
from jsonschema import Draft202012Validator

from mind_skills.evaluation.report import EvalReport
from mind_skills.output.document import make_json_schema
from tests.testkit.paths import DEMO

SCHEMA = make_json_schema(EvalReport)
LEARNT = {"title": "decimals", "start_line": 1, "end_line": 22, "key_phrases": ["2.67499", "rounding"]}
OTHER = {"title": "another", "start_line": 22, "end_line": 23}


class Place:
    """A folder of sessions, all of them the bundled one, and their labels."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.labels = folder / "sessions", folder / "labels.jsonl"
        self.folder.mkdir()
        self.written: list[str] = []

    def session(self, name: str, *learnings: dict[str, Any], **more: Any) -> None:
        (self.folder / name).write_bytes(DEMO.read_bytes())
        self.label(f"sessions/{name}", *learnings, **more)

    def label(self, name: str, *learnings: dict[str, Any], **more: Any) -> None:
        self.line(json.dumps({"session_file": name, "length": 23, "learnings": learnings} | more))

    def line(self, text: str) -> None:
        self.written.append(text)
        self.labels.write_text("\n".join(self.written), encoding="utf-8")

    @property
    def arguments(self) -> tuple[str, ...]:
        return "score", "--labels", str(self.labels), "--corpus", str(self.folder), "--jobs", "1"


@pytest.fixture
def place(apart: Path) -> Place:
    return Place(apart)


def test_a_hit_a_miss_a_neutral_candidate_and_a_missed_learning_are_distinguished(
    place: Place, evaluate: Callable[..., Any]
) -> None:
    place.session("hit.jsonl", LEARNT)
    place.session("wrong.jsonl")
    place.session("neutral.jsonl", disputed=[LEARNT])
    place.session("missed.jsonl", OTHER)
    done = evaluate(*place.arguments, "--rows", "--json")
    report = done.json
    Draft202012Validator(SCHEMA).validate(report)
    assert (done.code, done.err) == (0, "")
    assert {row["session"]: row["verdict"] for row in report["rows"]} == {
        "hit.jsonl": "named",
        "wrong.jsonl": "wrong",
        "neutral.jsonl": "neutral",
        "missed.jsonl": "wrong",
    }
    assert report["missed"] == [{"session": "missed.jsonl", "first": 22, "last": 23, "title": "another"}]
    assert (report["sessions"], report["silentSessions"], report["noisySessions"]) == (4, 1, ["wrong.jsonl"])
    whole = report["all"]
    assert (whole["candidates"], whole["neutral"], whole["noisy"], whole["unplaced"]) == (3, 1, 1, 0)
    assert whole["named"] == {
        "precision": {"hits": 1, "tries": 3, "rate": 0.333, "low": 0.0, "high": 1.0},
        "recall": {"hits": 1, "tries": 2, "rate": 0.5, "low": 0.0, "high": 1.0},
    }
    assert sum(each["candidates"] for each in report["kinds"]) == 3
    assert sum(each["candidates"] for each in report["confidences"]) == 3


def report_rows(report: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = report["rows"]
    return rows


def test_without_options_only_figures_are_printed(place: Place, evaluate: Callable[..., Any]) -> None:
    place.session("a.jsonl", LEARNT)
    report = evaluate(*place.arguments, "--json").json
    Draft202012Validator(SCHEMA).validate(report)
    assert {name: report[name] for name in ("rows", "missed", "rules", "problems", "missing")} == {
        "rows": None,
        "missed": None,
        "rules": None,
        "problems": [],
        "missing": [],
    }
    text = evaluate(*place.arguments, "--rows").out
    assert "strict\t1.000\t1.00-1.00\t1 of 1\t1.000\t1.00-1.00\t1 of 1" in text
    assert "useful\t1.000\t1.00-1.00\t1 of 1" in text
    assert "all\t1\t1.000 (1.00-1.00)\t1.000" in text
    (row,) = report_rows(evaluate(*place.arguments, "--rows", "--json").json)
    assert f"{row['verdict']}\t{row['probability']:.2f}\t{row['confidence']}\t" in text


def test_a_broken_label_is_reported_with_its_line_and_the_others_count(
    place: Place, evaluate: Callable[..., Any]
) -> None:
    place.session("a.jsonl", LEARNT)
    place.line("{broken")
    place.line('{"session_file": "b.jsonl"}')
    done = evaluate(*place.arguments, "--json")
    assert (done.code, done.json["sessions"], len(done.json["problems"])) == (0, 1, 2)
    assert done.json["problems"][0].startswith("Labels, line 2 is skipped: not valid JSON")
    assert done.json["problems"][1] == "Labels, line 3 is skipped: length: Field required."
    assert done.err.splitlines() == done.json["problems"]


def test_a_label_without_a_session_counts_as_not_found_and_is_reported(
    place: Place, evaluate: Callable[..., Any]
) -> None:
    place.session("a.jsonl", LEARNT)
    place.label("gone.jsonl", OTHER)
    (place.folder / "torn.jsonl").write_text("{", encoding="utf-8")
    place.label("torn.jsonl", OTHER)
    done = evaluate(*place.arguments, "--json")
    assert (done.code, done.json["missing"], done.json["sessions"]) == (0, ["gone.jsonl", "torn.jsonl"], 1)
    assert done.json["all"]["strict"]["recall"] == {"hits": 1, "tries": 3, "rate": 0.333, "low": 0.0, "high": 1.0}
    assert len(done.json["problems"]) == 1
    assert "torn.jsonl" in done.json["problems"][0]
    assert "gone.jsonl was not replayed; its learnings count as not found." in done.err


@pytest.mark.parametrize(
    ("spoil", "code", "says"),
    [
        (lambda place: place.labels.unlink(), "no_labels", "No such file"),
        (lambda place: place.labels.write_text("\n"), "no_labels", "No labels"),
        (lambda place: place.labels.write_text("[1]\n"), "no_labels", "No labels"),
        (lambda place: place.label("elsewhere/a.jsonl"), "ambiguous", "Two labels are for a session named a.jsonl"),
        (lambda place: place.folder.rename(place.folder.with_name("x")), "no_corpus", "No such folder"),
        (lambda place: (place.folder / "a.jsonl").unlink(), "no_sessions", "None of the 1 labelled sessions"),
    ],
)
def test_wrong_input_is_reported_with_a_hint(
    place: Place, evaluate: Callable[..., Any], spoil: Callable[[Place], Any], code: str, says: str
) -> None:
    place.session("a.jsonl", LEARNT)
    spoil(place)
    done = evaluate(*place.arguments, "--json")
    error = done.json["error"]
    assert (done.code, error["code"], says in error["message"], error["hint"] != "") == (1, code, True, True)


def test_two_sessions_with_the_same_name_are_an_error(place: Place, evaluate: Callable[..., Any]) -> None:
    place.session("a.jsonl", LEARNT)
    (place.folder / "copy").mkdir()
    (place.folder / "copy/a.jsonl").write_bytes(DEMO.read_bytes())
    done = evaluate(*place.arguments, "--json")
    assert (done.code, done.json["error"]["code"]) == (1, "ambiguous")
    assert done.json["error"]["message"].startswith("Two sessions are named a.jsonl")


def test_files_that_no_label_names_are_not_opened(place: Place, evaluate: Callable[..., Any]) -> None:
    place.session("a.jsonl", LEARNT)
    os.mkfifo(place.folder / "b.jsonl")
    (place.folder / "c.jsonl").write_text("broken", encoding="utf-8")
    assert evaluate(*place.arguments, "--json").json["problems"] == []


@pytest.mark.process
def test_several_processes_give_the_result_of_one(place: Place, evaluate: Callable[..., Any]) -> None:
    for number in range(3):
        place.session(f"{number}.jsonl", LEARNT)
    one = evaluate(*place.arguments, "--rows", "--json").json
    assert evaluate(*place.arguments, "--rows", "--json", "--jobs", "2").json == one


def test_scoring_writes_no_files(place: Place, evaluate: Callable[..., Any], apart: Path) -> None:
    place.session("a.jsonl", LEARNT)
    before = sorted(apart.rglob("*"))
    assert evaluate(*place.arguments).code == 0
    assert sorted(apart.rglob("*")) == before


@pytest.mark.process
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_scoring_can_be_interrupted(place: Place, apart: Path, jobs: str) -> None:
    """In the middle of a session: the judging of it waits for ever, in this process or in those that it started."""
    place.session("a.jsonl", LEARNT)
    place.session("b.jsonl", LEARNT)
    hold = apart / "hold.py"
    hold.write_text(
        "import sys, time\n"
        "from mind_skills.evaluation import running\n"
        "def judge(*_):\n    open(sys.argv[-1] + '.begun', 'w').close()\n    time.sleep(600)\n"
        "if __name__ != '__main__': running.analyse.analyse_observations = judge\n"
        "else:\n"
        "    running.analyse.analyse_observations = judge\n"
        "    from mind_skills.evaluation.__main__ import main\n"
        "    sys.exit(main(sys.argv[1:-1]))\n",
        encoding="utf-8",
    )
    arguments = [*place.arguments[:-1], jobs, "--json", str(apart / "mark")]
    process = subprocess.Popen(
        [sys.executable, hold, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        while not (apart / "mark.begun").exists():
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, json.loads(out)["error"]["code"], "Traceback" in err) == (130, "interrupted", False)


def test_a_missing_option_and_a_misspelt_subcommand_are_usage_errors(evaluate: Callable[..., Any]) -> None:
    done = evaluate("score", "--corpus", ".")
    assert (done.code, "Missing option '--labels'" in done.err) == (2, True)
    assert evaluate("studdy").err.count("Did you mean study?") == 1
