"""OpenCode's plugin uses the state folder and the settings that `install` wrote into it."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from mind_skills.plugin.opencode import SPOOL_FOLDER
from tests.plugin.adapters.node_host import HARNESS, node


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_plugin_file_and_its_hook_ignore_a_state_folder_in_the_environment(tmp_path: Path) -> None:
    state, theirs = tmp_path / "state", tmp_path / "theirs"
    hook = tmp_path / "hook"
    hook.write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$@" > {tmp_path}/called.new\nmv {tmp_path}/called.new {tmp_path}/called\n'
    )
    hook.chmod(0o755)
    places = (str(state), str(tmp_path / "settings.toml"))
    node(
        tmp_path,
        HARNESS,
        str(hook),
        state=places[0],
        settings=places[1],
        MIND_SKILLS_HOME=str(theirs),
        XDG_STATE_HOME=str(theirs),
    )
    assert list((state / SPOOL_FOLDER).glob("*.jsonl"))
    until = time.monotonic() + 20
    while not (tmp_path / "called").exists() and time.monotonic() < until:
        time.sleep(0.01)
    words = (tmp_path / "called").read_text().splitlines()
    assert words[-3:] == ["opencode", f"MIND_SKILLS_HOME={places[0]}", f"MIND_SKILLS_CONFIG={places[1]}"]
    assert not theirs.exists()
