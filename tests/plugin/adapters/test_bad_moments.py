"""Bad moments of the machine, with real processes: the host is not disturbed, and nothing observed is lost afterwards."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from tests.plugin.adapters.hook_host import Host
from tests.testkit.paths import ROOT
from tests.testkit.processes import list_processes

DEMO = ROOT / "fixtures" / "demo" / "session.jsonl"
SILENT = (0, b"", b"")
HERE = Path(__file__).resolve().parent


def count_pending(host: Host) -> int:
    """The number of pending candidates of the project."""
    with Ledger.open(host.state) as ledger:
        return len(ledger.list_pending(resolve_project(str(host.project))))


@pytest.fixture
def hanging_up() -> Iterator[None]:
    """SIGHUP ends a process here, even if the process that runs the tests ignores it, which its children inherit."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.process
@pytest.mark.usefixtures("hanging_up")
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL, signal.SIGHUP])
@pytest.mark.parametrize("event", ["Stop", "SessionEnd"])
def test_a_session_whose_worker_is_killed_while_it_reads_is_learned_from_later(
    host: Host, event: str, sent: signal.Signals
) -> None:
    shutil.copy(DEMO, host.project.parent / "s.jsonl")
    results, gate = host.waiting(host.payload(event))
    for worker in list_processes(host.state):
        os.kill(worker, sent)
    host.settle()
    os.close(gate)
    assert results == SILENT
    if event == "Stop":
        assert host.hook(host.payload("SessionEnd")) == SILENT
        host.settle()
    else:
        pass_an_hour(host)
    assert host.hook(host.payload("SessionStart", "next", source="startup"))[0] == 0
    host.settle()
    assert count_pending(host) == 1


def pass_an_hour(host: Host) -> None:
    """An hour of silence has passed, which counts as the end if the host does not report its process."""
    past = time.time() - 3600
    os.utime(host.project.parent / "s.jsonl", (past, past))
    with Ledger.open(host.state) as ledger, ledger.database.writing() as sql:
        sql.execute("UPDATE sessions SET seen_at = ?", (int(past * 1000),))


@pytest.mark.process
def test_twenty_four_hooks_at_once_do_not_disturb_the_host_and_lose_no_session(host: Host) -> None:
    candidate = host.stage()
    names = [f"s{n}" for n in range(8)]
    # The agent's answers are dated after all of this, so every offer counts as read.
    text = re.sub(r'"timestamp":\s*"20\d\d', '"timestamp":"2999', DEMO.read_text())
    for name in names:
        (host.project.parent / f"{name}.jsonl").write_text(text)
    events = [
        host.payload(event, name, source="startup")
        for name in names
        for event in ("SessionStart", "Stop", "SessionEnd")
    ]
    with ThreadPoolExecutor(24) as pool:
        ran = list(pool.map(host.hook, events))
    host.settle()
    assert {(code, err) for code, _, err in ran} == {(0, b"")}
    results = [json.loads(out)["hookSpecificOutput"]["additionalContext"] for _, out, _ in ran if out]
    assert sum(candidate.id in text for text in results) <= 1
    with ThreadPoolExecutor(8) as pool:  # each session ends once more, whatever the order was
        assert set(pool.map(host.hook, [host.payload("SessionEnd", name) for name in names])) == {SILENT}
    host.settle()
    with Ledger.open(host.state) as ledger:
        seen = {
            name
            for one in [
                *ledger.list_pending(resolve_project(str(host.project))),
                *(r.candidate for r in ledger.list_history()),
            ]
            for name in one.sessions
        }
        assert ledger.list_unfinished() == []
    assert set(names) <= seen
    assert host.log() == ""


@pytest.mark.process
def test_a_state_folder_deleted_while_a_worker_reads_does_not_disturb_the_host_or_later_sessions(host: Host) -> None:
    shutil.copy(DEMO, host.project.parent / "s.jsonl")
    results, gate = host.waiting(host.payload("SessionEnd"))
    shutil.rmtree(host.state)
    os.close(gate)
    host.settle()
    assert results == SILENT
    assert host.hook(host.payload("SessionStart", source="resume"))[0] == 0
    host.settle()
    assert host.hook(host.payload("SessionEnd")) == SILENT
    host.settle()
    assert count_pending(host) == 1


@pytest.mark.process
def test_a_candidate_of_one_worktree_is_offered_in_a_folder_of_another_worktree(host: Host, tmp_path: Path) -> None:
    repository, other = tmp_path / "repository", tmp_path / "other"
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C", str(repository)]
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "Begin"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(other)], check=True)
    shutil.copy(DEMO, host.project.parent / "s.jsonl")
    host.project = repository
    host.environment["CLAUDE_PROJECT_DIR"] = str(repository)
    assert host.hook(host.payload("SessionEnd")) == SILENT
    host.settle()
    below = other / "deep" / "below"
    below.mkdir(parents=True)
    host.project, host.environment["CLAUDE_PROJECT_DIR"] = below, str(other)
    out = host.hook(host.payload("SessionStart", "two", source="startup"))[1]
    host.settle()
    assert b"openception-skill-extraction" in out
    assert [path.name for path in below.iterdir()] == []
    results = [
        "injectedAt" in json.loads((place / ".claude/mind-skills-pending.json").read_text())["candidates"][0]
        for place in (repository, other)
    ]
    assert results == [True, True]
    status = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=True)
    assert status.stdout == ""


