"""Agents with and without what was learned: the plan, the figures, and that the page is in step with the recordings."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import gettempdir

import pytest

from research.evaluation.helps import PAGE, PLAN, RECORDINGS
from research.evaluation.helps import TRAPS as FOLDER
from research.evaluation.helps.figures import (
    BEGIN,
    END,
    SUFFIX,
    SUMS_FILE,
    Recording,
    Recordings,
    compute_interval,
    format_figures,
    format_sums,
    read_recordings,
)
from research.evaluation.helps.measures import Measures
from research.evaluation.helps.plan import draw_plan, format_plan, read_plan
from research.evaluation.helps.runs import Facts
from research.evaluation.helps.skills import parse_skill
from research.evaluation.helps.tools import MAX_ERROR, cut_middle
from research.evaluation.helps.transcript import Transcript
from tests.testkit.paths import ROOT

TRAPS = [f"trap-{number}" for number in range(10)]
CONTROLS = ["control-a", "control-b", "control-c"]


def test_a_plan_has_every_run_once_after_what_it_needs() -> None:
    plan = draw_plan(TRAPS, CONTROLS, 47)
    runs = [Facts(**each) for each in plan["order"]]
    arms = [facts.arm for facts in runs]
    assert (arms[:10], arms[10:20], len(runs), len({facts.name for facts in runs})) == (
        ["first"] * 10,
        ["writer"] * 10,
        128,
        128,
    )
    seconds = {arm: arms.count(arm) for arm in ("with", "without", "reminder")}
    assert seconds == {"with": 39, "without": 39, "reminder": 30}
    assert (len(plan["kept_back"]), set(plan["kept_back"]) < set(TRAPS)) == (4, True)
    assert (draw_plan(TRAPS, CONTROLS, 47) == plan, draw_plan(TRAPS, CONTROLS, 48)["order"] == plan["order"]) == (
        True,
        False,
    )


def test_a_plan_is_printed_with_the_needs_of_each_run() -> None:
    rows = format_plan(draw_plan(["lock"], ["control-a"], 1)).splitlines()[4:]
    assert {row.partition("| ")[2].split(" | ", 1)[1] for row in rows} == {
        "lock-first |  |",
        "lock-writer | `learn` on the first |",
        *(f"lock-with-{number} | the writer |" for number in (1, 2, 3)),
        *(f"lock-without-{number} |  |" for number in (1, 2, 3)),
        *(f"lock-reminder-{number} | `learn` on the first |" for number in (1, 2, 3)),
        *(f"control-a-with-{number} | all writers |" for number in (1, 2, 3)),
        *(f"control-a-without-{number} |  |" for number in (1, 2, 3)),
    }


def test_nothing_but_a_run_tells_its_session() -> None:
    names = [Facts("lock", "with", 1), Facts("lock", "with", 1), Facts("lock", "with", 2), Facts("lock", "first")]
    assert len({facts.session for facts in names}) == 3


def record(trap: str, arm: str, number: int = 1, *, solved: bool = True, **measures: object) -> Recording:
    known = {"solved": solved, "skills": {"a": "text", "b": "text"}, "counts": {"offered": 3}}
    return Recording(Facts(trap, arm, number), known, Measures(**measures))  # type: ignore[arg-type]


FIGURES = """\
Recorded: 8 of 22 planned runs. Seed: 1. Kept back: lock, port.

SHA-256 of the list of all recordings' SHA-256: `e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855`.

Second tasks solved: 5 of 6. Reminded: 1 of 1 in the arm *reminder*.

### Pooled, and as ratio to *without*

