#!/usr/bin/env python3
"""Hold the detector to the baseline, weights.json to its fit, the evaluation to the corpus' scorer, and the page to what was measured.

usage: score_gate.py SHARED [--command mind-skills] [--write]

SHARED holds corpus/ (sessions, labels, score.py, inventory). Without --write, in half a minute: a fit to all labelled
sessions must give detectors/weights.json to the byte, and no figure that it reaches out of fold may be worse than in
.ci/baseline.json; on every SAMPLE-th session replay is scored by the corpus' own scorer, and every figure and every
candidate's verdict must be the same in the evaluation, to the last digit; docs/detection.md must show what .ci/study.json holds, and that
must have been measured with the weights in use. Better than the baseline is accepted, and named.

With --write, in minutes: the whole study is measured anew, the page written of it, and the scorer and the evaluation are compared on
all sessions. The exit code is 1 where something is broken.
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

from detection_tables import PAGE, page

HERE = Path(__file__).parent
BASELINE, STUDY, WEIGHTS = HERE / "baseline.json", HERE / "study.json", HERE.parent / "detectors" / "weights.json"
EVALUATION = (sys.executable, "-m", "mind_skills.evaluation")
SAMPLE = 4
"""Every so-many-th label is in the comparison of eval and the scorer, where it is not the whole."""
KEPT, BETTER, BROKEN = "kept  ", "better", "BROKEN"

Finding = tuple[str, str]
"""One of the three, and what was found."""


def ask(arguments: Sequence[str], code: int = 0) -> dict[str, Any]:
    """The JSON that a command prints, run in a home of its own. Ends the program where it ends with another code."""
    with tempfile.TemporaryDirectory() as home:
        environment = {
            "HOME": home,
            "MIND_SKILLS_HOME": f"{home}/state",
            "PATH": "/usr/bin:/bin",
            "OMP_NUM_THREADS": "1",
        }
        done = subprocess.run(arguments, stdout=subprocess.PIPE, env=environment, check=False)
    if done.returncode != code:
        sys.exit(f"{' '.join(arguments)}: exit code {done.returncode}\n{done.stdout.decode(errors='replace')[:2000]}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def same(name: str, value: object, expected: object) -> Finding:
    """What must be exactly so."""
    return (KEPT if value == expected else BROKEN), f"{name} = {expected}: {value}"


def fitted(sessions: Sequence[str], baseline: dict[str, Any]) -> Iterator[Finding]:
    """The fit: the bytes that are shipped, and what it reaches on owners that it did not see."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "weights.json"
        report = ask([*EVALUATION, "fit", *sessions, "--out", str(out), "--jobs", "1", "--json"])
        yield (
            (KEPT if out.read_bytes() == WEIGHTS.read_bytes() else BROKEN),
            "detectors/weights.json is what a fit gives",
        )
    for name in ("sessions", "owners", "learnings"):
        yield same(name, report[name], baseline[name])
    yield same("problems", report["problems"], [])
    points = {str(point["recall"]): point for point in report["outside"]["points"]}
    print("".join(f"  out of fold, at recall {recall}: {point}\n" for recall, point in points.items()), end="")
    for recall, bounds in baseline["out_of_fold"].items():
        for name, bound in bounds.items():
            value = points[recall][name] if recall in points else 0.0
            gain = bound - value if name == "noisy" else value - bound
            state = BROKEN if recall not in points or gain < 0 else BETTER if gain > 0 else KEPT
            yield state, f"{name} at recall {recall}: {value}, was {bound}"


def in_the_scorers_words(report: dict[str, Any]) -> dict[str, Any]:
    """The report of eval."""
    whole, rules = report["all"], report["rules"]
    said: dict[str, Any] = {
        "sessions": report["sessions"],
        "missing": len(report["missing"]),
        "learnings": report["learnings"],
        "over_cap": report["overCap"],
        "silent_sessions": report["silentSessions"],
        **{name: whole[name] for name in ("candidates", "neutral", "unplaced", "repeats", "noisy", "chance")},
        "on_borderline": whole["onBorderline"],
        "useful_precision": whole["useful"]["rate"],
        "useful_chance": whole["usefulChance"],
        "rule_precision": rules["precision"]["rate"] if rules else 0.0,
        "rule_recall": rules["recall"]["rate"] if rules else 0.0,
    }
    for level in ("lenient", "strict", "named", "told"):
        said[f"{level}_precision"] = whole[level]["precision"]["rate"]
        said[f"{level}_recall"] = whole[level]["recall"]["rate"]
    for level in ("strict", "named", "told"):
        said[f"{level}_precision_95"] = [whole[level]["precision"][bound] for bound in ("low", "high")]
    counted = [row for row in report["rows"] if row["verdict"] not in ("neutral", "unplaced")]
    said["rows"] = [
        (row["session"], row["kind"], row["first"], row["last"], row["verdict"] in ("strict", "named"), row["title"])
        for row in counted
    ]
    return said