def run_with_mounts(root: Path, mounts: str, story: Callable[[Host], None]) -> None:
    """Runs a story with private ``mounts``; skipped where these are not permitted."""
    code = f"import sys; sys.path[:0] = [{str(ROOT)!r}]; from {__name__} import *; {story.__name__}(Host(Path(sys.argv[1])))"
    python = [sys.executable, "-c", code, str(root)]
    place = ["unshare", "--mount", "--propagation", "private", "/bin/sh", "-ec"]
    if subprocess.run([*place, "mount -t tmpfs none /mnt"], capture_output=True, check=False).returncode:
        pytest.skip("no private mounts are permitted here")
    root.mkdir()
    done = subprocess.run(
        [*place, f'{mounts}\nexec "$@"', "sh", *python], capture_output=True, text=True, cwd=root, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def run_silent_session(host: Host) -> None:
    """A session from its start to its end; every hook is silent."""
    for event in ("SessionStart", "Stop", "SessionEnd"):
        assert host.hook(host.payload(event, source="startup")) == SILENT, event
        host.settle()


def fill(filler: Path) -> None:
    """Fills the disk of this file."""
    try:
        with filler.open("ab", buffering=0) as out:
            while True:
                out.write(b"x" * 512)
    except OSError as error:
        assert error.errno == errno.ENOSPC  # noqa: PT017 -- the loop has no other end


def full_state(host: Host) -> None:
    shutil.copy(DEMO, host.project.parent / "s.jsonl")
    filler = host.state / "filler"
    fill(filler)
    run_silent_session(host)
    filler.unlink()
    run_silent_session(host)
    assert count_pending(host) == 1


def half_full_state(host: Host) -> None:
    """With room for some writes only: nothing that was half written is taken for whole, and the user is told of it once."""
    shutil.copy(DEMO, host.project.parent / "s.jsonl")
    shown: list[bytes] = []
    for room in range(8, 400, 56):
        filler = host.state / "filler"
        free = os.statvfs(host.state)
        filler.write_bytes(b"x" * max(0, free.f_bavail * free.f_frsize - room * 1024))
        for event in ("SessionStart", "Stop", "SessionEnd"):
            code, out, err = host.hook(host.payload(event, source="startup"))
            assert (code, err) == (0, b""), event
            shown += [out] if out else []
            host.settle()
        filler.unlink()
    run_silent_session(host)
    assert [b"1 new learning from this session" in out for out in shown] in ([], [True])
    assert count_pending(host) == 1
    with Ledger.open(host.state) as ledger:
        assert ledger.list_unfinished() == []


def full_project(host: Host) -> None:
    shutil.copy(DEMO, host.project.parent / "s.jsonl")
    filler = host.project / "filler"
    fill(filler)
    run_silent_session(host)
    assert count_pending(host) == 1
    filler.unlink()
    assert b"openception" in host.hook(host.payload("SessionStart", "two", source="startup"))[1]
    host.settle()
    assert len(json.loads((host.project / ".claude/mind-skills-pending.json").read_text())["candidates"]) == 1


def remount(place: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", "none", str(place)], check=True, capture_output=True)


def read_only_project(host: Host) -> None:
    shutil.copy(DEMO, host.project.parent / "s.jsonl")
    remount(host.project, "ro")
    run_silent_session(host)
    assert count_pending(host) == 1
    assert b"openception" in host.hook(host.payload("SessionStart", "two", source="startup"))[1]
    host.settle()
    remount(host.project, "rw")
    assert not (host.project / ".claude").exists()
    assert host.hook(host.payload("SessionStart", "three", source="startup"))[1] == b""
    host.settle()
    assert len(json.loads((host.project / ".claude/mind-skills-pending.json").read_text())["candidates"]) == 1


def read_only_state(host: Host) -> None:
    shutil.copy(DEMO, host.project.parent / "s.jsonl")
    remount(host.state, "ro")
    run_silent_session(host)
    remount(host.state, "rw")
    run_silent_session(host)
    assert count_pending(host) == 1


STATE = "mkdir -m 700 state; mount -t tmpfs -o mode=700,size=1m none state"
PROJECT = "mkdir project; mount -t tmpfs -o size=64k none project"


@pytest.mark.process
@pytest.mark.parametrize(
    ("mounts", "story"),
    [
        (STATE, full_state),
        (STATE, half_full_state),
        (PROJECT, full_project),
        (PROJECT, read_only_project),
        (STATE, read_only_state),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_full_or_read_only_disk_does_not_disturb_the_host_and_nothing_is_lost_afterwards(
    tmp_path: Path, mounts: str, story: Callable[[Host], None]
) -> None:
    run_with_mounts(tmp_path / "root", mounts, story)
