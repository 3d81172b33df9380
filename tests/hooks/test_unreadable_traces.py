"""A trace is a hint: what stands in one keeps no session from being read, whatever it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_skills.hooks import processes, traces
from tests.hooks.lifecycle_world import World

DIGITS = "9" * 5_000
"""More than Python makes a number of."""


@pytest.mark.parametrize("content", ["", "soon", DIGITS, "\u0663\u0663", "[false]", "-5", "1.5"])
def test_a_session_is_read_whatever_its_traces_hold(tmp_path: Path, content: str) -> None:
    with World(tmp_path) as world:
        world.tell("A starts")
        for folder in (traces.FORKED, traces.CHECKED, traces.KEPT, traces.RUNNING):
            traces.put(world.home, folder, "", "A", content)
        world.tell("A learns ferns\nlater A idles")
        assert world.pending() == {"ferns": False}
        traces.put(world.home, traces.KEPT, "", "A", f"{content} {content} 0badcafe\n")
        world.tell("A learns mosses\nlater A idles\nA ends")
        assert world.pending() == {"ferns": False, "mosses": False}


def test_a_process_whose_number_is_none_is_unknown() -> None:
    among = processes.process(1).split(" ", 2)[2]
    assert [processes.runs(f"{pid} 5 {among}") for pid in (DIGITS, "x", "")] == [None, None, None]


@pytest.mark.parametrize(("content", "due"), [(DIGITS, True), ("x", True), ("", True), ("1699999999999", False)])
def test_a_time_that_is_none_means_that_the_log_was_never_looked_at(tmp_path: Path, content: str, due: bool) -> None:
    with World(tmp_path) as world:
        moment = world.moment("A")
        moment.at = 1_700_000_000_000
        traces.put(world.home, traces.CHECKED, "", "A", content)
        assert traces.due(world.home, moment, 60_000) is due
