"""Which process ran a session, and whether it still does: a number alone does not say."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mind_skills.hooks import processes

linux = pytest.mark.skipif(sys.platform != "linux", reason="states of processes are read from /proc")


def test_a_process_in_words_is_told_from_words_of_others() -> None:
    mine = processes.describe_process(os.getpid())
    number = str(os.getpid())
    words = (mine, number, "", "x y z", "0  ", f"{number} 1 else", mine.replace(number, f"-{number}", 1))
    assert [processes.is_running(each) for each in words] == [True, None, None, None, None, None, None]


def test_a_process_that_has_ended_does_not_run_even_while_nobody_asks_for_its_result() -> None:
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as child:
        words = processes.describe_process(child.pid)
        assert child.stdout is not None
        child.stdout.read()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        os.kill(child.pid, 0)  # its number is still taken
        expected = (False, False) if sys.platform == "linux" else (True, True)
        assert (processes.is_alive(child.pid), processes.is_running(words)) == expected
    assert (processes.is_alive(child.pid), processes.is_running(words)) == (False, False)


@linux
def test_a_number_that_was_given_out_again_is_another_process() -> None:
    number, start, among = processes.describe_process(os.getpid()).split(" ", 2)
    assert processes.is_running(f"{number} {int(start) - 1} {among}") is False


@linux
def test_where_the_start_was_not_known_the_number_decides() -> None:
    number, _, among = processes.describe_process(os.getpid()).split(" ", 2)
    assert processes.is_running(f"{number}  {among}") is True
