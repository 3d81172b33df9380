"""More that writes: the memory, plans, pins and pauses, a watch's look, upgrades, and the hosts that are told otherwise."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mind_skills.hooks.session_state import HookCall
from mind_skills.learning import storage as learned
from mind_skills.learning.credit import Credit
from mind_skills.memory import records as remembered
from mind_skills.memory.model import Record
from mind_skills.memory.store import open_memory
from mind_skills.plugin import command as lines
from mind_skills.plugin import hook as hooks
from mind_skills.plugin.cli import run as command_line
from mind_skills.staging.tables import schema as staged
from mind_skills.store.database import Database, Schema
from mind_skills.store.home import get_settings_path
from mind_skills.store.project import resolve_project
from mind_skills.tasks.mcp.tools import Connection, call
from tests.chaos.chaos_commands import UNASKED, in_and_out, with_settings
from tests.chaos.chaos_lifecycle import State, hook, later, nothing_yet, told_in, two_wait
from tests.chaos.chaos_strace import Ran
from tests.chaos.chaos_world import DEMO, MINUTE, World

NOTES = ("Pin the base image by digest", "A cache without a bound grows")


def with_memories(world: World) -> None:
    """Two records, and an index that knows them."""
    two_wait(world)
    with open_memory(str(world.state)) as store:
        for number, text in enumerate(NOTES):
            store.store(Record(f"memo-{number}", "learning", text, at=world.now))
        store.query("base image")


def with_export(world: World) -> None:
    """The same, and a file that somebody else exported."""
    with_memories(world)
    row = {
        "kind": "learning",
        "task": "",
        "task_id": "",
        "success": None,
        "failure_rate": None,
        "at": world.now,
        "taint": "",
    }
    rows = [{"form": "mind-skills-memory", "version": 1}, *({**row, "content": f"{text}, they said"} for text in NOTES)]
    (world.root / "import.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))


def with_strategy(world: World) -> None:
    """A strategy that a session has voted for."""
    two_wait(world)
    with Database.open(str(world.state), learned.SCHEMA) as database:
        Credit(database).vote(
            resolve_project(str(world.project)).id, "old", ["Split by feature"], "helpful", at=world.now, now=world.now
        )


def once_more(*words: str) -> Callable[[World, Ran], State]:
    """Given once more, it did what it does; a pause is over then, and the project's settings are whole."""

    def after(world: World, ran: Ran) -> State:
        os.chdir(world.project)
        filled = [word.format(root=world.root) for word in words]
        code = command_line([*filled, "--json"])
        assert code in (0, 1), f"given once more it ended with {code}"
        found: State = {"remembered": _remembered(world), "settings": _settings(world)}
        if words[0] == "pause":
            assert command_line(["resume", "--json"]) == 0
        return {**later(world), **found}

    return after


def _remembered(world: World) -> list[list[Any]]:
    with open_memory(str(world.state)) as store:
        return sorted([record.id[:6], record.content] for record in store.list_all())


def _settings(world: World) -> str:
    path = Path(get_settings_path())
    return path.read_text() if path.exists() else ""


def unseen(world: World) -> None:
    """A session of which no hook has told; the look before saw it begin."""
    lines = [json.loads(line) for line in DEMO.read_text().splitlines()]
    here = [{**line, **({"cwd": str(world.project)} if "cwd" in line else {}), "sessionId": "s"} for line in lines]
    texts = [json.dumps(line) + "\n" for line in here]
    world.log("s").write_text(texts[0])
    assert command_line(["watch", "--once", str(world.log("s")), "--json"]) == 0
    world.log("s").write_text("".join(texts))


def looked(world: World, ran: Ran) -> State:
    """The next look of a watch does what this one did not; then the session says its end itself."""
    code = command_line(["watch", "--once", str(world.log("s")), "--json"])
    assert code in (0, 1), f"given once more it ended with {code}"
    world.works("end", world.make_call("s", world.now + MINUTE))
    return later(world)


def of_an_older_version(world: World) -> None:
    """The tables are those of the first version, and a session's log waits."""
    nothing_yet(world)
    for schema in (part.SCHEMA for part in (staged, learned, remembered)):
        with Database.open(str(world.state), Schema(schema.name, schema.migrations[:1])):
            pass


def installed_by_older(host: str) -> Callable[[World], None]:
    """The hooks of that host are those of an installation that stood somewhere else."""

    def build(world: World) -> None:
        with_settings(world)
        entry = lines.find_entry_script
        lines.find_entry_script = lambda: "/opt/older/plugin/entry.py"
        try:
            assert command_line(["install", host, *UNASKED, "--json"]) == 1  # nothing is there that could answer
        finally:
            lines.find_entry_script = entry

    return build


def tool(name: str, **arguments: str) -> Callable[[World], tuple[list[str], bytes]]:
    """A call of a tool, as the MCP server makes it."""
    program = (
        "import json, sys\ntry:\n    from mind_skills.tasks.mcp.tools import Connection, call\n"
        "except (ImportError, OSError, MemoryError):\n    sys.exit(print('{\"error\": {}}') or 1)\n"
        "print(json.dumps(call(sys.argv[1], json.loads(sys.argv[2]), Connection('', 'c')).document))"
    )

    def line(world: World) -> tuple[list[str], bytes]:
        return [sys.executable, "-I", "-c", program, name, json.dumps(arguments)], b""

    return line


def tool_again(name: str, **arguments: str) -> Callable[[World, Ran], State]:
    """The agent calls it once more."""

    def after(world: World, ran: Ran) -> State:
        answer = call(name, arguments, Connection("", "c"))
        assert not answer.failed, answer
        return later(world)

    return after


# -- hosts that are told in another way ----------------------------------------------------------------------------------


def held_back(world: World) -> None:
    """A session of Gemini CLI has begun, and what it is to be told waits for its first prompt."""
    two_wait(world)
    hook_call = HookCall("gemini", "s", str(world.project), str(world.log("s")), world.now + MINUTE)
    assert hooks._prepare_text("start", hook_call, None) is None
    hooks._mark_delivered(hook_call, None)
    world.works("start", hook_call)


def prompted(world: World) -> tuple[list[str], bytes]:
    words, given = hook("BeforeAgent", prompt="please")(world)
    return [words[0], words[1], words[2].replace("claude-code", "gemini")], given


def opencode_starts(world: World) -> tuple[list[str], bytes]:
    """What the plugin file starts, without a shell."""
    entry = Path(hooks.__file__).with_name("entry.py")
    payload = {"event": "start", "sessionID": "s", "directory": str(world.project), "database": "", "pid": 1}
    given = {**payload, "at": world.now, "removes": True}
    return [sys.executable, "-I", "-S", str(entry), "opencode"], json.dumps(given).encode()


def plugin_file_tells(world: World, ran: Ran) -> State:
    """What plugin/opencode/mind-skills.js does with the answer: whoever removes the trace tells of it."""
    answer = json.loads(ran.out) if ran.code == 0 and ran.out else {}
    heard = told_in(answer.get("inject", ""))
    if trace := answer.get("trace"):
        (world.state / "handing" / trace).unlink()
    world.says("s", world.now + 2 * MINUTE)
    hook_call = world.make_call("s", world.now + 3 * MINUTE)
    world.works("end", HookCall("opencode", "s", hook_call.project, hook_call.log, hook_call.at, "end"))
    found = later(world)
    return {**found, "told": sorted([*found["told"], *heard])}


UPGRADED = in_and_out("claude-code", now_in=True)
WATCHED = in_and_out("watch", now_in=True)
