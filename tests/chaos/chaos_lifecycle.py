"""The lifecycle of sessions: before, what is started, and what has to come of it once later sessions have come and gone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

from mind_skills.plugin.command import make_shell_command as installed_line
from mind_skills.store import processes
from tests.chaos.chaos_strace import Ran
from tests.chaos.chaos_world import DEMO, HOUR, MINUTE, World
from tests.testkit.paths import ROOT

HERE = Path(__file__).resolve().parent
LATER = 3
"""Sessions that begin and end afterwards, thirteen hours apart."""
_ID = re.compile(r"\bsc_[0-9a-f]+")
State = dict[str, Any]


def behind(name: str, session: str = "s", **more: str) -> Callable[[World], tuple[list[str], bytes]]:
    """The half of a hook call that the host does not wait for."""

    def line(world: World) -> tuple[list[str], bytes]:
        program = [sys.executable, "-I", "-S", str(HERE / "chaos_behind.py"), str(ROOT), "claude-code"]
        return [*program, str(world.now + HOUR)], world.payload(name, session, **more)

    return line


def hook(name: str, script: str = "plugin/entry.py", **more: str) -> Callable[[World], tuple[list[str], bytes]]:
    """What the host starts and waits for."""

    def line(world: World) -> tuple[list[str], bytes]:
        with mock.patch.dict(os.environ, world.environment):  # an installed line names the state folder of who installs
            words = installed_line(sys.executable, str(ROOT / script), "claude-code", "")
        return ["/bin/sh", "-c", words], world.payload(name, "s", **more)

    return line


def nothing_yet(world: World) -> None:
    """The very first session of a machine."""
    world.log("s").write_bytes(DEMO.read_bytes())
    world.quiet("s", world.now)


def half_seen(world: World) -> None:
    """A session that was looked at before, when it was shorter; another one's learnings wait."""
    world.stage("alpha", "beta")
    lines = DEMO.read_bytes().splitlines(keepends=True)
    world.log("s").write_bytes(b"".join(lines[:12]))
    world.quiet("s", world.now)
    world.works("idle", world.make_call("s", world.now))
    world.log("s").write_bytes(b"".join(lines))
    world.quiet("s", world.now + MINUTE)


def about_to_end(world: World, *, skill: Path | None = None) -> None:
    """A session was offered two learnings, made a skill of one, and learned something itself."""
    alpha, _ = world.stage("alpha", "beta")
    world.log("s").write_bytes(DEMO.read_bytes())
    assert alpha.id in world.starts("s", world.now + MINUTE)
    skill = skill or world.project / ".claude/skills/alpha-works/SKILL.md"
    skill.parent.mkdir(parents=True, exist_ok=True)
    text = f"---\nname: alpha-works\ndescription: Use when alpha fails.\nmetadata:\n  candidate: {alpha.id}\n---\nCalm it.\n"
    skill.write_text(text)
    use = {"type": "tool_use", "id": "w1", "name": "Write", "input": {"file_path": str(skill), "content": text}}
    world.says("s", world.now + 2 * MINUTE, use, {"type": "tool_result", "tool_use_id": "w1", "content": "written"})


def two_wait(world: World) -> None:
    """Learnings of others wait."""
    world.stage("alpha", "beta")


def left_behind(world: World) -> None:
    """A session was killed, and another one's process with its spool."""
    nothing_yet(world)
    world.works("idle", world.make_call("s", world.now))
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        words = processes.describe_process(child.pid).split()
    spool = world.state / "spool"
    (spool / "opencode").mkdir(parents=True, mode=0o700)
    number = "".join(filter(str.isdecimal, words[3]))
    payload = {"event": "idle", "sessionID": "of-opencode", "directory": str(world.project), "pid": int(words[0])}
    payload |= {"database": str(world.home / "opencode.db"), "at": world.now}
    (spool / "opencode" / f"{words[0]}.{words[1]}.{words[2]}.{number}.jsonl").write_text(json.dumps(payload) + "\n")
    for path in spool.rglob("*.jsonl"):
        os.utime(path, (world.now / 1000, world.now / 1000))


def later(world: World, ran: Ran | None = None) -> State:
    """Sessions come and go. What they were told in all, and what holds after the last of them."""
    told: list[str] = []
    began = time.time_ns() // 1_000_000
    for number in range(1, 1 + LATER):
        at = began + number * 13 * HOUR
        text = world.starts(f"later{number}", at)
        told += told_in(text)
        world.says(f"later{number}", at + MINUTE)
        world.works("end", world.make_call(f"later{number}", at + 2 * MINUTE))
    return {"told": sorted(told), **world.holds()}


def ends_later(world: World, ran: Ran) -> State:
    """The host has lived on, and says so in the end."""
    world.works("end", world.make_call("s", time.time_ns() // 1_000_000))
    return later(world)


def first_ends(world: World, ran: Ran) -> State:
    """The host has lived on; its session answers and ends, as it would anyway."""
    heard = told_in(ran.out.decode())
    at = time.time_ns() // 1_000_000 + MINUTE
    if ran.out:
        world.notes("s", ran.out.decode())
    world.says("s", at)
    world.works("end", world.make_call("s", at + MINUTE))
    found = later(world)
    return {**found, "told": sorted([*found["told"], *heard])}


def told_in(text: str) -> set[str]:
    """The candidates that a text offers."""
    return set(_ID.findall(text))
