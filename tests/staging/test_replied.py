"""Whether the agent of a session replied at all: if it did not, nobody has read the offer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mind_skills.staging.analyse import analyse

PROMPT = ("user", "please fix it")
CALL = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "a.py"}


def replied(folder: Path, *lines: tuple[str, Any]) -> bool:
    log = folder / "s.jsonl"
    entries = [
        {"type": kind, "uuid": str(number), "sessionId": "s", "message": {"role": kind, "content": content}}
        for number, (kind, content) in enumerate(lines)
    ]
    log.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return analyse(log).has_replied


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([PROMPT], False),
        ([PROMPT, ("assistant", [{"type": "text", "text": "Done."}])], True),
        ([PROMPT, ("assistant", [CALL]), ("user", [RESULT])], True),
        ([PROMPT, ("assistant", [CALL])], True),
    ],
    ids=["prompt only", "message", "tool call without a message", "interrupted tool call"],
)
def test_a_session_has_replied_if_its_agent_wrote_a_message_or_called_a_tool(
    tmp_path: Path, lines: list[tuple[str, Any]], expected: bool
) -> None:
    assert replied(tmp_path, *lines) is expected
