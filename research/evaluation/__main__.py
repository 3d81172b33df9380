"""The command `python -m research.evaluation`, which measures digests on labelled sessions and fits the detector's weights."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from mind_skills.cli import options
from mind_skills.cli.group import SuggestingGroup, run_group
from mind_skills.cli.main import execute
from mind_skills.errors import DONE
from mind_skills.output.text import print_note
from mind_skills.store.process_pool import count_usable_cpus
from research.evaluation import require_numpy
from research.evaluation.figures import read_digests, score_report
from research.evaluation.labels import load_labels
from research.evaluation.panel import score_panel, write_panel

F = TypeVar("F", bound=Callable[..., Any])
NAME = "python -m research.evaluation"
_LABELLED = "--labels labels.jsonl --corpus logs/"


def main(arguments: list[str]) -> int:
    """Run the command in ``arguments`` and return the exit code."""
    return execute(arguments, partial(run_group, command, NAME))


_PATH = click.Path(path_type=Path)
_LABELS = click.option(
    "--labels",
    required=True,
    multiple=True,
    type=_PATH,
    metavar="L",
    help="File of labels; can be given several times.",
)
_REPORT = click.argument("report", type=_PATH)
_FOLDER = click.option("--out", required=True, type=_PATH, metavar="DIR", help="Folder of the panel.")


def _add_session_options(function: F) -> F:
    """Add the options ``labels``, ``corpus`` and ``jobs``."""
    corpus = "Folder of labelled sessions, with the file names used in the labels; can be given several times."
    jobs = "Number of sessions processed in parallel. Default: one per processor."
    function = click.option("--jobs", type=click.IntRange(1, 64), metavar="N", help=jobs)(function)
    function = click.option("--corpus", required=True, multiple=True, type=_PATH, metavar="DIR", help=corpus)(function)
    return _LABELS(function)


def _print(result: dict[str, Any]) -> int:
    """Print a result as JSON, and its problems as notes."""
    sys.stdout.write(json.dumps(result, indent=1) + "\n")
    for problem in result.get("problems", []):
        print_note(problem)
    return DONE


@click.group(cls=SuggestingGroup)
def command() -> None:
    """Fit the detector to hand-labelled sessions, and measure digests on them. Prints JSON. Not part of the wheel.

    A label is {"session_file", "learnings": [{"start_line", "end_line", "key_phrases"}], "disputed": [the same],
    "borderline": [{"start_line", "end_line"}], "source_repo", "format"}; other keys are ignored. A session is identified
    by the last part of its path. Its owner is the first part of source_repo, which is read from an inventory.csv next to
    the labels or the sessions (columns file, source_repo), else from the label, else from a name like OWNER__REPO__ID.
    """


@command.command("fit", epilog=options.format_examples(f"{NAME} fit {_LABELLED} --out weights.json"))
@_add_session_options
@click.option("--out", required=True, type=_PATH, metavar="FILE", help="File to write; the detector's is weights.json.")
def fit(labels: Sequence[Path], corpus: Sequence[Path], jobs: int | None, out: Path) -> int:
    """Fit the detector's weights to labelled sessions. Needs numpy.

    The signs of the weights are predefined (detectors/features.py) and do not change. A proposal is a hit if both its
    ends are inside one learning, with a tolerance of three lines. Vetoed proposals are excluded, and so are proposals in
    disputed or borderline ranges that are on no learning. The calibration is based on the episodes that a fit without an
    owner chooses in that owner's sessions. The same labels and sessions always give the same file.
    """
    require_numpy()
    from research.evaluation.study import fit_weights, read_sessions

    return _print(fit_weights(read_sessions(labels, corpus, jobs or count_usable_cpus()), out))


@command.command("study", epilog=options.format_examples(f"{NAME} study {_LABELLED}"))
@_add_session_options
@click.option(
    "--digests", type=_PATH, metavar="FILE", help="Also write the digests, as `mind-skills replay --json` does."
)
def study(labels: Sequence[Path], corpus: Sequence[Path], jobs: int | None, digests: Path | None) -> int:
    """Measure digests of owners that the fit has not seen. Takes minutes; needs numpy.

    For each owner, weights and calibration are fitted to all others, and that owner's sessions are condensed with them;
    the figures are pooled. Covered, named, borne out and whole are defined in research/evaluation/figures.py. Also shown: the
    results by format, by repository and without the largest owner, with other budgets, of simpler means in the same
    space, the gate, and the calibration.
    """
    require_numpy()
    from research.evaluation.study import read_sessions, study_design

    jobs = jobs or count_usable_cpus()
    return _print(study_design(read_sessions(labels, corpus, jobs), jobs, digests))


@command.command("score", epilog=options.format_examples(f"{NAME} score --labels labels.jsonl report.json"))
@_LABELS
@_REPORT
def score(labels: Sequence[Path], report: Path) -> int:
    """Measure the digests in REPORT, which `mind-skills replay SESSIONS --json` printed.

    Results on sessions to which the weights in use were fitted do not generalise; see `study`.
    """
    return _print(score_report(labels, report))


@command.group("panel", cls=SuggestingGroup)
def panel() -> None:
    """Let readers judge digests, and compare their answers with the labels.

    Readers see only digests and name what of them deserves a skill. Their answers are files DIR/answers/*.jsonl with one
    object per session: {"id": "s012", "learnings": [{"p": 0 to 100, "text", "start_line", "end_line"}]}.
    """


@panel.command("write")
@_LABELS
@_FOLDER
@click.option("--readers", type=click.IntRange(1), default=3, help="Number of readers; each session is read by one.")
@click.option("--seed", type=int, default=11, help="Determines who reads what, and in which order.")
@_REPORT
def write(labels: Sequence[Path], out: Path, readers: int, seed: int, report: Path) -> int:
    """Write the digests in REPORT for readers: DIR/digests, and the ids for each reader in DIR/reader-N.txt."""
    return _print(write_panel(load_labels(*labels).labels, read_digests(report), out, readers, seed))


@panel.command("score")
@_LABELS
@_FOLDER
def score_answers(labels: Sequence[Path], out: Path) -> int:
    """Compare the answers with the labels, by probability.

    A kept learning is right if it shares half of the shorter of the two ranges with a labelled one; a second one on the
    same learning is wrong, one on a disputed range counts neither way, one on a borderline range is wrong but useful.
    Noisy: sessions without learnings and disputed ranges in which something was kept.
    """
    return _print(score_panel(load_labels(*labels).labels, out))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