|  | arm | solved | difference | calls | ratio | failed calls | ratio | tokens read | ratio | minutes |
|---|---|---|---|---|---|---|---|---|---|---|
| kept back | with | 1.00 (1.00–1.00) | 0.25 (0.00–0.50) | 6.0 (5.0–7.0) | 0.60 (0.50–0.70) | 0.5 (0.0–1.0) \
| 0.17 (0.00–0.25) | 1,100 (1,000–1,200) | inf (inf–inf) | 0.0 (0.0–0.0) |
|  | without | 0.75 (0.50–1.00) |  | 10.0 (10.0–10.0) |  | 3.0 (2.0–4.0) |  | 0 (0–0) |  | 0.0 (0.0–0.0) |
|  | reminder | 1.00 (1.00–1.00) | 0.00 (0.00–0.00) | 9.0 (9.0–9.0) | 0.90 (0.90–0.90) \
| 4.0 (4.0–4.0) | 1.00 (1.00–1.00) | 0 (0–0) | 1.00 (1.00–1.00) | 0.0 (0.0–0.0) |
| kept back, taught | with | 1.00 (1.00–1.00) | 0.50 (0.50–0.50) | 5.0 (5.0–5.0) | 0.50 (0.50–0.50) \
| 0.0 (0.0–0.0) | 0.00 (0.00–0.00) | 1,000 (1,000–1,000) | inf (inf–inf) | 0.0 (0.0–0.0) |
|  | without | 0.50 (0.50–0.50) |  | 10.0 (10.0–10.0) |  | 2.0 (2.0–2.0) |  | 0 (0–0) |  | 0.0 (0.0–0.0) |
| all traps | with | 1.00 (1.00–1.00) | 0.25 (0.00–0.50) | 6.0 (5.0–7.0) | 0.60 (0.50–0.70) | 0.5 (0.0–1.0) \
| 0.17 (0.00–0.25) | 1,100 (1,000–1,200) | inf (inf–inf) | 0.0 (0.0–0.0) |
|  | without | 0.75 (0.50–1.00) |  | 10.0 (10.0–10.0) |  | 3.0 (2.0–4.0) |  | 0 (0–0) |  | 0.0 (0.0–0.0) |
|  | reminder | 1.00 (1.00–1.00) | 0.00 (0.00–0.00) | 9.0 (9.0–9.0) | 0.90 (0.90–0.90) \
| 4.0 (4.0–4.0) | 1.00 (1.00–1.00) | 0 (0–0) | 1.00 (1.00–1.00) | 0.0 (0.0–0.0) |
| taught | with | 1.00 (1.00–1.00) | 0.50 (0.50–0.50) | 5.0 (5.0–5.0) | 0.50 (0.50–0.50) | 0.0 (0.0–0.0) \
| 0.00 (0.00–0.00) | 1,000 (1,000–1,000) | inf (inf–inf) | 0.0 (0.0–0.0) |
|  | without | 0.50 (0.50–0.50) |  | 10.0 (10.0–10.0) |  | 2.0 (2.0–2.0) |  | 0 (0–0) |  | 0.0 (0.0–0.0) |
| not taught | with | 1.00 (1.00–1.00) | 0.00 (0.00–0.00) | 7.0 (7.0–7.0) | 0.70 (0.70–0.70) \
| 1.0 (1.0–1.0) | 0.25 (0.25–0.25) | 1,200 (1,200–1,200) | inf (inf–inf) | 0.0 (0.0–0.0) |
|  | without | 1.00 (1.00–1.00) |  | 10.0 (10.0–10.0) |  | 4.0 (4.0–4.0) |  | 0 (0–0) |  | 0.0 (0.0–0.0) |
|  | reminder | 1.00 (1.00–1.00) | 0.00 (0.00–0.00) | 9.0 (9.0–9.0) | 0.90 (0.90–0.90) \
| 4.0 (4.0–4.0) | 1.00 (1.00–1.00) | 0 (0–0) | 1.00 (1.00–1.00) | 0.0 (0.0–0.0) |

### What was learned

|  | first task solved | offered | skills written | right | offer, tokens | digest, tokens |
|---|---|---|---|---|---|---|
| lock (kept back) | yes | 3 | 2 | 1 | 90 | 800 |
| port (kept back) | – | – | – | – | – | – |

### By trap

