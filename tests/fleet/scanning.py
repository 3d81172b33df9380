"""Scans as the tests run them, in this process or in one that a test may kill.

python -m tests.fleet.scanning READER OUT WORKERS SCHEDULER SOURCE
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

from mind_skills.fleet.folder import ScanFolder
from mind_skills.fleet.listing import list_entries
from mind_skills.fleet.scan import Cluster, Progress, scan
from mind_skills.fleet.worker import BatchResult, ScanOptions
from tests.fleet import poison


def run_scan(
    source: str | Path,
    out: str | Path,
    *,
    reader: str = "read_file",
    workers: int = 1,
    scheduler: str = "",
    seconds: float = 60.0,
    retry: bool = False,
) -> Progress:
    """Scan with titles, by a reader of tests/fleet/poison.py and with ``seconds`` for each log."""
    folder = ScanFolder(str(out))
    key = folder.prepare(with_titles=True)
    options = ScanOptions(key, seconds, 1_000_000_000, True, getattr(poison, reader))

    def ignore(_progress: Progress, _result: BatchResult | None) -> None:
        pass

    return scan(list_entries([str(source)]), folder, options, Cluster(scheduler, workers), ignore, retry=retry)


def read_rows(out: str | Path) -> list[dict[str, Any]]:
    """All rows of the parts of a scan."""
    parquet: Any = importlib.import_module("pyarrow.parquet")

    paths = ScanFolder(str(out)).list_parts()
    return [row for path in paths for row in parquet.read_table(path).to_pylist()]


def list_findings(out: str | Path) -> list[tuple[object, ...]]:
    """Each finding of a scan with titles, as ``list_replayed`` names it, sorted."""
    return sorted(
        (row["session_id"], each["fingerprint"], each["title"], each["kind"], each["probability"], each["tier"])
        for row in read_rows(out)
        for each in row["findings"]
    )


def list_replayed(document: dict[str, Any]) -> list[tuple[object, ...]]:
    """Each candidate of a document of `mind-skills replay --json`, sorted."""
    names = ("fingerprint", "title", "kind", "probability", "confidence")
    return sorted(
        (session["sessionId"], *(each[name] for name in names))
        for session in document["sessions"]
        for each in session["candidates"]
    )


if __name__ == "__main__":
    _, reader, out, workers, scheduler, source = sys.argv
    try:
        run_scan(source, out, reader=reader, workers=int(workers), scheduler=scheduler)
    except KeyboardInterrupt:
        sys.exit(130)
