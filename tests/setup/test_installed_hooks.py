"""What stands in the settings, started as a host starts it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.setup.install.targets import find_handlers


def start(home: Path, project: Path, moment: str, session: str) -> str:
    """What the hook of Claude Code's settings answers; fails where it fails or complains."""
    found = find_handlers((home / ".claude/settings.json").read_text())
    payload = {"session_id": session, "transcript_path": "", "cwd": str(project), "hook_event_name": moment}
    done = subprocess.run(
        ["/bin/sh", "-c", found[moment][0]["command"]],
        input=json.dumps({**payload, "source": "startup"}),
        capture_output=True,
        text=True,
        cwd=project,
        env={"HOME": str(home), "PATH": os.environ["PATH"], "MIND_SKILLS_PROBE": "1"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("where", ["everywhere", "in the project", "in another project"])
def test_during_a_pause_hooks_answer_nothing_and_leave_everything_as_it_is(
    home: Path, state: Path, tmp_path: Path, mind_skills: Callable[..., Any], learn: Callable[..., Any],
    tree: Callable[..., Any], where: str,
) -> None:  # fmt: skip
    project = tmp_path / "project"
    (tmp_path / "other").mkdir()
    mind_skills("install", "claude-code")
    candidate = learn(state, project)
    place = {"everywhere": [], "in the project": [project], "in another project": [tmp_path / "other"]}[where]
    options = ["--project", *place] if place else []
    mind_skills("pause", *options)
    if where == "in another project":
        assert candidate.id in start(home, project, "SessionStart", "two")
        return
    before = tree(home)
    assert [start(home, project, moment, "two") for moment in ("SessionStart", "Stop", "SessionEnd")] == ["", "", ""]
    assert tree(home) == before
    mind_skills("resume", *options)
    assert candidate.id in start(home, project, "SessionStart", "two")
