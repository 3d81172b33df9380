"""A scan in a process of its own, which a test may kill: python -m tests.fleet.scanning READER OUT WORKERS SCHEDULER SOURCE."""

from __future__ import annotations

import sys

from mind_skills.fleet.folder import ScanFolder
from mind_skills.fleet.listing import list_entries
from mind_skills.fleet.scan import Cluster, Progress, scan
from mind_skills.fleet.worker import BatchResult, ScanOptions
from tests.fleet import poison


def run_scan(reader: str, out: str, workers: int, scheduler: str, source: str, seconds: float = 60.0) -> Progress:
    folder = ScanFolder(out)
    key = folder.prepare(rules=False, with_titles=True)
    options = ScanOptions(key, seconds, 1.0, 1_000_000_000, False, True, getattr(poison, reader))

    def ignore(_progress: Progress, _result: BatchResult | None) -> None:
        pass

    return scan(list_entries([source]), folder, options, Cluster(scheduler, workers), ignore)


if __name__ == "__main__":
    _, reader, out, workers, scheduler, source = sys.argv
    try:
        run_scan(reader, out, int(workers), scheduler, source)
    except KeyboardInterrupt:
        sys.exit(130)
