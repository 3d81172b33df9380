"""The exit code of a check that a command line prints is the one that counts."""

from __future__ import annotations

import pytest

from mind_skills.observations.builders import build_tool_call

CALLS = {
    'make test; echo "rc=$?"': ("no\nrc=2", 2),
    "make lint; echo exit=$?; make test; echo exit=$?": ("exit=1\nexit=0", None),
    'hk check 2>&1\necho "=== exit: $? ==="': ("=== exit: 101 ===\nthe shell is reset", 101),
    'make test | tail; echo "exit: ${PIPESTATUS[0]}"': ("exit: 1", 1),
    'make test; rc=$?; echo "rc $rc"': ("rc 3", 3),
    "make test; echo $?": ("12 files\n1", 1),
    "make test && echo done $?": ("12 files", None),
    'make test; rc=$?; echo "HOME $HOME"': ("HOME 1", None),
    "make test; echo rc=1": ("rc=1", None),
    "grep x y; echo $?": ("1", None),
    "./tool unknown; echo $?": ("1", None),
}


@pytest.mark.parametrize("command", CALLS)
def test_a_check_failed_if_its_line_prints_so(command: str) -> None:
    output, code = CALLS[command]
    call = build_tool_call("Bash", "run", line=1, command=command, output=output, outcome="ok")
    assert (call.outcome, call.exit_code) == (("failed", code) if code else ("ok", None))
