"""`make bench` goes on where a part fails, keeps what was measured, and tells noise from changes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from research.benchmarks import compare, results, suite, table
from research.benchmarks.parts import PARTS, Part, Row
from tests.testkit.paths import ROOT

SOUND = 'import sys, json; print(json.dumps({"seconds": 2.5, "rows": [{"same": True}], "given": sys.argv[1:]}))'
ROWS = (Row("seconds", "seconds of work", most=2), Row("rows/0/same", "the same", least=1, better="neither"))


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Part]:
    """Three programs, of which the second fails."""
    programs = {"sound": SOUND, "broken": "raise OSError('the disk is full')", "later": SOUND}
    for name, text in programs.items():
        (tmp_path / f"{name}.py").write_text(text)
    made = {name: Part((name, "-v"), ("--few",), 1, ROWS) for name in programs}
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    for module in (suite, compare, table):
        monkeypatch.setattr(module, "PARTS", made)
    return made


def ran(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["suite.py", *arguments])
    return suite.main()


def document(part: str = "sound", machine: dict[str, Any] | None = None, **runs: list[float]) -> results.Document:
    [(name, values)] = runs.items()
    each = {"commit": "c", "changed": False, "at": "2026-01-01", "load": 1, "runs": [{name: value} for value in values]}
    return {"version": 1, "machine": machine or results.describe_machine(), "parts": {part: each}}


@pytest.mark.usefixtures("parts")
def test_a_failing_part_is_named_and_the_others_continue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    assert ran(monkeypatch, "--out", str(out), "--quick", "--repeat", "2") == 1
    found = results.load_document(out)
    given = {"seconds": 2.5, "rows": [{"same": True}], "given": ["-v", "--few", "--json"]}
    assert {name: part["runs"] for name, part in found["parts"].items()} == {
        "sound": [given, given],
        "broken": [],
        "later": [given, given],
    }
    assert found["parts"]["broken"]["failed"] == "exit code 1: OSError: the disk is full"
    assert found["machine"] == results.describe_machine()
    printed = capsys.readouterr()
    assert "[2/6] broken: about 1 s, with all that follows 0 min ... FAILED: exit code 1" in printed.err
    assert "broken failed: exit code 1: OSError: the disk is full\n" in printed.err
    assert "misses its target: seconds of work: 2.5 (2 at most)\n" in printed.err
    assert "| seconds of work | **2.5** | 2 at most |\n| the same | 1 | 1 at least |\n" in printed.out
    assert printed.out.startswith("Quick run: ")


@pytest.mark.usefixtures("parts")
def test_running_one_part_keeps_the_other_results_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.json"
    results.save_document(out, document("later", seconds=[7]))
    assert ran(monkeypatch, "--out", str(out), "--only", "sound") == 0
    assert {name: results.compute_medians(part) for name, part in results.load_document(out)["parts"].items()} == {
        "later": {"seconds": 7},
        "sound": {"seconds": 2.5, "rows/0/same": 1},
    }
    results.save_document(out, document("later", machine={"cores": 1_000}, seconds=[7]))
    assert ran(monkeypatch, "--out", str(out), "--only", "sound") == 0
    assert list(results.load_document(out)["parts"]) == ["sound"]


def test_a_part_that_takes_far_too_long_is_stopped(
    parts: dict[str, Part], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sound.py").write_text("import threading; threading.Event().wait()")
    monkeypatch.setattr(suite, "TIMEOUT_MARGIN_SECONDS", 0.1)
    with pytest.raises(suite.FailedError, match="not finished after"):
        suite.run_part(parts["sound"], quick=False, seconds=0.0)


def test_the_real_parts_are_found_where_the_suite_starts_them() -> None:
    part = PARTS["finisher"]._replace(quick=("--help",))
    with pytest.raises(suite.FailedError, match="exit code 0: "):  # help is no JSON
        suite.run_part(part, quick=True, seconds=10)


@pytest.mark.usefixtures("parts")
def test_the_table_replaces_the_one_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{table.BEGIN}\nold\n{table.END}\nafter\n")
    monkeypatch.setattr(table, "PAGE", page)
    table.write_table(document(seconds=[1, 3, 1.5]))
    told = page.read_text()
    assert told.startswith(
        f"before\n{table.BEGIN}\n\n| measured | | target |\n|---|---|---|\n| seconds of work | 1.5 | 2 at most |\n\n"
    )
    assert told.endswith(f"\n\n{table.END}\nafter\n")
    assert "old" not in told


@pytest.mark.usefixtures("parts")
@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ([10], [10.5], ""),
        ([10], [12], "worse"),
        ([10], [8], "better"),
        ([8, 10, 12], [12, 12, 12], ""),
        ([10, 10, 10], [12, 12, 12], "worse"),
    ],
)
def test_only_a_difference_beyond_the_noise_is_a_change(old: list[float], new: list[float], verdict: str) -> None:
    [found] = compare.list_changes(document(seconds=old), document(seconds=new))
    assert (found.name, found.verdict) == ("sound/seconds", verdict)


def test_higher_is_better_only_for_such_figures_and_counts_are_neutral() -> None:
    def verdicts(old: float, new: float) -> list[str]:
        changed: list[str] = []
        for part, name in (("throughput", "percent"), ("yardstick", "ordinary/pairs"), ("startup", "not in the table")):
            before, after = ({"parts": {part: {"runs": [{name: value}]}}} for value in (old, new))
            changed += [each.verdict for each in compare.list_changes(before, after)]
        return changed

    assert verdicts(10, 20) == ["better", "changed", "changed"]
    assert verdicts(20, 10) == ["worse", "changed", "changed"]


@pytest.mark.usefixtures("parts")
def test_a_comparison_begins_with_the_reasons_against_comparing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = {**results.describe_machine(), "orjson": "0.1"}
    for name, made in (("old", document(seconds=[1], machine=other)), ("new", document(seconds=[3]))):
        (tmp_path / name).write_text(json.dumps(made))
    monkeypatch.setattr(sys, "argv", ["compare.py", str(tmp_path / "old"), str(tmp_path / "new")])
    assert compare.main() == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"not comparable: orjson: 0.1, now {results.describe_machine()['orjson']}"
    assert said[1].split() == ["sound/seconds", "1", "3", "3.00", "x", "worse"]
    assert said[2:] == ["1 numbers in both, 0 of them unchanged within the noise"]


@pytest.mark.parametrize("text", ["", "[]", '{"parts": 3}', "\x00"])
def test_a_file_that_is_no_result_document_is_rejected(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some.json"
    path.write_text(text)
    monkeypatch.setattr(sys, "argv", ["compare.py", str(path), str(path)])
    assert compare.main() == 2
    assert capsys.readouterr().err == f"{path} is not a document of research/benchmarks/suite.py --out\n"


def test_every_part_is_an_existing_program() -> None:
    files = {
        name: ROOT / "research/benchmarks" / program
        if program.endswith(".mjs")
        else ROOT / f"{program.replace('.', '/')}.py"
        for name, program in ((name, part.command[0]) for name, part in PARTS.items())
    }
    assert [name for name, file in files.items() if not file.is_file()] == []
    assert [
        row.at for part in PARTS.values() for row in part.rows if row.better not in ("less", "more", "neither")
    ] == []
