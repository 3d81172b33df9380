#!/usr/bin/env python3
"""Check the detector against the baseline, its weights and the corpus' scorer, and docs/detection.md against the study.

usage: score_gate.py SHARED [--command mind-skills] [--write]

SHARED contains corpus/ (sessions, labels, score.py, inventory). Without --write, the checks take half a minute. Fits to all
labelled sessions must reproduce detectors/weights.json and user_rules.json byte for byte, and no held-out result of the first may
be worse than in .ci/baseline.json. Every SAMPLE-th session is replayed and scored by the corpus' own scorer, and every figure
and every candidate's verdict must equal those of the evaluation. docs/detection.md must match .ci/study.json, which must have
been measured with the current weights. Results better than the baseline are accepted and reported.

With --write, which takes minutes, the whole study is measured first and written to .ci/study.json and the page, and the scorer
and the evaluation are compared on all sessions. The exit code is 1 if a check fails.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from detection_tables import PAGE, update_page

HERE = Path(__file__).parent
DETECTORS = HERE.parent / "detectors"
BASELINE, STUDY = HERE / "baseline.json", HERE / "study.json"
WEIGHTS, RULE_WEIGHTS = DETECTORS / "weights.json", DETECTORS / "user_rules.json"
EVALUATION = (sys.executable, "-m", "mind_skills.evaluation")
SAMPLE = 4
"""Without --write, the evaluation is compared with the scorer on one label in this many."""
KEPT, BETTER, BROKEN = "kept  ", "better", "BROKEN"

Finding = tuple[str, str]
"""One of these three states, and a message."""


def run_json(arguments: Sequence[str], code: int = 0) -> dict[str, Any]:
    """Run a command with a home folder of its own, and return the JSON it prints. Exits if the exit code is unexpected."""
    with tempfile.TemporaryDirectory() as home:
        environment = {
            "HOME": home,
            "MIND_SKILLS_HOME": f"{home}/state",
            "PATH": "/usr/bin:/bin",
            "OMP_NUM_THREADS": "1",
        }
        completed = subprocess.run(arguments, stdout=subprocess.PIPE, env=environment, check=False)
    if completed.returncode != code:
        sys.exit(
            f"{' '.join(arguments)}: exit code {completed.returncode}\n{completed.stdout.decode(errors='replace')[:2000]}"
        )
    document: dict[str, Any] = json.loads(completed.stdout)
    return document


def check_equal(name: str, value: object, expected: object) -> Finding:
    """Compare a value that must match exactly."""
    return (KEPT if value == expected else BROKEN), f"{name} = {expected}: {value}"


def check_fit(sessions: Sequence[str], baseline: dict[str, Any]) -> Iterator[Finding]:
    """Check that a fit reproduces the shipped weights, and that its results on held-out owners are not worse."""
    with tempfile.TemporaryDirectory() as folder:
        out, rules_out = Path(folder) / WEIGHTS.name, Path(folder) / RULE_WEIGHTS.name
        report = run_json([*EVALUATION, "fit", *sessions, "--out", str(out), "--jobs", "1", "--json"])
        run_json([*EVALUATION, "rules", *sessions, "--out", str(rules_out), "--json"])
        for fitted, shipped in ((out, WEIGHTS), (rules_out, RULE_WEIGHTS)):
            yield (
                (KEPT if fitted.read_bytes() == shipped.read_bytes() else BROKEN),
                f"detectors/{shipped.name} equals the result of a fit",
            )
    for name in ("sessions", "owners", "learnings"):
        yield check_equal(name, report[name], baseline[name])
    yield check_equal("problems", report["problems"], [])
    points = {str(point["recall"]): point for point in report["outside"]["points"]}
    print("".join(f"  out of fold, at recall {recall}: {point}\n" for recall, point in points.items()), end="")
    for recall, bounds in baseline["out_of_fold"].items():
        for name, bound in bounds.items():
            value = points[recall][name] if recall in points else 0.0
            gain = bound - value if name == "noisy" else value - bound
            state = BROKEN if recall not in points or gain < 0 else BETTER if gain > 0 else KEPT
            yield state, f"{name} at recall {recall}: {value}, was {bound}"


def convert_report(report: dict[str, Any]) -> dict[str, Any]:
    """Convert the evaluation's report to the names of the scorer."""
    all_figures, rules = report["all"], report["rules"]
    figures: dict[str, Any] = {
        "sessions": report["sessions"],
        "missing": len(report["missing"]),
        "learnings": report["learnings"],
        "over_cap": report["overCap"],
        "silent_sessions": report["silentSessions"],
        **{name: all_figures[name] for name in ("candidates", "neutral", "unplaced", "repeats", "noisy", "chance")},
        "on_borderline": all_figures["onBorderline"],
        "useful_precision": all_figures["useful"]["rate"],
        "useful_chance": all_figures["usefulChance"],
        "rule_precision": rules["precision"]["rate"] if rules else 0.0,
        "rule_recall": rules["recall"]["rate"] if rules else 0.0,
    }
    for level in ("lenient", "strict", "named", "told"):
        figures[f"{level}_precision"] = all_figures[level]["precision"]["rate"]
        figures[f"{level}_recall"] = all_figures[level]["recall"]["rate"]
    for level in ("strict", "named", "told"):
        figures[f"{level}_precision_95"] = [all_figures[level]["precision"][bound] for bound in ("low", "high")]
    counted = [row for row in report["rows"] if row["verdict"] not in ("neutral", "unplaced")]
    figures["rows"] = [
        (row["session"], row["kind"], row["first"], row["last"], row["verdict"] in ("strict", "named"), row["title"])
        for row in counted
    ]
    return figures


