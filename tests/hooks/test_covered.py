"""A learning that an installed skill covers is not told to anybody while that skill is there."""

from __future__ import annotations

import shutil
from pathlib import Path

from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from tests.hooks.lifecycle_world import World, saying


def install(world: World, name: str, folder: str = ".claude/skills") -> Path:
    """A skill that says what that learning says."""
    path = world.project / folder / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"---\nname: {name}\ndescription: x\n---\n{saying(name)}\n")
    return path


def covered(world: World) -> list[str]:
    with Ledger.open(world.home) as ledger:
        return [world.known[record.candidate.id] for record in ledger.list_covered(resolve_project(str(world.project)))]


def test_what_is_installed_when_it_is_learned_is_offered_to_nobody(world: World) -> None:
    install(world, "x", ".agents/skills")
    world.tell("A starts\n A learns x y\n A idles")
    assert (world.pending(), covered(world)) == ({"y": False}, ["x"])
    assert world.tell("A ends\n B starts\n C starts") == ["y", "-"]


def test_a_skill_that_came_meanwhile_counts_from_the_next_start_on(world: World) -> None:
    world.tell("A starts\n A learns x y\n A ends")
    install(world, "x")
    world.tell("D learns z\n D starts, compact")
    assert (world.pending(), covered(world)) == ({"y": False}, ["x"])
    assert world.tell("B starts") == ["y"]


def test_a_skill_that_was_removed_frees_it_at_the_next_start_for_the_one_after(world: World) -> None:
    path = install(world, "x")
    world.tell("A starts\n A learns x\n A ends\n B starts")
    assert (world.last, covered(world)) == ("", ["x"])
    shutil.rmtree(path.parent)
    assert world.tell("C starts\n D starts") == ["-", "x"]
    assert covered(world) == []


def test_a_skill_that_was_removed_frees_it_at_the_next_checkpoint(world: World) -> None:
    path = install(world, "x")
    world.tell("A starts\n A learns x\n A ends\n B starts\n B answers")
    shutil.rmtree(path.parent)
    world.tell("B idles")
    assert (world.pending(), covered(world)) == ({"x": False}, [])


def test_a_broken_folder_of_skills_stops_nothing(world: World) -> None:
    folder = world.project / ".claude/skills"
    folder.mkdir(parents=True)
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "bytes").mkdir()
    (folder / "bytes/SKILL.md").write_bytes(b"\xff\xfe\0" * 50_000)
    world.tell("A starts\n A learns x\n A ends")
    assert world.tell("B starts") == ["x"]
