"""A state folder and a project in which something waits: made once in a process, and laid out anew for each input."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mind_skills.hooks import receipts
from mind_skills.hooks.end import handle_session_end
from mind_skills.hooks.idle import run_checkpoint
from mind_skills.hooks.recover import register_start
from mind_skills.hooks.session_state import CHECKED, DELIVERING, FORKED, HookCall, Marker, SessionMarkers, defer_offer
from mind_skills.hooks.start import handle_session_start
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import Project, resolve_project
from mind_skills.tasks.mcp.tools import Connection, call
from mind_skills.watch.schedule import InspectedStates
from tests.fuzz import seeds
from tests.fuzz.target import room
from tests.testkit.hostile.lessons import ENTROPY, PARSER, Lesson
from tests.testkit.paths import FIXTURES
from tests.testkit.stories import as_claude_code

NOW = 1_781_748_890_278
MINUTE = 60_000
SKILL = "---\nname: exact-decimals\ndescription: Use when a price is off by a cent.\n---\nPass texts to Decimal.\n"


@dataclass(frozen=True, slots=True)
class World:
    """``ids`` are the candidates of the project, ``told`` is the session that was offered some of them."""

    home: str
    root: str
    project: Project
    ids: tuple[str, ...]
    told: str = "told"

    def make_call(self, session: str, at: int, source: str = "startup") -> HookCall:
        """One of a session of Claude Code, whose log lies beside the project."""
        return HookCall("claude-code", session, self.root, str(log(session)), at, source)

    def pending(self) -> bytes:
        """The pending file, empty where there is none."""
        path = Path(self.root, ".claude/mind-skills-pending.json")
        return path.read_bytes() if path.exists() else b""


def log(session: str) -> Path:
    """Where a session's log lies."""
    return room() / f"{session}.jsonl"


def empty() -> World:
    """A state folder and a project in which there is nothing yet."""
    for name in ("state", "project/.claude"):
        shutil.rmtree(room() / name, ignore_errors=True)
        (room() / name).mkdir()
    root = str(room() / "project")
    return World(str(room() / "state"), root, resolve_project(root), ())


def fresh() -> World:
    """One in which candidates wait, one session was offered some, a task has an error, a skill is installed."""
    template, ids = _template(str(room()))
    world = empty()
    for name in ("state", "project/.claude"):
        shutil.copytree(template / name, room() / name, dirs_exist_ok=True)
    shutil.copy(template / "told.jsonl", log("told"))
    return World(world.home, world.root, world.project, ids)


@cache
def _template(place: str) -> tuple[Path, tuple[str, ...]]:
    world = empty()
    with _alone(), Ledger.open(world.home) as ledger:
        for number, data in enumerate(_logs()):
            _session(world, f"s{number}", data, NOW - 60 * MINUTE + number * MINUTE)
        _said_of_tasks(world)
        skill = Path(world.root, ".claude/skills/exact-decimals/SKILL.md")
        skill.parent.mkdir(parents=True)
        skill.write_text(SKILL)
        told = world.make_call(world.told, NOW)
        text = handle_session_start(world.home, told)
        register_start(world.home, told)
        defer_offer(world.home, told, text)
        waiting = ledger.list_pending(world.project)
        offer, seen = ledger.find_offer(world.told), ledger.find_session(world.told)
        if offer is not None and seen is not None:
            record = ledger.accept(waiting[-1].id, str(skill), NOW, world.project)
            receipts.store_receipts(ledger, seen, offer, [record])
    _left_behind(world)
    template = Path(place, "template")
    for name in ("state", "project/.claude"):
        shutil.copytree(room() / name, template / name)
    shutil.copy(log("told"), template)
    return template, tuple(candidate.id for candidate in waiting)


def _logs() -> Iterator[bytes]:
    yield from seeds.fixtures("demo/*.jsonl")
    for number, lesson in enumerate((Lesson(), ENTROPY, PARSER)):
        text, _ = as_claude_code.render_log(lesson.story())
        yield text.replace("f001", f"f00{number + 2}").encode()


def _session(world: World, name: str, data: bytes, at: int) -> None:
    """One that has ended, and whose log is there."""
    log(name).write_bytes(data)
    hook_call = world.make_call(name, at)
    register_start(world.home, hook_call)
    run_checkpoint(world.home, hook_call)
    handle_session_end(world.home, world.make_call(name, at + 1))


def _said_of_tasks(world: World) -> None:
    connection, task = Connection(world.root, "fuzz"), {"bead_id": "T-1", "project_key": world.root}
    for name, more in (
        ("plan", {"task": "Make the total exact", "context": "src/total.py"}),
        ("record_error", {"message": "AssertionError: 1 != 2", "tool_name": "pytest"}),
        ("complete", {"bead_id": "T-0", "summary": "Texts go to Decimal, split by feature.", "success": True}),
    ):
        call(name, {**task, **more}, connection)


def _left_behind(world: World) -> None:
    """What moments leave for each other, of every kind that there is."""
    for folder, content in ((CHECKED, str(NOW)), (FORKED, str(NOW)), (DELIVERING, "")):
        Marker(world.home, folder, world.told).write(content)
    SessionMarkers(world.home, world.told).running.write("4194304 12345 ")
    SessionMarkers(world.home, world.told).log_state.write("mind-skills read so far 1\n0badcafe\n")
    SessionMarkers(world.home, "s0", world.project.id).ending.write()
    log(world.told).write_bytes(next(seeds.fixtures("demo/session.jsonl")))
    spool = Path(world.home, "spool/opencode/4194304.jsonl")
    spool.parent.mkdir(mode=0o700, parents=True)
    lines = (FIXTURES / "opencode/spool.jsonl").read_bytes()
    spool.write_bytes(lines.replace(b"/home/dev/project", os.fsencode(world.root)))
    known = InspectedStates(world.home)
    known.put("a", 5)
    known.save()


@contextmanager
def _alone() -> Iterator[None]:
    """Without the session of whoever runs this."""
    before = os.environ.pop("CLAUDE_CODE_SESSION_ID", None)
    try:
        yield
    finally:
        if before is not None:
            os.environ["CLAUDE_CODE_SESSION_ID"] = before
