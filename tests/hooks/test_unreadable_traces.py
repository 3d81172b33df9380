"""A session marker is a hint: whatever it contains, its session is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_skills.hooks.session_state import (
    CHECKED,
    FORKED,
    LOG_STATE,
    RUNNING,
    Marker,
    SessionMarkers,
    is_checkpoint_due,
)
from mind_skills.store import processes
from tests.hooks.lifecycle_world import World

DIGITS = "9" * 5_000
"""More digits than Python converts to a number."""


@pytest.mark.parametrize("content", ["", "soon", DIGITS, "\u0663\u0663", "[false]", "-5", "1.5"])
def test_a_session_is_read_whatever_its_markers_contain(tmp_path: Path, content: str) -> None:
    with World(tmp_path) as world:
        world.tell("A starts")
        for folder in (FORKED, CHECKED, LOG_STATE, RUNNING):
            Marker(world.home, folder, "A").write(content)
        world.tell("A learns ferns\nlater A idles")
        assert world.pending() == {"ferns": False}
        SessionMarkers(world.home, "A").log_state.write(f"{content} {content} 0badcafe\n")
        world.tell("A learns mosses\nlater A idles\nA ends")
        assert world.pending() == {"ferns": False, "mosses": False}


def test_a_process_with_an_invalid_number_is_unknown() -> None:
    among = processes.describe_process(1).split(" ", 2)[2]
    assert [processes.is_running(f"{pid} 5 {among}") for pid in (DIGITS, "x", "")] == [None, None, None]


@pytest.mark.parametrize(("content", "due"), [(DIGITS, True), ("x", True), ("", True), ("1699999999999", False)])
def test_a_checkpoint_is_due_if_its_marker_holds_no_valid_time(tmp_path: Path, content: str, due: bool) -> None:
    with World(tmp_path) as world:
        call = world.make_call("A")
        call.at = 1_700_000_000_000
        SessionMarkers(world.home, "A").checked.write(content)
        assert is_checkpoint_due(world.home, call, 60_000) is due
