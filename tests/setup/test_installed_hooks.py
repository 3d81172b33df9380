"""The hook commands in the settings, run as a host runs them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.setup.install.targets import find_handlers


def run_hook(home: Path, project: Path, moment: str, session: str) -> str:
    """Run a hook of Claude Code's settings and return its output; assert that it succeeds without a complaint."""
    found = find_handlers((home / ".claude/settings.json").read_bytes())
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
def test_hooks_of_a_paused_project_print_and_change_nothing(
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
        assert candidate.id in run_hook(home, project, "SessionStart", "two")
        return
    before = tree(home)
    assert [run_hook(home, project, moment, "two") for moment in ("SessionStart", "Stop", "SessionEnd")] == ["", "", ""]
    assert tree(home) == before
    mind_skills("resume", *options)
    assert candidate.id in run_hook(home, project, "SessionStart", "two")
