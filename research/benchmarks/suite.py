"""All benchmarks of speed: the numbers as one JSON document, and as the table of docs/performance.md.

usage: python -m research.benchmarks.suite [--out FILE] [--against FILE] [--write] [--only PART]... [--quick] [--repeat N] [--list]

Each part (research/benchmarks/parts.py) is a separate program that interleaves what it compares. The parts run one after the
other; ``--repeat 3`` runs all of them three times and takes medians. ``--out`` saves the document after each part,
preserving the numbers of other parts. ``--against`` prints the changes from an earlier document
(research/benchmarks/compare.py). ``--quick`` takes a few minutes for all parts, and its numbers are only a rough check.

A part that fails is reported, the others are still run, and the exit code is 1. A missed target is not a failure.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from research.benchmarks.compare import format_comparison
from research.benchmarks.parts import PARTS, Part
from research.benchmarks.results import (
    Document,
    NoDocumentError,
    describe_circumstances,
    describe_machine,
    load_document,
    save_document,
)
from research.benchmarks.table import format_table, list_missed_targets, write_table

FOLDER = Path(__file__).resolve().parent
TIMEOUT_FACTOR, TIMEOUT_MARGIN_SECONDS = 10.0, 60.0
"""A part is killed after this many times its expected duration plus this many seconds."""


class FailedError(Exception):
    """A part produced no numbers; the text says why."""


class SkippedError(Exception):
    """A part cannot run here; the text says what is missing."""


def run_part(part: Part, *, quick: bool, seconds: float) -> Any:
    """Return the output of a part. Raises FailedError, SkippedError."""
    start = [sys.executable, "-m", part.command[0]]
    if part.command[0].endswith(".mjs"):
        node = shutil.which("node")
        if node is None:
            raise SkippedError("node is not installed")
        start = [node, str(FOLDER / part.command[0])]
    command = [*start, *part.command[1:], *(part.quick if quick else ()), "--json"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, cwd=FOLDER.parents[1]
    ) as process:
        try:
            output, errors = process.communicate(timeout=TIMEOUT_MARGIN_SECONDS + TIMEOUT_FACTOR * seconds)
        except subprocess.TimeoutExpired as error:
            raise FailedError(
                f"not finished after {TIMEOUT_MARGIN_SECONDS + TIMEOUT_FACTOR * seconds:.0f} s"
            ) from error
        finally:
            if process.poll() is None:  # on any exception, stop the measurement
                os.killpg(process.pid, signal.SIGKILL)
    try:
        return json.loads(output)
    except ValueError:
        error_lines = [line for line in errors.decode("utf-8", "replace").splitlines() if line.strip()]
        raise FailedError(f"exit code {process.returncode}: {(error_lines or ['no output'])[-1][:300]}") from None


def estimate_seconds(document: Document, names: list[str], *, quick: bool) -> dict[str, float]:
    """Estimate the seconds of each part: those of the last run in the document, else those in parts.py."""
    measured = {name: part for name, part in document["parts"].items() if part.get("quick") == quick}
    return {
        name: measured.get(name, {}).get("seconds") or PARTS[name].seconds * (0.15 if quick else 1.0) + 1
        for name in names
    }


def measure(document: Document, names: list[str], args: argparse.Namespace) -> list[str]:
    """Run the parts and add their output to the document; return those that failed."""
    expected = estimate_seconds(document, names, quick=args.quick)
    todo = [(turn, name) for turn in range(args.repeat) for name in names]
    failed: list[str] = []
    for number, (turn, name) in enumerate(todo, 1):
        left = sum(expected[each] for _, each in todo[number - 1 :])
        progress = (
            f"[{number}/{len(todo)}] {name}: about {expected[name]:.0f} s, with all that follows {left / 60:.0f} min"
        )
        print(f"{progress} ...", end="", file=sys.stderr, flush=True)
        if name in failed:
            print(" failed in an earlier run", file=sys.stderr)
            continue
        part: dict[str, Any] = {
            **describe_circumstances(quick=args.quick),
            "runs": document["parts"][name]["runs"] if turn else [],
        }
        begin = time.monotonic()
        try:
            part["runs"].append(run_part(PARTS[name], quick=args.quick, seconds=expected[name]))
        except SkippedError as error:
            print(f" skipped: {error}", file=sys.stderr)
            continue
        except FailedError as error:
            failed.append(name)
            part |= {"failed": str(error)}
            print(f" FAILED: {error}", file=sys.stderr)
        else:
            print(f" {time.monotonic() - begin:.0f} s", file=sys.stderr)
        part["seconds"] = expected[name] = round(time.monotonic() - begin, 1)
        document["parts"][name] = part
        if args.out:
            save_document(args.out, document)
    return failed


def open_document(out: Path | None) -> Document:
    """Return the document to fill: the one at ``out`` if it is from this machine, else an empty one."""
    here = describe_machine()
    if out and out.exists():
        try:
            document = load_document(out)
        except NoDocumentError as error:
            print(f"{error}: it is overwritten", file=sys.stderr)
        else:
            if document.get("machine") == here:
                return document
    return {"version": 1, "machine": here, "parts": {}}


def main() -> int:
    """Run the command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, help="save the document here")
    parser.add_argument("--against", type=Path, help="print the changes from this document")
    parser.add_argument("--write", action="store_true", help="write the table into docs/performance.md")
    parser.add_argument("--only", action="append", choices=list(PARTS), default=[], metavar="PART")
    parser.add_argument("--quick", action="store_true", help="a rough answer in a few minutes")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="run all parts N times and take medians")
    parser.add_argument("--list", action="store_true", help="list the parts and exit")
    args = parser.parse_args()
    if args.list:
        print("\n".join(f"{name:12} {' '.join(part.command)}" for name, part in PARTS.items()))
        return 0
    if args.quick and args.write:
        parser.error("--quick cannot be combined with --write")
    try:
        before = load_document(args.against) if args.against else None
    except (NoDocumentError, OSError) as error:
        parser.error(str(error))
    document = open_document(args.out)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # an interrupt also ends the running part
    try:
        failed = measure(document, [name for name in PARTS if name in (args.only or PARTS)], args)
    except KeyboardInterrupt:
        print("\ninterrupted; the measurements so far were saved" if args.out else "\ninterrupted", file=sys.stderr)
        return 130
    if args.write:
        write_table(document)
    print(format_comparison(before, document)[0] if before else format_table(document))
    for target in list_missed_targets(document):
        print(f"misses its target: {target}", file=sys.stderr)
    for name in failed:
        print(f"{name} failed: {document['parts'][name]['failed']}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
