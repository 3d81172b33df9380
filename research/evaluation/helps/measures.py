"""What is counted in a recording: with the product's own reader where it has a notion of it, else in the rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from mind_skills.observations.codec import JsonObject, as_list, as_object, as_string
from mind_skills.observations.read import read_session
from mind_skills.staging.analyse import analyse
from mind_skills.staging.offer import CHARACTERS_PER_TOKEN

FAILURE_EVENT, START_EVENT = "PostToolUseFailure", "SessionStart"
SHOW = "mind-skills show"


class Measures(NamedTuple):
    """Figures of one session. Tokens are characters divided by four; ``tokens`` are those of all results that the agent read.

    ``digest_tokens`` are those of what `mind-skills show` printed. ``minutes`` are from the first act of the agent to the last row.
    """

    calls: int = 0
    failed: int = 0
    minutes: float = 0
    tokens: int = 0
    loaded: tuple[str, ...] = ()
    reminders: int = 0
    offer_tokens: int = 0
    digest_tokens: int = 0


def measure_transcript(text: bytes) -> Measures:
    """Measure a transcript. An empty one is that of a session that did not take place."""
    rows: list[JsonObject] = [as_object(json.loads(line)) for line in text.splitlines()]
    if not rows:
        return Measures()
    with TemporaryDirectory(prefix="helps-") as folder:
        path = Path(folder, "session.jsonl")
        path.write_bytes(text)
        calls = [row for row in read_session(path).observations if row.kind == "tool"]
        uses = analyse(path).skills_used
    times = [datetime.fromisoformat(as_string(row["timestamp"])) for row in rows]
    acts = [at for at, row in zip(times, rows, strict=True) if row["type"] == "assistant"]
    shown = [text for command, text in _list_results(rows) if SHOW in command]
    return Measures(
        calls=len(calls),
        failed=sum(call.outcome == "failed" for call in calls),
        minutes=round((times[-1] - acts[0]).total_seconds() / 60, 2) if acts else 0,
        tokens=_count_tokens([*(text for _, text in _list_results(rows)), *_list_hook_texts(rows, FAILURE_EVENT)]),
        loaded=tuple(dict.fromkeys(use.name for use in uses)),
        reminders=len(_list_hook_texts(rows, FAILURE_EVENT)),
        offer_tokens=_count_tokens(_list_hook_texts(rows, START_EVENT)),
        digest_tokens=_count_tokens(shown),
    )


def _list_results(rows: list[JsonObject]) -> Iterator[tuple[str, str]]:
    """Yield (command, result) of each call, and ("", text) of each skill that the client added after a call."""
    commands: dict[str, str] = {}
    for row in rows:
        for block in map(as_object, as_list(as_object(row.get("message")).get("content"))):
            if block["type"] == "tool_use":
                commands[as_string(block["id"])] = as_string(as_object(block["input"]).get("command"))
            elif block["type"] == "tool_result":
                yield commands.get(as_string(block["tool_use_id"]), ""), as_string(block["content"])
            elif row.get("isMeta"):
                yield "", as_string(block["text"])


def _list_hook_texts(rows: list[JsonObject], event: str) -> list[str]:
    attachments = [as_object(row.get("attachment")) for row in rows]
    return [
        as_string(text) for each in attachments if each.get("hookEvent") == event for text in as_list(each["content"])
    ]


def _count_tokens(texts: list[str]) -> int:
    return round(sum(map(len, texts)) / CHARACTERS_PER_TOKEN)
