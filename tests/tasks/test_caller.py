"""Who ran a command: the agent of a session whose host is above the process, however far, or a person."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mind_skills.hooks.session_state import SessionMarkers
from mind_skills.staging.ledger import Ledger
from mind_skills.store import processes
from mind_skills.store.project import resolve_project
from tests.testkit.paths import ROOT

ASK = """
import json, sys
from mind_skills.errors import MindSkillsError
from mind_skills.store.project import resolve_project
from mind_skills.tasks.caller import make_shell_caller, refuse_agents
caller = make_shell_caller(sys.argv[1])
try:
    refuse_agents(caller.project)
    refused = False
except MindSkillsError:
    refused = True
print(json.dumps([caller.kind, caller.session, caller.conversation, refused]))
"""
RUN = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"
SHELL = ("sh", "-c", '"$@"; true', "sh")
PYTHON = (sys.executable, "-c", RUN)
XARGS = ("sh", "-c", 'echo project | xargs "$@"', "sh")
PERSON = ["user", "", "", False]
AGENT = ["agent", "one", "one", True]
UNCLEAR = ["agent", "", "two", True]
CALLERS: dict[str, tuple[dict[str, str], tuple[str, ...], dict[str, str], list[object]]] = {
    "no session": ({}, SHELL, {}, PERSON),
    "a session elsewhere": ({"one": "another process"}, SHELL, {}, PERSON),
    "one session": ({"one": "project"}, (), {}, AGENT),
    "through shells": ({"one": "project"}, (*SHELL, *SHELL), {}, AGENT),
    "through xargs": ({"one": "project"}, XARGS, {}, AGENT),
    "through programs": ({"one": "project"}, (*PYTHON, *SHELL, *PYTHON), {}, AGENT),
    "two sessions of the project": ({"one": "project", "two": "project"}, SHELL, {}, UNCLEAR),
    "one of two in the project": ({"one": "project", "two": "other"}, SHELL, {}, AGENT),
    "a session of another project": ({"two": "other"}, PYTHON, {}, UNCLEAR),
    "Claude Code": ({}, (), {"CLAUDE_CODE_SESSION_ID": "one"}, AGENT),
    "Gemini CLI": ({}, (), {"GEMINI_CLI": "1"}, ["agent", "", "agent of GEMINI_CLI", True]),
    "an empty variable": ({}, (), {"CLAUDECODE": ""}, PERSON),
}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only where the system has /proc")
@pytest.mark.parametrize(("sessions", "before", "environment", "expected"), CALLERS.values(), ids=CALLERS)
def test_a_command_below_a_host_is_run_by_an_agent(
    state: Path,
    project: Path,
    sessions: dict[str, str],
    before: tuple[str, ...],
    environment: dict[str, str],
    expected: list[object],
) -> None:
    (project.parent / "other").mkdir()
    with Ledger.open(state) as ledger:
        for number, (name, folder) in enumerate(sessions.items()):
            place = project.parent / ("other" if folder == "other" else "project")
            ledger.register_session(name, "codex", resolve_project(str(place)), "", number)
            process = "1 1 elsewhere" if folder == "another process" else processes.describe_process(os.getpid())
            SessionMarkers(str(state), name).running.write(process)
    done = subprocess.run(
        [*before, sys.executable, "-c", ASK, *([] if before == XARGS else [str(project)])],
        capture_output=True,
        text=True,
        check=True,
        cwd=project.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT.parent), **environment},
    )
    assert json.loads(done.stdout) == expected
