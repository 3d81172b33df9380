"""SWE-agent: what its built-in commands operate on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mind_skills.observations.read import read_session


@pytest.mark.parametrize("action", ["goto 200", "scroll_up", "scroll_down"])
def test_moving_in_the_editor_reads_the_open_file(tmp_path: Path, action: str) -> None:
    path = tmp_path / "one.traj"
    step = {"action": action, "observation": "", "state": {"open_file": "/p/a.py"}}
    path.write_text(json.dumps({"trajectory": [step], "history": []}))
    observations = read_session(path).observations
    assert [(each.action, each.files) for each in observations] == [("read", ("/p/a.py",))]