def agreement(command: str, corpus: Path, labels: Sequence[str]) -> Iterator[Finding]:
    """Where eval and the scorer differ on these labels, and where replay and eval do."""
    parsed = [json.loads(line) for line in labels]
    with tempfile.TemporaryDirectory() as folder:
        sample = Path(folder) / "labels.jsonl"
        sample.write_text("".join(f"{line}\n" for line in labels), encoding="utf-8")
        logs = [str(corpus / label["session_file"]) for label in parsed]
        options = ["--json", "--jobs", "1"]
        asked = ["score", "--labels", str(sample), "--corpus", str(corpus / "sessions"), "--rows"]
        with ThreadPoolExecutor(2) as pool:
            replayed, evaluated = pool.map(ask, ([command, "replay", *logs, *options], [*EVALUATION, *asked, *options]))
    yield same("sessions read", len(replayed["sessions"]), len(labels))
    wanted = runpy.run_path(str(corpus / "score.py"))["score"](replayed, parsed)
    mine = in_the_scorers_words(evaluated)
    # Equally good ones may change places: whose words they quote, which replay looks up and ranks by, eval does not ask.
    wanted, mine = ({**each, "rows": sorted(map(tuple, each["rows"]))} for each in (wanted, mine))
    differing = [name for name in sorted({*wanted, *mine}) if wanted.get(name) != mine.get(name)]
    for name in differing:
        yield BROKEN, f"{name}: the scorer says {wanted.get(name)!s:.300}, eval says {mine.get(name)!s:.300}"
    if not differing:
        yield KEPT, f"eval says what the scorer says: {len(wanted)} figures, {len(mine['rows'])} candidates"
    said = sorted(
        (Path(session["path"]).name, each["probability"], each["confidence"])
        for session in replayed["sessions"]
        for each in session["candidates"]
    )
    mine_said = sorted((row["session"], row["probability"], row["confidence"]) for row in evaluated["rows"])
    yield (KEPT if said == mine_said else BROKEN), "eval has the probabilities and confidences of replay"


def measure(sessions: Sequence[str]) -> None:
    """Write .ci/study.json and the page anew."""
    study = ask([*EVALUATION, "study", *sessions, "--json"])
    seen = ask([*EVALUATION, "score", *sessions, "--json"])
    study["seen"] = [*seen["confidences"][:1], seen["all"]]
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in study.items())
    STUDY.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), study), encoding="utf-8")


def shown() -> Iterator[Finding]:
    """Whether the page shows what was measured, with the weights in use."""
    study, text = json.loads(STUDY.read_text(encoding="utf-8")), PAGE.read_text(encoding="utf-8")
    right = page(text, study) == text
    yield (
        (KEPT if right else BROKEN),
        f"docs/{PAGE.name} shows .ci/{STUDY.name}{'' if right else ': run `make tables`'}",
    )
    used = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest() == study["weights"]
    yield (
        (KEPT if used else BROKEN),
        f".ci/{STUDY.name} is of the weights in use{'' if used else ': run `make tables`'}",
    )


def main() -> int:
    """The command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--command", default="mind-skills")
    parser.add_argument("--write", action="store_true", help="measure the whole study and write docs/detection.md")
    args = parser.parse_args()
    corpus: Path = args.shared / "corpus"
    baseline: dict[str, Any] = json.loads(BASELINE.read_text(encoding="utf-8"))
    labels = [line for line in (corpus / "labels.jsonl").read_text("utf-8").split("\n") if line.strip()]
    sessions = ["--labels", str(corpus / "labels.jsonl"), "--corpus", str(corpus / "sessions")]
    begun = time.monotonic()
    if args.write:
        measure(sessions)
    found = [
        *fitted(sessions, baseline),
        *agreement(args.command, corpus, labels if args.write else labels[::SAMPLE]),
        *shown(),
    ]
    print(f"{time.monotonic() - begun:.1f} s")
    for state, words in found:
        print(state, words)
    states = {state for state, _ in found}
    if BETTER in states:
        print(f"better than on {baseline['measured']}: write it into .ci/{BASELINE.name}, with the date")
    return 1 if BROKEN in states else 0


if __name__ == "__main__":
    sys.exit(main())
