"""A payload may name anything as a session's log: none of it keeps our processes waiting, or enters a log unescaped."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.plugin.adapters.hook_host import WAITED, Host
from tests.testkit.paths import ROOT

ODD = [
    "pipe",
    "/dev/zero",
    "/dev/tty",
    "/proc/kmsg",
    "/proc/self/pagemap",
    "/proc/sys/kernel/ostype",
    "folder",
    "link to a pipe",
]


def make_odd_log(folder: Path, what: str) -> str:
    path = folder / "odd"
    if what == "pipe":
        os.mkfifo(path)
    elif what == "folder":
        path.mkdir()
    elif what == "link to a pipe":
        os.mkfifo(folder / "pipe")
        path.symlink_to(folder / "pipe")
    else:
        return what
    return str(path)


READ = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from mind_skills.hooks.unread_offers import _log_contains
from mind_skills.errors import LogError
from mind_skills.observations.read import FORMATS, read_session
for name in (None, *FORMATS):
    try:
        print(name, len(read_session(Path(sys.argv[1]), name).observations))
    except LogError as error:
        print(name, error.code)
print(_log_contains(sys.argv[1], ["x"]))
"""


@pytest.mark.process
@pytest.mark.parametrize("what", ODD)
def test_no_reader_waits_for_a_path_that_is_no_log(tmp_path: Path, what: str) -> None:
    line = [sys.executable, "-c", READ, make_odd_log(tmp_path, what), str(ROOT / ".dev")]
    done = subprocess.run(line, capture_output=True, text=True, timeout=WAITED, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.process
@pytest.mark.parametrize("what", ["pipe", "/proc/kmsg"])
def test_no_worker_stays_behind_and_waits_for_a_path_that_is_no_log(tmp_path: Path, what: str) -> None:
    host = Host(tmp_path)
    log = make_odd_log(tmp_path, what)
    for event in ("SessionStart", "Stop", "SessionEnd"):
        assert host.hook({**host.payload(event), "transcript_path": log})[0] == 0
    until = time.monotonic() + WAITED
    while (left := list_processes(host)) and time.monotonic() < until:
        time.sleep(0.05)
    assert left == []


def list_processes(host: Host) -> list[str]:
    """Our processes that have this host's state folder in their environment."""
    found: list[str] = []
    for folder in Path("/proc").iterdir():
        try:
            if (
                folder.name.isdecimal()
                and f"MIND_SKILLS_HOME={host.state}\0".encode() in (folder / "environ").read_bytes()
            ):
                found.append(folder.name)
        except OSError:
            continue
    return found


def test_control_characters_of_a_payload_do_not_reach_the_log_of_the_hooks(tmp_path: Path) -> None:
    host = Host(tmp_path)
    evil = "s\x1b[2J\x9b31m\u202eon\x7f\x07"
    (host.project / ".claude").mkdir()
    (host.project / ".claude/mind-skills.toml").write_text("enabled = maybe\n")
    host.hook(host.payload("SessionStart", session=evil))
    host.settle()
    log = host.log()
    assert "claude-code start" in log
    assert [sign for sign in log if not (sign.isprintable() or sign == "\n")] == []
