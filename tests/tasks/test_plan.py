"""`mind-skills task plan` and `mind-skills task complete`: a plan recalls by meaning what earlier tasks taught, and marks warnings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mind_skills.output import state
from mind_skills.tasks.caller import SESSION_VARIABLE
from mind_skills.tasks.mcp.tools import Connection, call

NOW = 1_800_000_000_000
MINUTE = 60_000
FAILED = ("--failed", "--errors", "4", "--retries", "2", "--summary", "We split by file type and it broke")


@pytest.fixture(autouse=True)
def person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SESSION_VARIABLE, raising=False)
    set_clock(monkeypatch, 0)


def set_clock(monkeypatch: pytest.MonkeyPatch, minutes: int) -> None:
    monkeypatch.setattr(state, "read_clock", lambda: NOW + minutes * MINUTE)


def test_a_record_is_recalled_although_many_tasks_with_one_summary_match_better(
    mind_skills: Callable[..., Any],
) -> None:
    for number in range(13):
        mind_skills("task", "complete", f"shop-{number}", "--summary", "The server holds the port")
    mind_skills("task", "complete", "shop-99", "--summary", "Another process used the same port as the server of shop")
    planned = mind_skills("task", "plan", "The server holds the port", "--json").json
    assert [each["content"] for each in planned["recalled"]] == [
        "The server holds the port",
        "Another process used the same port as the server of shop",
    ]
    recalled = call("recall", {"query": "The server holds the port", "limit": 2}, Connection("", "mcp-1")).document
    assert [each["id"] for each in recalled["results"]] == [each["id"] for each in planned["recalled"]]
