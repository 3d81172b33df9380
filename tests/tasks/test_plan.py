"""`mind-skills task plan` and `mind-skills task complete`: a plan recalls by meaning what earlier tasks taught, and marks warnings."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
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


@pytest.mark.process
def test_a_paraphrase_finds_what_another_process_completed(
    apart: Path, project: Path, session: Callable[[str], None]
) -> None:
    def run_process(*arguments: str, by: str = "session-0") -> Any:
        program = "from mind_skills.plugin.cli import main; main()"
        environment = {"HOME": str(apart / "home"), "MIND_SKILLS_HOME": str(apart / "state"), "PATH": "/usr/bin:/bin"}
        environment |= {SESSION_VARIABLE: by}
        line = [sys.executable, "-c", program, *arguments, "--json"]
        done = subprocess.run(line, cwd=project, env=environment, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    run_process("task", "plan", "The service eats all the memory of the machine", "--task-id", "shop-1")
    run_process(
        "task", "complete", "shop-1", "--summary", "The cache grew without a limit; an LRU with a bound mended the leak"
    )
    for number in range(3):
        run_process("task", "plan", "Rewrite the checkout page", "--task-id", f"page-{number}")
        session(f"session-{number}")
        run_process("task", "complete", f"page-{number}", *FAILED, by=f"session-{number}")
    found = run_process("task", "plan", "our worker runs out of RAM and is killed")
    assert [each["content"] for each in found["recalled"]][:1] == [
        "The cache grew without a limit; an LRU with a bound mended the leak"
    ]
    page = run_process("task", "plan", "The page of the checkout needs a rewrite")
    (marked,) = [each for each in page["recalled"] if each["is_negative"]]
    assert marked["content"] == "AVOID: Split by file type. Failed 3/3 times (100% failure rate)"
