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
    'npm test > log 2>&1; grep -c FAIL log; echo "rc=$?"': ("0\nrc=1", None),
    'pytest -q; echo "rc=$?"; grep -q TODO src; echo "grep=$?"': ("5 passed\nrc=0\ngrep=1", None),
    "pytest; echo rc=$?; cat log": ("rc=0\nrc=2 of the earlier run", None),
    "rc=$?; pytest; echo ${rc}1": ("11", None),
    "pytest; rc=$?; echo ${rc}; exit $rc": ("1", 1),
    "cd web && npm test; echo done: $?.": ("done: 7.", 7),
    "pytest <<E\n$?\nE\necho $?": ("2", 2),
    "./tool unknown; echo $?": ("1", None),
}


@pytest.mark.parametrize("command", CALLS)
def test_a_check_failed_if_its_line_prints_so(command: str) -> None:
    output, code = CALLS[command]
    call = build_tool_call("Bash", "run", line=1, command=command, output=output, outcome="ok")
    assert (call.outcome, call.exit_code) == (("failed", code) if code else ("ok", None))


@pytest.mark.parametrize("outcome", ["failed", "ok"])
def test_a_command_stopped_with_a_key_did_not_fail(outcome: str) -> None:
    given = {"outcome": "failed", "exit_code": 130} if outcome == "failed" else {"outcome": "ok", "output": "rc=130"}
    call = build_tool_call("Bash", "run", line=1, command="npm test -- --watch; echo rc=$?", **given)
    assert (call.outcome, call.exit_code, call.error) == ("aborted", 130, "")
