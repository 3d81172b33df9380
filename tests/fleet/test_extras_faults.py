"""Scans of a cluster or a storage that is not as it should be: nothing is wrong in silence, and nothing is lost for good."""

from __future__ import annotations

import importlib
import io
import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.cli import fleet
from mind_skills.errors import MindSkillsError
from mind_skills.fleet import listing
from mind_skills.fleet import scan as scanning
from mind_skills.fleet.folder import make_findings_version
from mind_skills.fleet.worker import SetAside
from tests.fleet.scanning import list_findings, list_replayed, read_rows, run_scan
from tests.fleet.test_extras_kills import WAIT, Scene, scene
from tests.testkit.command import CommandResult
from tests.testkit.paths import ROOT
from tests.testkit.processes import wait_for_processes

__all__ = ["scene"]  # a fixture
pytestmark = pytest.mark.extras
Command = Callable[..., CommandResult]


@pytest.fixture
def other_version(tmp_path: Path) -> Path:
    """A folder with another version of mind-skills, which has one line more."""
    package = tmp_path / "other" / "mind_skills"
    package.mkdir(parents=True)
    for folder in sorted(each.parent for each in ROOT.glob("*/__init__.py")):
        subprocess.run(["cp", "-r", folder, package / folder.name], check=True)
    for path in ROOT.glob("*.py"):
        (package / path.name).write_bytes(path.read_bytes())
    (package / "__init__.py").touch()
    with (package / "detectors" / "scorer.py").open("a", encoding="utf-8") as file:
        file.write("\nLATER = True\n")
    return package.parent


def start_other_worker(scene: Scene, address: str, other_version: Path) -> subprocess.Popen[bytes]:
    scene.environment["PYTHONPATH"] = os.pathsep.join((str(other_version), str(ROOT)))
    started = scene.start_worker(address)
    del scene.environment["PYTHONPATH"]
    return started


def test_workers_of_another_version_are_refused_by_name_before_anything_is_read(
    scene: Scene, other_version: Path
) -> None:
    _, address = scene.start_scheduler()
    scene.start_worker(address)
    start_other_worker(scene, address, other_version)
    distributed: Any = importlib.import_module("distributed")
    with distributed.Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=WAIT)
        versions = client.run(make_findings_version)
    (other,) = [worker for worker, version in versions.items() if version != make_findings_version()]
    with pytest.raises(MindSkillsError) as refused:
        run_scan(scene.logs, scene.out, scheduler=address)
    assert (refused.value.code, refused.value.message) == (
        "other_version",
        f"this machine has version {make_findings_version()} of mind-skills, but the worker {other} has {versions[other]}",
    )
    assert read_rows(scene.out) == []


def test_a_worker_of_another_version_that_joins_later_is_refused_by_its_first_result(
    scene: Scene, other_version: Path, tmp_path: Path
) -> None:
    _, address = scene.start_scheduler()
    good = scene.start_worker(address)
    scan = scene.start_scan(0, address)
    scene.wait_for_mark()
    start_other_worker(scene, address, other_version)
    good.terminate()  # so that the other one has to go on
    printed = scan.communicate(timeout=2 * WAIT)[0].decode()
    assert scan.returncode == 1
    assert f"this machine has version {make_findings_version()} of mind-skills, but the worker tcp://" in printed
    for process in scene.started:
        process.terminate()
        process.communicate(timeout=WAIT)
    scene.finish(tmp_path)


def test_logs_that_storage_could_not_give_are_read_by_the_next_scan(
    mind_skills: Command, logs: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = "\n".join(map(str, sorted(logs.rglob("*.jsonl"))))
    (logs / "project-1").rename(logs / "away")
    done = give_list(mind_skills, monkeypatch, listed.encode(), out)
    assert (
        done.code,
        "4 logs not read, because storage or a worker failed: run the same command again" in done.err,
    ) == (1, True)
    (logs / "away").rename(logs / "project-1")
    done = give_list(mind_skills, monkeypatch, listed.encode(), out, "--json")
    last = json.loads(done.out.splitlines()[-1])
    assert (done.code, last["logs"], last["skipped"], last["again"]) == (0, 4, 8, 0)
    assert list_findings(out) == list_replayed(mind_skills("replay", "--json", logs).json)
    report = mind_skills("fleet", "report", out, "--json").json
    assert (report["sessions"], report["setAside"]) == (12, [])


def test_a_scan_without_a_single_log_fails_as_its_storage_may_not_be_mounted(
    mind_skills: Command, tmp_path: Path, out: Path
) -> None:
    (tmp_path / "mount").mkdir()
    done = mind_skills("fleet", "scan", tmp_path / "mount", "--out", out, "--workers", 1, "--json")
    assert (done.code, json.loads(done.out.splitlines()[-1])["logs"], "No source has a log" in done.err) == (1, 0, True)


def give_list(
    mind_skills: Command, monkeypatch: pytest.MonkeyPatch, listed: bytes, out: Path, *words: str
) -> CommandResult:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(listed)))
    return mind_skills("fleet", "scan", "-", "--out", out, "--workers", 1, "--titles", *words)