def check_agreement(command: str, corpus: Path, labels: Sequence[str]) -> Iterator[Finding]:
    """Compare the evaluation with the scorer on these labels, and replay with the evaluation."""
    parsed = [json.loads(line) for line in labels]
    with tempfile.TemporaryDirectory() as folder:
        sample = Path(folder) / "labels.jsonl"
        sample.write_text("".join(f"{line}\n" for line in labels), encoding="utf-8")
        logs = [str(corpus / label["session_file"]) for label in parsed]
        options = ["--json", "--jobs", "1"]
        score_arguments = ["score", "--labels", str(sample), "--corpus", str(corpus / "sessions"), "--rows"]
        with ThreadPoolExecutor(2) as pool:
            replayed, evaluated = pool.map(
                run_json, ([command, "replay", *logs, *options], [*EVALUATION, *score_arguments, *options])
            )
    yield check_equal("sessions read", len(replayed["sessions"]), len(labels))
    expected = runpy.run_path(str(corpus / "score.py"))["score"](replayed, parsed)
    actual = convert_report(evaluated)
    # Candidates of equal score may be in another order: replay also ranks by whose words they quote, the evaluation does not.
    expected, actual = ({**each, "rows": sorted(map(tuple, each["rows"]))} for each in (expected, actual))
    differing = [name for name in sorted({*expected, *actual}) if expected.get(name) != actual.get(name)]
    for name in differing:
        yield BROKEN, f"{name}: {expected.get(name)!s:.300} by the scorer, {actual.get(name)!s:.300} by the evaluation"
    if not differing:
        yield KEPT, f"the evaluation agrees with the scorer: {len(expected)} figures, {len(actual['rows'])} candidates"
    replay_rows = sorted(
        (Path(session["path"]).name, each["probability"], each["confidence"])
        for session in replayed["sessions"]
        for each in session["candidates"]
    )
    evaluation_rows = sorted((row["session"], row["probability"], row["confidence"]) for row in evaluated["rows"])
    yield (
        (KEPT if replay_rows == evaluation_rows else BROKEN),
        "the evaluation has the same probabilities and confidences as replay",
    )


def write_study(sessions: Sequence[str]) -> None:
    """Write .ci/study.json and the page."""
    study = run_json([*EVALUATION, "study", *sessions, "--json"])
    in_fold = run_json([*EVALUATION, "score", *sessions, "--json"])
    study["seen"] = [*in_fold["confidences"][:1], in_fold["all"]]
    study["rules"] = run_json([*EVALUATION, "rules", *sessions, "--json"])
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in study.items())
    STUDY.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    PAGE.write_text(update_page(PAGE.read_text(encoding="utf-8"), study), encoding="utf-8")


def check_page() -> Iterator[Finding]:
    """Check that the page matches the study, and the study the current weights."""
    study, text = json.loads(STUDY.read_text(encoding="utf-8")), PAGE.read_text(encoding="utf-8")
    is_current = update_page(text, study) == text
    yield (
        (KEPT if is_current else BROKEN),
        f"docs/{PAGE.name} shows .ci/{STUDY.name}{'' if is_current else ': run `make tables`'}",
    )
    has_current_weights = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest() == study["weights"]
    yield (
        (KEPT if has_current_weights else BROKEN),
        f".ci/{STUDY.name} was measured with the current weights{'' if has_current_weights else ': run `make tables`'}",
    )


def main() -> int:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--command", default="mind-skills")
    parser.add_argument("--write", action="store_true", help="measure the whole study and write docs/detection.md")
    args = parser.parse_args()
    corpus: Path = args.shared / "corpus"
    baseline: dict[str, Any] = json.loads(BASELINE.read_text(encoding="utf-8"))
    labels = [line for line in (corpus / "labels.jsonl").read_text("utf-8").split("\n") if line.strip()]
    sessions = ["--labels", str(corpus / "labels.jsonl"), "--corpus", str(corpus / "sessions")]
    started = time.monotonic()
    if args.write:
        write_study(sessions)
    findings = [
        *check_fit(sessions, baseline),
        *check_agreement(args.command, corpus, labels if args.write else labels[::SAMPLE]),
        *check_page(),
    ]
    print(f"{time.monotonic() - started:.1f} s")
    for state, message in findings:
        print(state, message)
    states = {state for state, _ in findings}
    if BETTER in states:
        print(f"better than on {baseline['measured']}: update .ci/{BASELINE.name}, including the date")
    return 1 if BROKEN in states else 0


if __name__ == "__main__":
    sys.exit(main())
