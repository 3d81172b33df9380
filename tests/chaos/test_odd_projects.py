"""Projects that somebody else prepared: links where we write, files that are made to be slow; and clocks that jump."""

from __future__ import annotations

import itertools
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mind_skills.plugin.cli import run as command_line
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from mind_skills.tasks.mcp.tools import Connection, call
from tests.chaos.chaos_commands import accepted
from tests.chaos.chaos_lifecycle import about_to_end, told_in
from tests.chaos.chaos_world import DEMO, HOUR, MINUTE, PENDING, World, apart

YEAR = 365 * 24 * HOUR


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path / "world")
    made.make()
    return made


def two_are_told_once(world: World) -> dict[str, Any]:
    """What the next two sessions are told, and what the pending file lists in the end."""
    told = [told_in(world.starts(name, world.now + number * HOUR)) for number, name in enumerate("ab", 1)]
    return {"told": [len(ids) for ids in told], "listed": len(world.listed())}


ODD: dict[str, Callable[[Path], object]] = {
    "100 MB of nothing": lambda path: os.truncate(path, 100 << 20),
    "a million candidates": lambda path: path.write_text(
        '{"version":1,"candidates":[' + ",".join(f'{{"id":"a{n}","title":""}}' for n in range(1_000_000)) + "]}"
    ),
    "as many as there is room for": lambda path: path.write_text(
        '{"version":1,"candidates":[' + ",".join(f'{{"id":"a{n}","title":""}}' for n in range(50_000)) + "]}"
    ),
    "lists in lists, never closed": lambda path: path.write_text("[" * 500_000),
    "lists in lists": lambda path: path.write_text('{"version":1,"candidates":[],"x":' + "[" * 970 + "]" * 970 + "}"),
    "many empty lists": lambda path: path.write_text(
        '{"version":1,"candidates":[{"id":"a","title":"t","x":[' + "[]," * 340_000 + "1]}]}"
    ),
}


@pytest.mark.chaos
@pytest.mark.parametrize("what", ODD)
def test_a_hostile_pending_file_causes_no_loss(world: World, what: str) -> None:
    apart(world, lambda: len(world.stage("alpha", "beta")))
    ODD[what](world.project / PENDING)
    done = apart(world, lambda: two_are_told_once(world))
    assert done["told"] == [2, 0]
    assert done["listed"] >= 2


LINKED = {
    "the folder": ".claude",
    "the pending file": PENDING,
    "the folder of skills": ".claude/skills",
    "the archive": ".claude/mind-skills-archive",
    "the settings": ".claude/mind-skills.toml",
    "git's folder of lists": ".git/info",
    "git's list": ".git/info/exclude",
    "the index's folder": ".hive",
}


def tree(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() if p.is_file() else "" for p in sorted(folder.rglob("*"))}


def a_whole_life(world: World) -> int:
    """Everything of ours that writes into a project; how many candidates wait in the end, whatever was refused."""
    world.stage("alpha", "beta")
    about_to_end(world, skill=world.root / "written.md")
    world.works("end", world.make_call("s", world.now + 3 * MINUTE))
    for words in (
        "dismiss {0} --reason no",
        "skills archive alpha-works",
        "config set enabled true --project",
        "memory add x",
        "memory export {1}/exported.jsonl",
        "memory import {1}/exported.jsonl",
        "task plan mending --task-id T1",
        "task complete T1 --summary mended",
        "pause",
        "resume",
        "watch --once",
        "prune --older-than 1",
    ):
        command_line([word.format("sc_24cac700", world.root) for word in words.split()])
    for name in ("plan", "recall"):
        call(name, {"task": "mending"}, Connection("", "c"))
    world.starts("t", world.now + HOUR)
    with Ledger.open(world.state) as ledger:
        return len(ledger.list_pending(resolve_project(str(world.project))))


@pytest.mark.chaos
@pytest.mark.parametrize("kind", ["folder", "file", "nowhere"])
@pytest.mark.parametrize("what", LINKED)
def test_files_are_not_written_through_a_symbolic_link(world: World, what: str, kind: str) -> None:
    outside = world.root / "outside"
    (outside / "below").mkdir(parents=True)
    (outside / "file").write_text("mine\n")
    before = tree(outside)
    place = world.project / LINKED[what]
    if what.startswith("git's folder"):
        place.rmdir()
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to({"folder": outside / "below", "file": outside / "file", "nowhere": outside / "new"}[kind])
    waiting = apart(world, lambda: a_whole_life(world))
    assert (tree(outside), place.is_symlink(), waiting > 0) == (before, True, True)


@pytest.mark.parametrize("kind", ["folder", "nowhere"])
def test_skills_are_not_archived_through_a_symbolic_link(world: World, kind: str) -> None:
    outside = world.root / "outside"
    (outside / "below").mkdir(parents=True)
    apart(world, lambda: accepted(world))
    place = world.project / ".claude/mind-skills-archive/alpha-works"
    place.parent.mkdir()
    place.symlink_to(outside / ("below" if kind == "folder" else "new"))
    skill = world.project / ".claude/skills/alpha-works/SKILL.md"
    text = skill.read_text()
    apart(world, lambda: command_line(["skills", "archive", "alpha-works", "--json"]))
    moved = place.with_name("alpha-works-2") / "SKILL.md"
    assert (tree(outside), place.is_symlink(), moved.read_text(), skill.exists()) == ({"below": ""}, True, text, False)


@pytest.mark.chaos
@pytest.mark.parametrize("linked", ["alpha-works", "alpha-works/SKILL.md"])
def test_a_symbolic_link_in_place_of_a_skill_is_not_archived(world: World, linked: str) -> None:
    apart(world, lambda: accepted(world))
    outside = world.root / "outside"
    shutil.copytree(world.project / ".claude/skills/alpha-works", outside / "alpha-works")
    before = tree(outside)
    place = world.project / ".claude/skills" / linked
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink()
    place.symlink_to(outside / linked)
    assert apart(world, lambda: command_line(["skills", "archive", "alpha-works", "--json"])) == 1
    assert (tree(outside), place.is_symlink()) == (before, True)


CLOCKS = [0, YEAR, -YEAR]


@pytest.mark.chaos
@pytest.mark.parametrize("jumps", list(itertools.product(CLOCKS, repeat=3)))
def test_each_learning_is_offered_once_whatever_the_clock_does(world: World, jumps: tuple[int, ...]) -> None:
    def life() -> list[int]:
        learned, first, second = (world.now + jump + number * HOUR for number, jump in enumerate(jumps))
        world.log("s").write_bytes(DEMO.read_bytes())
        world.works("idle", world.make_call("s", learned))
        world.works("end", world.make_call("s", learned + MINUTE))
        told = []
        for name, at in (("a", first), ("b", second)):
            told.append(len(told_in(world.starts(name, at))))
            world.says(name, at + MINUTE)
            world.works("end", world.make_call(name, at + 2 * MINUTE))
        return told

    told = apart(world, life)
    assert told == [1, 0], json.dumps(jumps)