FAULTS: dict[str, Callable[[Path], object]] = {
    "it vanishes": lambda path: path.unlink(),
    "it has become shorter": lambda path: path.write_bytes(path.read_bytes()[:-100]),
    "it has become empty": lambda path: path.write_bytes(b""),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_log_that_changes_under_a_scan_as_a_failing_storage_does_is_read_by_the_next_one(
    logs: Path, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    path, before = logs / "project-0" / "session-0.jsonl", listing.make_batches
    text, times = path.read_bytes(), path.stat()
    monkeypatch.setattr(scanning, "make_batches", lambda *given: (FAULTS[fault](path), before(*given))[1])
    assert run_scan(logs, out).again == 1
    monkeypatch.setattr(scanning, "make_batches", before)
    path.write_bytes(text)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    again = run_scan(logs, out)
    assert (again.logs, again.again) == (1, 0)
    run_scan(logs, tmp_path / "clean")
    assert {*list_findings(out)} == {*list_findings(tmp_path / "clean")}


@pytest.mark.parametrize("when", ["at first", "later"])
def test_a_scan_without_workers_ends_with_an_error_after_a_while(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    monkeypatch.setattr(scanning, "WORKERS_SECONDS", 2.0)
    _, address = scene.start_scheduler()
    if when == "later":
        monkeypatch.setenv("FLEET_MARKS", str(scene.marks))
        worker, wait = scene.start_worker(address), scanning._wait_for_future

        def end_worker(*given: Any) -> object:
            worker.terminate()
            worker.wait(WAIT)
            return wait(*given)

        monkeypatch.setattr(scanning, "WORKERS_SECONDS", 20.0)
        monkeypatch.setattr(scanning, "_wait_for_future", end_worker)
    with pytest.raises(MindSkillsError) as failed:
        run_scan(scene.logs, scene.out, reader="read_slowly", scheduler=address)
    assert (failed.value.code, "has had no workers for" in failed.value.message) == ("no_workers", True)
    assert "dask worker ADDRESS" in failed.value.hint


def test_a_folder_with_titles_is_private_whatever_the_umask(mind_skills: Command, logs: Path, out: Path) -> None:
    before = os.umask(0)
    try:
        assert mind_skills("fleet", "scan", logs, "--out", out, "--titles", "--workers", 1).code == 0
    finally:
        os.umask(before)
    open_to_others = [path for path in (out, *out.rglob("*")) if stat.S_IMODE(path.stat().st_mode) & 0o077]
    assert (open_to_others, len(list(out.rglob("*.parquet")))) == ([], 1)


@pytest.mark.parametrize("moment", ["starting", "reading"])
def test_ctrl_c_on_a_terminal_prints_one_line_and_leaves_no_process(scene: Scene, moment: str) -> None:
    """A terminal sends it to all processes of the command."""
    words = ["fleet", "scan", str(scene.logs), "--out", str(scene.out), "--workers", "2"]
    program = "import mind_skills.fleet.worker as worker; from tests.fleet.poison import read_slowly; "
    program += (
        "worker.ScanOptions.__new__.__defaults__ = (read_slowly,); from mind_skills.plugin.cli import main; main()"
    )
    scan = subprocess.Popen(
        [sys.executable, "-c", program, *words], env=scene.environment | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    scene.started.append(scan)
    if moment == "reading":
        scene.wait_for_mark()
    else:
        wait_for_children(scan, 2)
    os.killpg(scan.pid, signal.SIGINT)
    printed = scan.communicate(timeout=WAIT)[0]
    assert (scan.returncode, printed.strip()) == (130, b"Interrupted.")
    wait_for_processes(scene.state, WAIT)


def wait_for_children(process: subprocess.Popen[bytes], count: int) -> None:
    """Wait until a process has started so many others."""
    end, tasks = time.monotonic() + WAIT, Path(f"/proc/{process.pid}/task")
    while sum(len(path.read_text().split()) for path in tasks.glob("*/children")) < count:
        assert (process.poll(), time.monotonic() < end) == (None, True), process.communicate()
        time.sleep(0.01)


def test_names_with_line_breaks_are_passed_with_zero_bytes(
    mind_skills: Command, logs: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = logs / "project-0" / "a\nb\r\n.jsonl"
    (logs / "project-0" / "session-0.jsonl").rename(odd)
    listed = b"\0".join(os.fsencode(path) for path in logs.rglob("*.jsonl")) + b"\0"
    assert give_list(mind_skills, monkeypatch, listed, out, "-0").code == 0
    assert len([row for row in read_rows(out) if row["status"] == "read"]) == 12
    assert str(odd) in {row["uri"] for row in read_rows(out)}


def test_a_log_that_exceeds_a_limit_is_named_with_the_option(capsys: pytest.CaptureFixture[str]) -> None:
    reasons = ("memory", "timeout", "worker_died")
    fleet._print_set_aside([SetAside(f"/{reason}.jsonl", reason) for reason in reasons])
    assert capsys.readouterr().err.splitlines() == [
        "3 files set aside:",
        "  /memory.jsonl (memory: --memory is the limit)",
        "  /timeout.jsonl (timeout: --time-limit is the limit)",
        "  /worker_died.jsonl (worker_died)",
    ]
