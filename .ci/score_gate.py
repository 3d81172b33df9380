#!/usr/bin/env python3
"""Replay the labelled sessions; hold the score against the baseline, `mind-skills eval` against the score, the page against both.

usage: score_gate.py SHARED [--command mind-skills] [--write]

SHARED holds corpus/ (sessions, labels, score.py, inventory). No figure of the corpus' own scorer may be worse than in
.ci/baseline.json, and what is no measure of quality must be the same; better is accepted, and named since the baseline is
then out of date. Every figure and every candidate's verdict must be the same in eval, to the last digit. The generated
tables of docs/detection.md must show them; --write writes the tables. The exit code is 1 where something is broken.
"""

from __future__ import annotations

import argparse
import csv
import json
import runpy
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from detection_tables import PAGE, parts

BASELINE = Path(__file__).parent / "baseline.json"
NOT_MEASURED = ("told_precision", "told_recall", "rule_precision", "rule_recall")
"""What eval does not measure: replay prints neither the text of an offer nor candidates of kind user_rule, so all are 0."""
KEPT, BETTER, BROKEN = "kept  ", "better", "BROKEN"

Finding = tuple[str, str]
"""One of the three, and what was found."""


class Answer(NamedTuple):
    """The JSON that a command printed, and its exit code."""

    report: dict[str, Any]
    code: int


def ask(arguments: list[str]) -> Answer:
    """Run a command in a home of its own."""
    with tempfile.TemporaryDirectory() as home:
        environment = {"HOME": home, "MIND_SKILLS_HOME": f"{home}/state", "PATH": "/usr/bin:/bin"}
        done = subprocess.run(arguments, stdout=subprocess.PIPE, env=environment, check=False)
    return Answer(json.loads(done.stdout), done.returncode)


def replay_and_eval(command: str, corpus: Path) -> list[Answer]:
    """Both commands over the corpus, beside each other: each in one process takes less than one after the other in two."""
    sessions, options = str(corpus / "sessions"), ["--json", "--jobs", "1"]
    labels = ["--labels", str(corpus / "labels.jsonl"), "--corpus", sessions, "--rows"]
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(ask, ([command, "replay", sessions, *options], [command, "eval", *labels, *options])))


def same(name: str, value: object, expected: object) -> Finding:
    """What must be exactly so."""
    return (KEPT if value == expected else BROKEN), f"{name} = {expected}: {value}"


def reading(baseline: dict[str, Any], replayed: Answer, files: int) -> Iterator[Finding]:
    """What was read, and what was not."""
    sessions, known = replayed.report["sessions"], baseline["unrecognised"]
    unread = {Path(error["path"]).name: error["message"] for error in replayed.report["errors"]}
    yield same("files", files, baseline["files"])
    yield same("sessions read", len(sessions), files - len(unread))
    for name in sorted({*unread, *known}):
        if name not in unread:
            yield BETTER, f"{name} is read"
        else:
            yield (KEPT if name in known else BROKEN), f"{'known: ' * (name in known)}{name}: {unread[name]}"
    warned = [len(session["warnings"]) for session in sessions if Path(session["path"]).name not in known]
    yield same("lines warned of", sum(warned), baseline["warnings"])


def figures(baseline: dict[str, Any], result: dict[str, Any], labels: int) -> Iterator[Finding]:
    """Each figure against the baseline."""
    yield same("labels", labels, baseline["labels"])
    for name in ("learnings", "silent_sessions"):
        yield same(name, result[name], baseline[name])
    for sign, bounds, side in ((">=", baseline["at_least"], 1), ("<=", baseline["at_most"], -1)):
        for name, bound in bounds.items():
            gain = side * (result[name] - bound)
            yield (BROKEN if gain < 0 else BETTER if gain > 0 else KEPT), f"{name} {sign} {bound}: {result[name]}"


def in_the_scorers_words(report: dict[str, Any]) -> dict[str, Any]:
    """The report of eval."""
    whole = report["all"]
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
    }
    for level in ("lenient", "strict", "named"):
        said[f"{level}_precision"] = whole[level]["precision"]["rate"]
        said[f"{level}_recall"] = whole[level]["recall"]["rate"]
    for level in ("strict", "named"):
        said[f"{level}_precision_95"] = [whole[level]["precision"][bound] for bound in ("low", "high")]
    counted = [row for row in report["rows"] if row["verdict"] not in ("neutral", "unplaced")]
    said["rows"] = [
        (row["session"], row["kind"], row["first"], row["last"], row["verdict"] in ("strict", "named"), row["title"])
        for row in counted
    ]
    return said


def agreement(theirs: dict[str, Any], mine: dict[str, Any]) -> Iterator[Finding]:
    """Where eval and the scorer differ."""
    wanted = {name: theirs[name] for name in theirs if name not in (*NOT_MEASURED, "told_precision_95")}
    # Equally good ones may change places: whose words they quote, which replay looks up and ranks by, eval does not ask.
    wanted, mine = ({**each, "rows": sorted(map(tuple, each["rows"]))} for each in (wanted, mine))
    differing = [name for name in sorted({*wanted, *mine}) if wanted.get(name) != mine.get(name)]
    for name in differing:
        yield BROKEN, f"{name}: the scorer says {wanted.get(name)!s:.300}, eval says {mine.get(name)!s:.300}"
    if not differing:
        yield KEPT, f"eval says what the scorer says: {len(wanted)} figures, {len(mine['rows'])} candidates"
    for name in NOT_MEASURED:
        yield same(f"{name}, which eval does not measure,", theirs[name], 0)


def main() -> int:
    """The command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--command", default="mind-skills")
    parser.add_argument("--write", action="store_true", help="write the generated tables of docs/detection.md")
    args = parser.parse_args()
    corpus: Path = args.shared / "corpus"
    baseline: dict[str, Any] = json.loads(BASELINE.read_text(encoding="utf-8"))
    with (corpus / "inventory.csv").open(encoding="utf-8", newline="") as handle:
        files = sum(1 for _ in csv.DictReader(handle))
    labels = [json.loads(line) for line in (corpus / "labels.jsonl").read_text("utf-8").split("\n") if line.strip()]

    begun = time.monotonic()
    replayed, evaluated = replay_and_eval(args.command, corpus)
    print(f"replay and eval: {time.monotonic() - begun:.1f} s")
    score = runpy.run_path(str(corpus / "score.py"))["score"]
    tuned = baseline["tuned_to"]
    groups = [score(replayed.report, part) for part in (labels, labels[:tuned], labels[tuned:])]
    result = groups[0]
    print("".join(f"  {name:22} {value}\n" for name, value in result.items() if name != "rows"), end="")

    page = PAGE.read_text(encoding="utf-8")
    wanted = parts(page, evaluated.report, groups)
    if args.write:
        PAGE.write_text(wanted, encoding="utf-8")
    written = args.write or wanted == page
    found = [
        same("exit codes of replay and eval", (replayed.code, evaluated.code), (0, 0)),
        *reading(baseline, replayed, files),
        *figures(baseline, result, len(labels)),
        *agreement(result, in_the_scorers_words(evaluated.report)),
        (KEPT if written else BROKEN, f"docs/{PAGE.name} shows these figures{'' if written else ': run with --write'}"),
    ]
    for state, words in found:
        print(state, words)
    states = {state for state, _ in found}
    if BETTER in states:
        print(f"better than on {baseline['measured']}: write it into .ci/{BASELINE.name}, with the date")
    return 1 if BROKEN in states else 0


if __name__ == "__main__":
    sys.exit(main())
