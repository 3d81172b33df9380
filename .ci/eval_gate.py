#!/usr/bin/env python3
"""Hold what `mind-skills eval` says against the corpus' own scorer, and the tables of docs/detection.md against eval.

usage: eval_gate.py SHARED [--command mind-skills] [--write]

Every figure of the scorer must be one of eval's, to the last digit, and so must every candidate with its verdict. The
generated parts of docs/detection.md must be what eval prints; --write writes them. The exit code is 1 where something
differs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from detection_tables import PAGE, parts
from score_gate import replay

ROWS = "--rows"


def ask(command: str, corpus: Path, *options: str) -> dict[str, Any]:
    """The report of `mind-skills eval`, in a home of its own."""
    arguments = [command, "eval", "--labels", str(corpus / "labels.jsonl"), "--corpus", str(corpus), "--json", *options]
    with tempfile.TemporaryDirectory() as home:
        environment = {"HOME": home, "MIND_SKILLS_HOME": f"{home}/state", "PATH": "/usr/bin:/bin"}
        done = subprocess.run(arguments, stdout=subprocess.PIPE, env=environment, check=True)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def score(report: dict[str, Any], corpus: Path) -> dict[str, Any]:
    """What the corpus' own scorer says, with a row for each candidate."""
    program = (
        "import json, sys; sys.path.insert(0, sys.argv[1]); import score; labels = open(sys.argv[1] + '/labels.jsonl')"
    )
    program += (
        "; print(json.dumps(score.score(json.load(sys.stdin), [json.loads(line) for line in labels if line.strip()])))"
    )
    scored = subprocess.run(
        [sys.executable, "-c", program, str(corpus)],
        input=json.dumps(report), text=True, stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    result: dict[str, Any] = json.loads(scored.stdout)
    return result


def ours(report: dict[str, Any]) -> dict[str, Any]:
    """The report of eval in the scorer's words."""
    whole = report["all"]
    said: dict[str, Any] = {
        "sessions": report["sessions"],
        "missing": len(report["missing"]),
        "learnings": report["learnings"],
        "over_cap": report["overCap"],
        "silent_sessions": report["silentSessions"],
        **{name: whole[name] for name in ("candidates", "neutral", "unplaced", "noisy", "chance")},
    }
    for level in ("lenient", "strict", "named"):
        said[f"{level}_precision"] = whole[level]["precision"]["rate"]
        said[f"{level}_recall"] = whole[level]["recall"]["rate"]
    for level in ("strict", "named"):
        said[f"{level}_precision_95"] = [whole[level]["precision"][bound] for bound in ("low", "high")]
    counted = [row for row in report["rows"] if row["verdict"] not in ("neutral", "unplaced")]
    said["rows"] = [
        [row["session"], row["kind"], row["first"], row["last"], row["verdict"] in ("strict", "named"), row["title"]]
        for row in counted
    ]
    return said


def differences(theirs: dict[str, Any], mine: dict[str, Any]) -> Iterator[str]:
    """What the two say differently."""
    for name in sorted({*theirs, *mine}):
        if theirs.get(name) != mine.get(name):
            yield f"{name}: the scorer says {theirs.get(name)}, eval says {mine.get(name)}"


def main() -> int:
    """The command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--command", default="mind-skills")
    parser.add_argument("--write", action="store_true", help="write the generated parts of docs/detection.md")
    args = parser.parse_args()
    corpus: Path = args.shared / "corpus"
    report = ask(args.command, corpus, ROWS, "--ablation", "--folds")
    theirs = score(replay(args.command, corpus / "sessions")[0], corpus)
    wrong = list(differences(theirs, ours(report)))
    print(f"{'BROKEN' if wrong else 'kept  '} eval and the scorer agree on {len(theirs)} figures")
    page = PAGE.read_text(encoding="utf-8")
    wanted = parts(page, report)
    if args.write:
        PAGE.write_text(wanted, encoding="utf-8")
    elif wanted != page:
        wrong.append(f"{PAGE.name} is out of step: run {Path(__file__).name} {args.shared} --write")
    print("\n".join(wrong) or "kept   docs/detection.md shows what eval prints")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
