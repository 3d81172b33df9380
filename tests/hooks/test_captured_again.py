"""A session whose only log is a spool is resumed: the spool of its first part is gone, its candidates are not."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from mind_skills.hooks import captured_spools, spool
from mind_skills.hooks.end import handle_session_end
from mind_skills.hooks.idle import run_checkpoint
from mind_skills.hooks.recover import register_start
from mind_skills.hooks.session_state import HookCall
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import digest_text, resolve_project

BEGIN = 1_700_000_000_000

LESSONS = {
    "orders": (
        "ValueError: the sum of orders is rounded twice",
        "the sum of orders is rounded once more by the export.",
    ),
    "prices": ("KeyError: prices have no currency", "the loader drops the currency column before prices are parsed."),
}
"""Error and cause by the name of the test that fails."""


class World:
    """One session, ``s``, of a host that writes no log. A second passes with each event."""

    def __init__(self, root: Path) -> None:
        self.project, self.home, self.now = root / "project", str(root / "state"), BEGIN
        (self.project / ".git").mkdir(parents=True)
        self.environment = {b"HOME": os.fsencode(root), b"MIND_SKILLS_HOME": os.fsencode(self.home)}
        self.spool = Path(self.home, spool.FOLDER, f"claude-code-{digest_text('s')}.jsonl")

    def put(self, name: str, **more: Any) -> None:
        self.now += 1_000
        event = {"session_id": "s", "cwd": str(self.project), "hook_event_name": name, **more}
        assert spool.append("claude-code", json.dumps(event).encode(), self.environment, self.now)
        os.utime(self.spool, (self.now / 1000, self.now / 1000))

    def tool(self, name: str, given: dict[str, str], **more: Any) -> None:
        event = "PostToolUseFailure" if "error" in more else "PostToolUse"
        self.put(event, tool_name=name, tool_use_id=f"t{self.now}", tool_input=given, **more)

    def lesson(self, name: str) -> None:
        """A test that fails, its fix, the same test passing, and the cause in words."""
        error, cause = LESSONS[name]
        test = {"command": f"pytest tests/test_{name}.py"}
        self.put("UserPromptSubmit", prompt=f"Why does the {name} test fail?\n{error}")
        self.tool("Bash", test, error=f"Exit code 1\nE   {error}")
        edit = {"file_path": f"{self.project}/src/{name}.py", "old_string": "round(x)", "new_string": "x"}
        self.tool("Edit", edit, tool_response={"filePath": "x"})
        self.tool("Bash", test, tool_response={"stdout": "1 passed", "stderr": ""})
        self.put("Stop", last_assistant_message=f"Root cause: {cause}")

    def make_call(self, source: str = "startup") -> HookCall:
        self.now += 1_000
        log = captured_spools.choose_log(self.home, "claude-code", "s", "")
        return HookCall("claude-code", "s", str(self.project), log, self.now, source)

    def starts(self, source: str = "startup") -> None:
        assert register_start(self.home, self.make_call(source)) == []

    def ends(self) -> None:
        assert handle_session_end(self.home, self.make_call()) == []
        captured_spools.remove_finished_spools(self.home)

    def pending(self) -> list[str]:
        with Ledger.open(self.home) as ledger:
            return sorted(
                word for each in ledger.list_pending(resolve_project(str(self.project))) for word in _names(each.title)
            )


def _names(title: str) -> list[str]:
    return [name for name in LESSONS if name in title]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = World(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "MIND_SKILLS_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    return made


def test_a_captured_session_that_is_resumed_without_a_start_is_learned_from_again(world: World) -> None:
    world.starts()
    world.lesson("orders")
    world.ends()
    finished = []
    for pause in (0, 600_000):  # an event that arrives late, then a session that continues
        world.now += pause
        world.put("Stop", last_assistant_message="Done.")
        assert captured_spools.adopt_spools(world.home, world.now) == []
        captured_spools.remove_finished_spools(world.home)
        with Ledger.open(world.home) as ledger:
            session = ledger.find_session("s")
            finished.append((session is not None and session.finished_at is not None, world.spool.exists()))
    assert finished == [(True, False), (False, True)]


def test_candidates_of_a_captured_session_stay_pending_after_it_is_resumed(world: World) -> None:
    world.starts()
    world.lesson("orders")
    world.ends()
    seen = [(world.pending(), world.spool.exists())]
    world.now += 600_000
    world.starts("resume")
    world.lesson("prices")
    assert run_checkpoint(world.home, world.make_call(), interval=0) == []
    seen.append((world.pending(), world.spool.exists()))
    world.ends()
    seen.append((world.pending(), world.spool.exists()))
    two = ["orders", "prices"]
    assert seen == [(["orders"], False), (two, True), (two, False)]


def test_a_spool_of_an_unregistered_session_whose_folder_is_gone_is_not_read_and_removed_after_a_week(
    world: World,
) -> None:
    world.lesson("orders")
    shutil.rmtree(world.project)
    exists: list[bool] = []
    for age in (0, captured_spools.MAX_UNKNOWN_AGE_MS + 1):
        assert captured_spools.adopt_spools(world.home, world.now + age) == []
        exists.append(world.spool.exists())
    with Ledger.open(world.home) as ledger:
        assert (ledger.find_session("s"), exists) == (None, [True, False])
