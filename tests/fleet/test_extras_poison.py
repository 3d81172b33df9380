"""Logs that kill, block or exhaust the process that reads them."""

from __future__ import annotations

import shutil
from multiprocessing import resource_tracker
from pathlib import Path

import pytest

from mind_skills.fleet.worker import SetAside
from tests.fleet.scanning import list_findings, read_rows, run_scan
from tests.testkit.paths import DEMO
from tests.testkit.processes import wait_for_processes

pytestmark = pytest.mark.extras
REASONS = {
    "segfault": "worker_died",
    "exit": "worker_died",
    "memory": "memory",
    "loop": "timeout",
    "sleep": "timeout",
    "sparse": "broken",
}
"""2 GB of zeros are read in a few megabytes, as one line that is too long."""


def test_exactly_the_bad_logs_are_set_aside_and_no_process_is_left(
    logs: Path, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource_tracker.ensure_running()  # of multiprocessing; it lives as long as this process
    monkeypatch.setenv("MIND_SKILLS_HOME", str(tmp_path / "state"))
    run_scan(logs, tmp_path / "clean")
    for name in REASONS.keys() - {"sparse"}:
        shutil.copy(DEMO, logs / "project-1" / f"{name}.jsonl")
    with (logs / "project-1" / "sparse.jsonl").open("wb") as file:
        file.truncate(2_000_000_000)
    progress = run_scan(logs, out, reader="read_poisoned", workers=2, seconds=2.0)
    aside = {Path(each.uri).stem: each.reason for each in progress.set_aside}
    assert aside == REASONS
    assert list_findings(out) == list_findings(tmp_path / "clean")
    assert len(read_rows(out)) == 12 + len(REASONS)
    wait_for_processes(tmp_path / "state", 30)


def test_a_log_that_three_scans_could_not_read_is_read_again_only_by_a_retry_and_then_counts_as_read(
    logs: Path, out: Path, tmp_path: Path
) -> None:
    (logs / "project-0" / "session-0.jsonl").rename(logs / "project-0" / "exit.jsonl")
    for number in range(3):
        progress = run_scan(logs, out, reader="read_poisoned")
        assert progress.set_aside == [SetAside(str(logs / "project-0" / "exit.jsonl"), "worker_died", number < 2)]
    again = run_scan(logs, out)
    assert (again.logs, again.skipped) == (0, 12)
    again = run_scan(logs, out, retry=True)
    assert (again.logs, again.skipped, again.set_aside) == (1, 11, [])
    run_scan(logs, tmp_path / "clean")
    assert list_findings(out) == list_findings(tmp_path / "clean")
    from mind_skills.fleet.folder import ScanFolder
    from mind_skills.fleet.summary import summarise

    report = summarise(ScanFolder(str(out)), "project", 1)
    assert (report.sessions, report.set_aside) == (12, [])