|  | calls: with | without | reminder | failed calls: with | without | reminder | tokens read: with \
| without | reminder | solved: with | without | reminder | loaded: with | reminded: reminder |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
| lock (kept back) | 5.0 | 10.0 | – | 0.0 | 2.0 | – | 1,000 | 0 | – | 1/1 | 1/2 | – | 1/1 | – |
| port (kept back) | 7.0 | 10.0 | 9.0 | 1.0 | 4.0 | 4.0 | 1,200 | 0 | 0 | 1/1 | 1/1 | 1/1 | 0/1 | 1/1 |"""


def test_the_tables_are_computed_from_every_recording() -> None:
    runs = [
        record("lock", "first"),
        record("lock", "writer", offer_tokens=90, digest_tokens=800),
        record("lock", "with", calls=5, tokens=1000, loaded=("a",)),
        record("lock", "without", calls=8, failed=1),
        record("lock", "without", 2, solved=False, calls=12, failed=3),
        record("port", "with", calls=7, failed=1, tokens=1200),
        record("port", "without", calls=10, failed=4),
        record("port", "reminder", calls=9, failed=4, reminders=1),
    ]
    found = Recordings(judgements={"lock": {"a": {"right": True}, "b": {"right": False}}})
    for run in runs:
        found.runs.setdefault((run.facts.trap, run.facts.arm), []).append(run)
    assert format_figures(found, draw_plan(["lock", "port"], [], 1), "") == FIGURES
    found.judgements = {}
    assert "| lock (kept back) | yes | 3 | 2 | not judged |" in format_figures(found, draw_plan(["lock"], [], 1), "")


def test_an_interval_is_over_traps() -> None:
    values = dict(zip(TRAPS, range(10), strict=True))
    interval = compute_interval(lambda chosen: sum(values[trap] for trap in chosen) / len(chosen), TRAPS)
    # The standard error of a mean of ten of these is .91.
    assert interval == pytest.approx((4.5 - 1.96 * 0.91, 4.5 + 1.96 * 0.91), abs=0.15)


def test_the_page_is_in_step_with_the_recordings() -> None:
    sums = format_sums(RECORDINGS)
    figures = format_figures(read_recordings(RECORDINGS), read_plan(PLAN), sums)
    assert PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0] == f"\n\n{figures}\n\n"
    if sums:
        assert (RECORDINGS / SUMS_FILE).read_text(encoding="utf-8") == sums


def test_no_recording_names_a_path_of_the_machine_that_made_it() -> None:
    texts = {path.name: gzip.decompress(path.read_bytes()).decode() for path in RECORDINGS.glob(f"*{SUFFIX}")}
    foreign = (str(ROOT), gettempdir() + "/helps")
    assert [(name, path) for name, text in texts.items() for path in foreign if path in text] == []


@pytest.mark.parametrize("trap", sorted(path.parent.name for path in FOLDER.glob("*/records.json")))
def test_a_repository_is_built_with_the_same_bytes_each_time(tmp_path: Path, trap: str) -> None:
    for seed in ("1", "2"):
        command = [sys.executable, "-B", str(FOLDER / "build.py"), str(FOLDER / trap), str(tmp_path / seed)]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
    first, second = (
        {
            path.relative_to(tmp_path / seed): path.read_bytes()
            for path in (tmp_path / seed).rglob("*")
            if path.is_file()
        }
        for seed in ("1", "2")
    )
    assert first == second


@pytest.mark.parametrize(
    ("text", "skill"),
    [
        ("---\nname: a\ndescription: Use b\n---\n\n# C\n", ("a", "Use b", "# C")),
        ("---\ndescription: Use b\n---\nC", ("folder", "Use b", "C")),
        ("no front", ("folder", "", "no front")),
    ],
)
def test_a_skill_is_read_as_its_host_does(text: str, skill: tuple[str, str, str]) -> None:
    assert parse_skill(text, "folder") == skill


def test_half_a_line_of_a_killed_call_is_replaced(tmp_path: Path) -> None:
    transcript = Transcript(tmp_path, "s")
    transcript.add_prompt("begin")
    whole = transcript.path.read_bytes()
    transcript.path.write_bytes(whole + b'{"uuid":"half')
    transcript.add_answer("on")
    first, second = map(json.loads, transcript.path.read_bytes().splitlines())
    assert (json.loads(whole), second["parentUuid"]) == (first, first["uuid"])


def test_a_long_failure_loses_its_middle() -> None:
    assert cut_middle("a" * MAX_ERROR) == "a" * MAX_ERROR
    text = cut_middle("a" * MAX_ERROR + "b" * 7)
    assert (text[:5000], text[5000:-5000], text[-7:]) == (
        "a" * 5000,
        "\n\n... [7 characters truncated] ...\n\n",
        "b" * 7,
    )
