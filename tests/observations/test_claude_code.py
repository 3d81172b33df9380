"""Claude Code: subagents in separate files, and resumes that repeat lines."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from mind_skills.observations.model import LogWarning
from mind_skills.observations.read import read_session

Log = Callable[[str], Path]
TRANSCRIPT = "claude_code/transcript.jsonl"


def test_the_call_of_a_subagent_is_read_if_its_file_is_missing(log: Log, tmp_path: Path) -> None:
    alone = Path(shutil.copy(log(TRANSCRIPT), tmp_path))
    seen, whole = read_session(alone), read_session(log(TRANSCRIPT))
    assert seen.observations == [o for o in whole.observations if o.agent == "main"]


def test_a_subagent_file_that_no_call_names_is_read_at_the_end(log: Log, tmp_path: Path) -> None:
    alone = Path(shutil.copy(log(TRANSCRIPT), tmp_path))
    folder = tmp_path / "transcript" / "subagents"
    folder.mkdir(parents=True)
    shutil.copy(log("claude_code/transcript/subagents/agent-a1.jsonl"), folder / "agent-zz.jsonl")
    seen = read_session(alone)
    assert [(o.agent, o.line) for o in seen.observations[-2:]] == [("subagent", 28), ("subagent", 28)]
    assert seen.lines == 28


def test_a_subagent_file_that_cannot_be_read_is_a_warning(log: Log, tmp_path: Path) -> None:
    alone = Path(shutil.copy(log(TRANSCRIPT), tmp_path))
    (tmp_path / "transcript" / "subagents" / "agent-a1.jsonl").mkdir(parents=True)
    seen = read_session(alone)
    assert seen.warnings == [LogWarning(19, "subagent log agent-a1.jsonl cannot be read: Is a directory")]
    assert len(seen.observations) == len([o for o in read_session(log(TRANSCRIPT)).observations if o.agent == "main"])


def test_a_line_repeated_by_a_resume_counts_once(log: Log, tmp_path: Path) -> None:
    lines = log(TRANSCRIPT).read_text().splitlines()
    twice = tmp_path / "twice.jsonl"
    twice.write_text("\n".join([*lines, *lines]))
    alone = Path(shutil.copy(log(TRANSCRIPT), tmp_path))
    assert read_session(twice).observations == read_session(alone).observations


def test_a_claude_code_command_with_the_sandbox_disabled_runs_outside_it(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    inputs = [{"command": "ls"}, {"command": "ls", "dangerouslyDisableSandbox": True}]
    lines = [
        {
            "type": "assistant",
            "uuid": f"u{number}",
            "sessionId": "s",
            "message": {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": given}],
            },
        }
        for number, given in enumerate(inputs)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [each.is_outside_sandbox for each in read_session(path).observations] == [False, True]


def test_the_session_id_is_the_last_one_in_the_log(tmp_path: Path) -> None:
    path = tmp_path / "resumed.jsonl"
    lines = [
        {"type": "user", "uuid": name, "sessionId": name, "message": {"role": "user", "content": name}}
        for name in ("old", "new")
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read_session(path).session_id == "new"
