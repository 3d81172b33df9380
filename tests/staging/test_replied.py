"""Whether the agent of a session was there at all: without it, what the session was told has not been read."""

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
    return analyse(log).replied


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([PROMPT], False),
        ([PROMPT, ("assistant", [{"type": "text", "text": "Done."}])], True),
        ([PROMPT, ("assistant", [CALL]), ("user", [RESULT])], True),
        ([PROMPT, ("assistant", [CALL])], True),
    ],
    ids=["asked only", "spoke", "acted without a word", "was cut short while it acted"],
)
def test_an_agent_that_spoke_or_acted_has_read_what_it_was_told(
    tmp_path: Path, lines: list[tuple[str, Any]], expected: bool
) -> None:
    assert replied(tmp_path, *lines) is expected
