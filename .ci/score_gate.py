#!/usr/bin/env python3
"""Check the weights and the digests of unseen owners against the stored study, and docs/detection.md against it.

usage: score_gate.py SHARED [--write]

SHARED contains corpus/ and corpus/new/ (labels, sessions) and digest/score_digest.py, the labels' own scorer. The study is measured,
which takes two minutes. A fit to all labelled sessions must reproduce detectors/weights.json; no figure of HELD_OUT may be worse than
in .ci/study.json; the scorer must give the same figures as the evaluation, to the last digit; and docs/detection.md must match
.ci/study.json, which must have been measured with the current weights. Better results are accepted and reported.

With --write, the study is written to .ci/study.json and the page. The exit code is 1 if a check fails.
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
from pathlib import Path
from typing import Any

from detection_tables import PAGE, update_page

HERE = Path(__file__).parent
ROOT = str(HERE.parent)
WEIGHTS, STUDY = HERE.parent / "detectors" / "weights.json", HERE / "study.json"
EVALUATION = (sys.executable, "-m", "research.evaluation")
HELD_OUT = {
    "whole": 1,
    "named": 1,
    "borne_out": 1,
    "covered": 1,
    "gate_precision": 1,
    "gate_recall": 1,
    "characters": -1,
}
"""Figures that may not be worse, with 1 if more is better and -1 if less is."""
KEPT, BETTER, BROKEN = "kept  ", "better", "BROKEN"

Finding = tuple[str, str]
"""One of these three states, and a message."""


def run_study(labels: Sequence[Path], corpora: Sequence[Path], digests: Path) -> dict[str, Any]:
    """Run the study with a home folder of its own. Exits if it fails."""
    arguments = [*EVALUATION, "study", "--digests", str(digests)]
    arguments += [word for path in labels for word in ("--labels", str(path))]
    arguments += [word for path in corpora for word in ("--corpus", str(path))]
    with tempfile.TemporaryDirectory() as home:
        environment = {"HOME": home, "MIND_SKILLS_HOME": f"{home}/state", "PATH": "/usr/bin:/bin", "PYTHONPATH": ROOT}
        completed = subprocess.run(arguments, stdout=subprocess.PIPE, env=environment, check=False)
    if completed.returncode:
        sys.exit(f"{' '.join(arguments)}: exit code {completed.returncode}")
    study: dict[str, Any] = json.loads(completed.stdout)
    return study


def check_equal(name: str, value: object, expected: object) -> Finding:
    """Compare a value that must match exactly."""
    return (KEPT if value == expected else BROKEN), f"{name} = {expected}: {value}"


def check_study(study: dict[str, Any], stored: dict[str, Any]) -> Iterator[Finding]:
    """Check that a fit gives the weights, and that no figure of unseen owners is worse than the stored one."""
    weights = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
    yield (KEPT if study["weights"] == weights else BROKEN), f"detectors/{WEIGHTS.name} equals the result of a fit"
    yield check_equal("problems", study["problems"], [])
    yield check_equal("owners", study["owners"], stored["owners"])
    for name in ("sessions", "learnings"):
        yield check_equal(name, study["digest"][name], stored["digest"][name])
    for name, sign in HELD_OUT.items():
        value, bound = study["digest"][name], stored["digest"][name]
        gain = sign * (value - bound)
        yield (BROKEN if gain < 0 else BETTER if gain else KEPT), f"{name} of unseen owners: {value}, was {bound}"


def check_agreement(study: dict[str, Any], digests: Path, labels: Sequence[Path], scorer: Path) -> Iterator[Finding]:
    """Compare the figures with those of the labels' own scorer."""
    parsed = [json.loads(line) for path in labels for line in path.read_text("utf-8").split("\n") if line.strip()]
    report = json.loads(digests.read_text("utf-8"))
    sizes = {Path(each["path"]).name: Path(each["path"]).stat().st_size for each in report["sessions"]}
    expected = runpy.run_path(str(scorer))["score"](report, parsed, sizes)
    del expected["missed"]
    for name in sorted({*expected, *study["digest"]}):
        if expected.get(name) != study["digest"].get(name):
            yield check_equal(f"{name} by the scorer", study["digest"].get(name), expected.get(name))
    yield KEPT, f"the evaluation and the scorer were compared in {len(expected)} figures"


def check_page(stored: dict[str, Any]) -> Iterator[Finding]:
    """Check that the page matches the study, and the study the current weights."""
    text = PAGE.read_text(encoding="utf-8")
    is_current = update_page(text, stored) == text
    yield (KEPT if is_current else BROKEN), f"docs/{PAGE.name} shows .ci/{STUDY.name}"
    weights = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
    yield (KEPT if stored["weights"] == weights else BROKEN), f".ci/{STUDY.name} has the current weights"


def main() -> int:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--write", action="store_true", help="write the study and docs/detection.md")
    args = parser.parse_args()
    corpora = [args.shared / "corpus", args.shared / "corpus" / "new"]
    labels, started = [folder / "labels.jsonl" for folder in corpora], time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        digests = Path(folder) / "digests.json"
        study = run_study(labels, [each / "sessions" for each in corpora], digests)
        agreement = list(check_agreement(study, digests, labels, args.shared / "digest" / "score_digest.py"))
    if args.write:
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in study.items())
        STUDY.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
        PAGE.write_text(update_page(PAGE.read_text(encoding="utf-8"), study), encoding="utf-8")
    stored: dict[str, Any] = json.loads(STUDY.read_text(encoding="utf-8"))
    findings = [*check_study(study, stored), *agreement, *check_page(stored)]
    print(f"{time.monotonic() - started:.1f} s")
    for state, message in findings:
        print(state, message)
    states = {state for state, _ in findings}
    if BETTER in states:
        print(f"better than in .ci/{STUDY.name}: run `make tables`")
    return 1 if BROKEN in states else 0


if __name__ == "__main__":
    sys.exit(main())
