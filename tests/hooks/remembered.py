"""Sessions that end, and what the memory contains afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from mind_skills.hooks import end as ending
from mind_skills.learning.outcome import OutcomeType
from mind_skills.memory.model import Record
from mind_skills.memory.store import open_memory
from mind_skills.staging.analyse import Analysis
from tests.hooks.lifecycle_world import World, lessons


def memory(world: World) -> list[Record]:
    with open_memory(world.home) as store:
        return list(store.list_all())


def with_outcome(outcome: OutcomeType, *strategies: str) -> Callable[[Path], Analysis]:
    """Reads a log whose session had this outcome and followed these strategies."""

    def read(path: Path) -> Analysis:
        found = lessons(path)
        found.outcome = replace(found.outcome, type=outcome, success=outcome == "helpful", reasoning="so it was")
        found.strategies = list(strategies)
        return found

    return read


def run_session(
    world: World,
    session: str,
    task: str = "make the build faster",
    tool: str = "Bash",
    error: str = "KeyError: 'cache_dir'",
) -> None:
    world.starts(session)
    world.line(session, "user", task)
    command = {"command": "npm test"} if tool == "Bash" else {"url": "https://example.org"}
    for number, bad in enumerate((True, False)):
        id_ = f"{session}{number}"
        world.block(session, "assistant", {"type": "tool_use", "id": id_, "name": tool, "input": command})
        result = {"type": "tool_result", "tool_use_id": id_, "content": error, "is_error": bad}
        world.block(session, "user", result)
    world.line(session, "assistant", "Done.")


def end_session(world: World, session: str, read: Callable[[Path], Analysis]) -> None:
    world.now += 1_000
    assert ending.handle_session_end(world.home, world.make_call(session, "other"), analyse_log=read) == []
