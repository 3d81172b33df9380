"""Which process ran a session, and whether it is running: a number alone does not show it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mind_skills.store import processes

linux = pytest.mark.skipif(sys.platform != "linux", reason="states of processes are read from /proc")


def test_a_malformed_description_leaves_it_unknown_whether_a_process_is_running() -> None:
    mine = processes.describe_process(os.getpid())
    number = str(os.getpid())
    words = (mine, number, "", "x y z", "0  ", f"{number} 1 else", mine.replace(number, f"-{number}", 1))
    assert [processes.is_running(each) for each in words] == [True, None, None, None, None, None, None]


def test_an_ended_process_is_not_running_and_on_linux_not_even_before_it_is_reaped() -> None:
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as child:
        words = processes.describe_process(child.pid)
        assert child.stdout is not None
        child.stdout.read()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        os.kill(child.pid, 0)  # its number is in use until then
        expected = (False, False) if sys.platform == "linux" else (True, True)
        assert (processes.is_alive(child.pid), processes.is_running(words)) == expected
    assert (processes.is_alive(child.pid), processes.is_running(words)) == (False, False)


@linux
def test_a_reused_process_number_is_recognised_as_another_process() -> None:
    number, start, among = processes.describe_process(os.getpid()).split(" ", 2)
    assert processes.is_running(f"{number} {int(start) - 1} {among}") is False


@linux
def test_a_description_without_a_start_time_is_judged_by_its_number() -> None:
    number, _, among = processes.describe_process(os.getpid()).split(" ", 2)
    assert processes.is_running(f"{number}  {among}") is True
