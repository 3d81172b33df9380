"""Many processes stage at once, as when many sessions end at once: nothing is lost, and a reader always sees a whole file."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mind_skills.staging.pending_file import parse_pending_file
from tests.staging.workbench import Workbench
from tests.testkit.paths import ROOT

PROCESSES = 32
STAGE = """
import sys
from tests.staging.workbench import candidate
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
home, root, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
sys.stdin.readline()
with Ledger.open(home, timeout=120) as ledger:
    for turn in range(3):
        session = f"S{number}"
        ledger.stage(resolve_project(root), session, "codex", [candidate(f"own{number}", number), candidate("shared", 99)], turn)
print(len(ledger.problems))
"""


@pytest.mark.process
def test_a_reader_always_sees_a_valid_file_while_thirty_two_processes_stage(bench: Workbench) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", STAGE, bench.home, bench.project.root, str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
        )
        for number in range(PROCESSES)
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
    read_count, most = 0, 0
    while any(process.poll() is None for process in started):
        try:
            data = bench.file.read_bytes()
        except FileNotFoundError:
            continue
        most = max(most, len(parse_pending_file(data).candidates))
        read_count += 1
    ends = [process.communicate() for process in started]
    assert [(process.returncode, *end) for process, end in zip(started, ends, strict=True)] == [
        (0, b"0\n", b"")
    ] * PROCESSES
    assert read_count
    assert most <= 10
    best = ["shared", *(f"own{number}" for number in range(PROCESSES - 1, PROCESSES - 10, -1))]
    assert bench.errors() == best
    assert bench.in_file() == [bench.id(anchor) for anchor in best]
    assert len(bench.ledger.list_pending(bench.project)[0].sessions) == PROCESSES
    staged = [(r.candidate, r.session) for r in bench.ledger.list_receipts() if r.event == "staged"]
    assert sorted(staged) == sorted(
        (bench.id(anchor), f"S{number}") for number in range(PROCESSES) for anchor in (f"own{number}", "shared")
    )
    assert sorted(path.name for path in bench.file.parent.iterdir()) == [bench.file.name]


POINTS = {  # each with the candidates that are pending afterwards: the pending file is written after the commit
    "mind_skills.staging.pending_file.check_ignored": ["a", "own1", "shared"],
    "mind_skills.staging.pending_file.serialise_pending_file": ["a", "own1", "shared"],
    "mind_skills.store.atomic.os.replace": ["a", "own1", "shared"],
    "mind_skills.staging.start_files.set_flag": ["a"],
    "mind_skills.store.database.Transaction.__exit__": ["a"],
}


@pytest.mark.parametrize("point", POINTS)
def test_a_process_killed_at_any_point_of_staging_loses_no_candidate_and_leaves_no_stray_file(
    bench: Workbench, point: str
) -> None:
    bench.stage("R", "a")
    kill = f"import os, signal; from unittest import mock\nmock.patch({point!r}, lambda *a, **k: os.kill(os.getpid(), 9)).start()\n"
    command = [sys.executable, "-c", kill + STAGE, bench.home, bench.project.root, "1"]
    (bench.root / ".git" / "info" / "exclude").write_text("*.json*\n")  # so that git is asked again
    assert subprocess.run(command, input=b"\n", check=False, cwd=ROOT).returncode == -9
    assert (sorted(bench.errors()), bench.in_file(), bench.ledger.problems) == (POINTS[point], [bench.id("a")], [])
    bench.stage("S1", "own1", "shared")
    ids = [bench.id(anchor) for anchor in ("a", "own1", "shared")]
    assert (sorted(bench.in_file()), bench.ledger.list_foreign(bench.project)) == (sorted(ids), [])
    assert [path.name for path in bench.file.parent.iterdir()] == [bench.file.name]
    offer = bench.claim("T")
    assert offer is not None
    assert sorted(offer.ids) == sorted(ids)
