"""The scan: sends batches of logs to Dask's workers, a bounded number at a time, and writes Parquet parts. Repeating it
reads what remains.
"""

from __future__ import annotations

import importlib
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from types import FrameType
from typing import Any

from mind_skills.errors import MindSkillsError
from mind_skills.fleet.folder import ScanFolder, make_findings_version
from mind_skills.fleet.listing import Batch, Entry, choose_batch_bytes, make_batches
from mind_skills.fleet.rows import make_key
from mind_skills.fleet.worker import BatchResult, ScanOptions, SetAside, scan_batch, stop_readers
from mind_skills.output.text import format_count

BATCHES_PER_THREAD = 2
"""Number of batches submitted for each thread of the cluster: one is read while the other is queued."""
ATTEMPTS = 3
"""How many times a batch is submitted before the scan fails."""
ALLOWED_FAILURES = 10
"""How many workers may die with one batch before Dask gives up. A log cannot kill them, since child processes read the logs."""
POLL_SECONDS = 1.0
WORKERS_SECONDS = 60.0
"""How long to wait for the first worker, or for another one after the last has gone."""
LOST_SECONDS = 30.0
"""How long to wait for a result while the client tries to reconnect to the scheduler."""
CLOSE_SECONDS = 10.0


@dataclass(slots=True)
class Progress:
    """Progress of a scan. ``logs`` and ``size`` (bytes) count what this run has read, ``total_*`` everything that it must read."""

    total_logs: int = 0
    total_size: int = 0
    skipped: int = 0
    """Logs that an earlier run covered."""
    logs: int = 0
    size: int = 0
    sessions: int = 0
    findings: int = 0
    set_aside: list[SetAside] = field(default_factory=list[SetAside])
    again: int = 0
    """Those of ``set_aside`` that the next scan reads again: storage or a worker failed."""

    def add(self, result: BatchResult) -> None:
        """Count a batch."""
        self.logs += result.logs
        self.size += result.size
        self.sessions += result.sessions
        self.findings += result.findings
        self.set_aside += result.set_aside
        self.again += sum(each.again for each in result.set_aside)


@dataclass(frozen=True, slots=True)
class Cluster:
    """Where a scan runs: on the cluster with the address ``scheduler`` or, if that is empty, in ``workers`` processes of this machine."""

    scheduler: str = ""
    workers: int = 1


def scan(
    entries: Sequence[Entry],
    folder: ScanFolder,
    options: ScanOptions,
    cluster: Cluster,
    report: Callable[[Progress, BatchResult | None], None],
    *,
    retry: bool = False,
) -> Progress:
    """Read ``entries`` that the ``folder`` lacks (failed ones, with ``retry`` all set aside, again); call ``report`` at
    the start and after each batch. Raises MindSkillsError, OSError, and KeyboardInterrupt on SIGINT or SIGTERM.
    """
    scans = folder.read_scans(retry=retry)
    keyed = ((entry, make_key(entry, options.key)) for entry in entries)
    remaining = [entry._replace(scans=scans.get(key, 0)) for entry, key in keyed if scans.get(key, 1)]
    del scans
    total = sum(entry.bytes_to_read for entry in remaining)
    progress = Progress(len(remaining), total, len(entries) - len(remaining))
    report(progress, None)
    if not remaining:
        return progress
    with _interrupt_on_sigterm(), _connect(cluster) as client:
        threads = _wait_for_workers(client)
        _check_versions(client)
        batches = make_batches(remaining, choose_batch_bytes(total, threads))
        for result in _run_batches(client, batches, options):
            folder.write_part(result.name, result.part)
            progress.add(result)
            report(progress, result)
    return progress


def _run_batches(client: Any, batches: Iterator[Batch], options: ScanOptions) -> Generator[BatchResult]:
    """Yield the results in the order in which the batches finish. Raises MindSkillsError."""
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    running: dict[Any, tuple[Batch, int]] = {}

    def submit(batch: Batch, attempt: int) -> None:
        # Not with client.scatter: Dask keeps one replica of scattered data, which would be lost with its worker.
        future = client.submit(scan_batch, batch, options, key=f"{batch.name}-{attempt}", pure=False, retries=1)
        running[future.key] = (batch, attempt)
        future.add_done_callback(done.put)

    while True:
        while (
            len(running) < BATCHES_PER_THREAD * _wait_for_workers(client) and (batch := next(batches, None)) is not None
        ):
            submit(batch, 1)
        if not running:
            return
        future = _wait_for_future(client, done)
        batch, attempt = running.pop(future.key)
        try:
            result = future.result()
        except Exception as error:
            _check_versions(client)  # another version may be unable to read the batch at all
            if attempt == ATTEMPTS or client.status != "running":
                raise _make_batch_error(batch, error) from error
            submit(batch, attempt + 1)
            continue
        finally:
            future.release()
        if result.version != make_findings_version():
            raise _make_version_error({result.worker: result.version})
        yield result


def _check_versions(client: Any) -> None:
    """Raise MindSkillsError if a worker has another version of mind-skills, or none. One that joins later is found by its results."""
    if client.status != "running":
        return
    versions: dict[str, object] = client.run(make_findings_version, on_error="return")
    if others := {worker: version for worker, version in versions.items() if version != make_findings_version()}:
        raise _make_version_error(others)


def _make_version_error(versions: dict[str, object]) -> MindSkillsError:
    named = ", ".join(f"{worker} has {_name_version(version)}" for worker, version in sorted(versions.items()))
    return MindSkillsError(
        "other_version",
        f"this machine has version {make_findings_version()} of mind-skills, but the worker {named}",
        "Install the same version on the workers and here, restart the workers, and run the command again.",
    )


