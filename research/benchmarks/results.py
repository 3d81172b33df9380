"""The document that `make bench` writes: where and when each part was measured, and its numbers in one or more runs."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import time
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, cast

ROOT = Path(__file__).resolve().parents[2]
Document = dict[str, Any]
"""``{"version": 1, "machine": {...}, "parts": {name: {"commit", "changed", "at", "load", "runs": [{...}], ...}}}``."""


class NoDocumentError(ValueError):
    """The file is not such a document."""


def describe_machine() -> dict[str, Any]:
    """Describe what affects the numbers: Python, orjson, the system and the number of cores."""
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "orjson": metadata.version("orjson"),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
    }


def describe_circumstances(*, quick: bool) -> dict[str, Any]:
    """Describe a measurement: the commit, whether files have changed since, the time, and the load (runnable processes).

    ``first`` is whether this process has real-time priority.
    """
    return {
        "commit": _run_git("rev-parse", "--short=12", "HEAD") or "unknown",
        "changed": bool(_run_git("status", "--porcelain", "--untracked-files=no")),
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "load": round(os.getloadavg()[0], 1),
        "first": os.sched_getscheduler(0) in (os.SCHED_FIFO, os.SCHED_RR)
        if hasattr(os, "sched_getscheduler")
        else False,
        "quick": quick,
    }


def _run_git(*arguments: str) -> str:
    try:
        process = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)
    except OSError:  # no git: a copy of the sources can be measured as well
        return ""
    return process.stdout.strip()


def load_document(path: Path) -> Document:
    """Load a document from a file. Raises NoDocumentError, OSError."""
    try:
        found = json.loads(path.read_text("utf-8"))
        return {**found, "parts": {name: dict(part) for name, part in found["parts"].items()}}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise NoDocumentError(f"{path} is not a document of research/benchmarks/suite.py --out") from error


def save_document(path: Path, document: Document) -> None:
    """Write the document atomically, so that an interrupted run loses no measurements."""
    new = path.with_name(path.name + ".new")
    new.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
    new.replace(path)


def collect_numbers(part: Mapping[str, Any]) -> dict[str, list[float]]:
    """Return every number of a part by its path of keys, one value per run that has it."""
    found: dict[str, list[float]] = {}
    for run in part.get("runs", ()):
        for name, value in flatten_numbers(run):
            found.setdefault(name, []).append(value)
    return found


def compute_medians(part: Mapping[str, Any]) -> dict[str, float]:
    """Return the medians of the numbers of a part."""
    return {name: statistics.median(values) for name, values in collect_numbers(part).items()}


def flatten_numbers(value: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """Yield every number in a value with its path of keys; booleans count as 1 and 0."""
    if isinstance(value, dict):
        for key, inner in cast("dict[str, Any]", value).items():
            yield from flatten_numbers(inner, f"{name}/{key}" if name else str(key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from flatten_numbers(inner, f"{name}/{number}" if name else str(number))
    elif isinstance(value, int | float):
        yield name, float(value)
