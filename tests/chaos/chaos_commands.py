"""Commands that a person gives, installing and uninstalling among them: before, the command, and what has to come of it."""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

from mind_skills.plugin.cli import run as command_line
from mind_skills.staging.ledger import Ledger
from tests.chaos.chaos_lifecycle import State, about_to_end, later, two_wait
from tests.chaos.chaos_strace import Ran
from tests.chaos.chaos_world import MINUTE, World, learning

HOSTS = ("claude-code", "codex", "gemini", "opencode")


UNASKED = ("--yes", "--no-history")


def command(*words: str) -> Callable[[World], tuple[list[str], bytes]]:
    """``mind-skills WORDS --json``; ``{alpha}`` stands for the id of a candidate."""

    def line(world: World) -> tuple[list[str], bytes]:
        start = "from mind_skills.plugin.cli import main; main()"
        return [sys.executable, "-I", "-c", start, *(_filled(world, word) for word in words), "--json"], b""

    return line


def _filled(world: World, word: str) -> str:
    skill = world.project / ".claude/skills/alpha-works/SKILL.md"
    return word.format(alpha=learning("alpha").id, skill=skill, root=world.root)


def again(*words: str, then: Callable[[World], State] = later) -> Callable[[World, Ran], State]:
    """Whoever gave the command gives it once more; that it was done already is no harm."""

    def after(world: World, ran: Ran) -> State:
        code = command_line([*(_filled(world, word) for word in words), "--json"])
        assert code in (0, 1), f"given once more it ended with {code}"
        return then(world)

    return after


def accepted(world: World) -> None:
    """A skill came of one of two learnings."""
    about_to_end(world)
    world.works("end", world.make_call("s", world.now + 3 * MINUTE))


def dismissed(world: World) -> None:
    """One of two was refused."""
    two_wait(world)
    os.chdir(world.project)
    assert command_line(["dismiss", _filled(world, "{alpha}"), "--reason", "no", "--json"]) == 0


def skill_written(world: World) -> None:
    """Two wait, and a person has written a skill of one."""
    two_wait(world)
    skill = world.project / ".claude/skills/alpha-works/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(
        "---\nname: alpha-works\ndescription: Use when alpha fails and nothing else helps.\n---\nCalm it.\n"
    )


def archived(world: World, ran: Ran) -> State:
    """The skill stands in one place, whole, in the archive; under which name does not matter."""
    found = again("skills", "archive", "alpha-works")(world, ran)
    places = {
        name.split("/")[0]: text
        for name, text in _tree(world.project / ".claude", ("mind-skills-pending.json",)).items()
    }
    with Ledger.open(world.state) as ledger:
        return {**found, "skills": places, "archived": [each.name for each in ledger.list_archived()]}


def plain(world: World) -> State:
    """What holds, and nobody comes any more."""
    return world.holds()


SETTINGS = {
    "claude-code": (".claude/settings.json", '{"model": "opus", "hooks": {"Stop": []}}\n'),
    "codex": (".codex/config.toml", 'model = "x"  # mine\n'),
    "gemini": (".gemini/settings.json", '{"theme": "dark"}'),
    "opencode": (".config/opencode/opencode.json", '{\n  // mine\n  "model": "x"\n}\n'),
}


def with_settings(world: World) -> None:
    """Every host has settings of its own."""
    for path, text in SETTINGS.values():
        (world.home / path).parent.mkdir(parents=True, exist_ok=True)
        (world.home / path).write_text(text)


def installed(host: str) -> Callable[[World], None]:
    def build(world: World) -> None:
        with_settings(world)
        assert command_line(["install", host, *UNASKED, "--json"]) == 0

    return build


def in_and_out(host: str, *, now_in: bool) -> Callable[[World, Ran], State]:
    """Whatever was cut off: no file is half written, doing it again does it, and taking it out leaves what was there."""

    def after(world: World, ran: Ran) -> State:
        torn = [path for path, text in SETTINGS.values() if not _whole(world.home / path)]
        done = [command_line(["install", host, *UNASKED, "--json"])] if now_in else []
        there = _tree(world.home) if now_in else {}
        done.append(command_line(["uninstall", host, "--verify", "--json"]))
        left = {name: text for name, text in _tree(world.home).items() if text != dict(SETTINGS.values()).get(name)}
        state = sorted(str(p.relative_to(world.root)) for p in world.state.rglob("*") if p.is_file())
        return {"torn": torn, "done": done, "there": there, "left": left, "state": state, "files": world.litter()}

    return after


def _whole(path: Path) -> bool:
    text = path.read_text()
    try:
        if path.suffix == ".toml":
            tomllib.loads(text)
        else:
            json.loads(re.sub(r"(?m)^\s*//.*$", "", text))
    except ValueError:
        return False
    return True


def _tree(folder: Path, without: Iterable[str] = ()) -> dict[str, str]:
    files = (p for p in sorted(folder.rglob("*")) if p.is_file() and p.name not in without)
    return {str(p.relative_to(folder)): p.read_text(errors="replace") for p in files}
