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


@pytest.mark.parametrize("state_after_create", [{"open_file": "/p/setup.py"}, {"open_file": "/p/new.py"}])
def test_an_edit_changes_the_file_that_its_own_step_names(tmp_path: Path, state_after_create: dict[str, str]) -> None:
    path = tmp_path / "one.traj"
    steps = [
        {"action": "open setup.py", "observation": "", "state": {"open_file": "/p/setup.py"}},
        {"action": "create new.py", "observation": "", "state": state_after_create},
        {"action": "edit 1:1\nprint(1)\nend_of_edit", "observation": "", "state": {"open_file": "/p/new.py"}},
    ]
    path.write_text(json.dumps({"trajectory": steps, "history": []}))
    observations = read_session(path).observations
    assert [each.files for each in observations] == [("setup.py",), ("new.py",), ("/p/new.py",)]