def _name_version(version: object) -> str:
    if isinstance(version, Exception):
        return f"none ({type(version).__name__}: {version})"[:200]
    return str(version) or "an older one"


def _wait_for_workers(client: Any) -> int:
    """Return the number of the cluster's threads; 1 if the connection is lost. Raises MindSkillsError if it has none for some time."""
    end = time.monotonic() + WORKERS_SECONDS
    while client.status == "running":
        with suppress(OSError):  # the connection was lost, and the client will notice
            if threads := _count_threads(client):
                return threads
        if time.monotonic() > end:
            raise MindSkillsError(
                "no_workers",
                f"the scheduler has had no workers for {WORKERS_SECONDS:g} seconds",
                f"Start some with `dask worker ADDRESS`. {CONTINUE_HINT}",
            )
        time.sleep(POLL_SECONDS)
    return 1


def _wait_for_future(client: Any, done: queue.SimpleQueue[Any]) -> Any:
    """Return the next future that is done. Raises MindSkillsError if the connection is lost."""
    lost_seconds = 0.0
    while True:
        try:
            return done.get(timeout=POLL_SECONDS)
        except queue.Empty:
            if client.status == "running":
                lost_seconds = 0.0
                _wait_for_workers(client)
                continue
            lost_seconds += POLL_SECONDS
            if lost_seconds > LOST_SECONDS or client.status in ("closed", "closing"):
                raise MindSkillsError(
                    "scheduler_lost", "the connection to the scheduler was lost", CONTINUE_HINT
                ) from None


CONTINUE_HINT = "Run the same command again to continue with the remaining logs."


def _make_batch_error(batch: Batch, error: Exception) -> MindSkillsError:
    if type(error).__name__ in ("FutureCancelledError", "CancelledError", "CommClosedError"):
        return MindSkillsError("scheduler_lost", "the connection to the scheduler was lost", CONTINUE_HINT)
    first = batch.entries[0].uri
    reason = f"{type(error).__name__}: {error}"[:300]
    return MindSkillsError(
        "scan_failed",
        f"the batch of {format_count(len(batch.entries), 'log')} that begins with {first} failed: {reason}",
        CONTINUE_HINT,
    )


def _count_threads(client: Any) -> int:
    return sum(client.nthreads().values())


@contextmanager
def _connect(cluster: Cluster) -> Generator[Any]:
    """Yield a client of the cluster, or of one that is started on this machine and ends with the context."""
    dask: Any = importlib.import_module("dask")
    distributed: Any = importlib.import_module("distributed")
    settings = {
        "distributed.scheduler.worker-saturation": float("inf"),
        "distributed.scheduler.allowed-failures": ALLOWED_FAILURES,
        "distributed.admin.log-format": "%(name)s - %(levelname)s - %(message)s",
        "distributed.logging": {"distributed": "critical", "tornado": "critical"},
        "distributed.comm.timeouts.connect": "20s",
        "distributed.worker.profile.enabled": False,  # samples every 10 ms for a dashboard that nobody opens
        "distributed.admin.tick.interval": "500ms",  # 20 ms by default, in the client and in each worker
        "distributed.admin.system-monitor.interval": "5s",
    }
    with ExitStack() as stack:
        stack.enter_context(dask.config.set(settings))
        if cluster.scheduler:
            try:
                client = distributed.Client(cluster.scheduler, set_as_default=False)
            except (OSError, ValueError) as error:
                reason = f"{cluster.scheduler} cannot be reached: {error}"
                raise MindSkillsError(
                    "scheduler_lost", reason, "Check the address, and that `dask scheduler` is running there."
                ) from error
        else:
            stack.enter_context(_change_to_root())
            with _hold_ctrl_c():
                local = distributed.LocalCluster(
                    n_workers=cluster.workers,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",  # any free port; None would mean 8787, which may be in use
                    memory_limit=0,
                    silence_logs=50,
                )
                stack.callback(local.close, timeout=CLOSE_SECONDS)
            client = distributed.Client(local, set_as_default=False)
        stack.callback(client.close, timeout=CLOSE_SECONDS)
        stack.callback(_stop_readers, client)
        yield client


def _stop_readers(client: Any) -> None:
    """End the child processes of all workers: an existing cluster outlives the scan, and a worker that exits would wait for them."""
    if client.status != "running":
        return
    try:
        client.run(stop_readers, on_error="ignore")
    except Exception:  # noqa: BLE001 -- the scheduler is gone, so its workers end, and their children with them
        return


@contextmanager
def _change_to_root() -> Generator[None]:
    """Run in the root folder: child processes import from the current folder, which may be a repository."""
    before = os.getcwd()
    os.chdir(os.sep)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _hold_ctrl_c() -> Generator[None]:
    """Hold Ctrl-C back meanwhile, and for ever from what is started here: a terminal sends it to all processes."""
    if (
        not hasattr(signal, "pthread_sigmask") or threading.current_thread() is not threading.main_thread()
    ):  # Windows, tests
        yield
        return
    resource_tracker.ensure_running()  # of multiprocessing; when it starts, it lets Ctrl-C through
    received: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, _frame: received.append(number))  # by an older thread
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, handler)
    if received:
        raise KeyboardInterrupt


@contextmanager
def _interrupt_on_sigterm() -> Generator[None]:
    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, interrupt)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def estimate_seconds_left(progress: Progress, began: float) -> float | None:
    """Estimate the remaining seconds from the rate so far; None before the first batch. ``began`` is from time.monotonic()."""
    if not progress.size:
        return None
    return (progress.total_size - progress.size) * (time.monotonic() - began) / progress.size
