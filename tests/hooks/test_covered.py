"""A candidate that an installed skill covers is offered to nobody while that skill is installed."""

from __future__ import annotations

import shutil
from pathlib import Path

from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import resolve_project
from tests.hooks.lifecycle_world import World, skill_text


def install(world: World, name: str, folder: str = ".claude/skills") -> Path:
    """Installs a skill that covers the candidate of this name."""
    path = world.project / folder / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"---\nname: {name}\ndescription: x\n---\n{skill_text(name)}\n")
    return path


def covered(world: World) -> list[str]:
    with Ledger.open(world.home) as ledger:
        return [
            world.names_by_id[record.candidate.id]
            for record in ledger.list_covered(resolve_project(str(world.project)))
        ]


def test_a_candidate_that_an_installed_skill_covers_is_never_offered(world: World) -> None:
    install(world, "x", ".agents/skills")
    world.tell("A starts\n A learns x y\n A idles")
    assert (world.pending(), covered(world)) == ({"y": False}, ["x"])
    assert world.tell("A ends\n B starts\n C starts") == ["y", "-"]


def test_a_skill_installed_after_the_candidate_was_staged_covers_it_from_the_next_start(world: World) -> None:
    world.tell("A starts\n A learns x y\n A ends")
    install(world, "x")
    world.tell("D learns z\n D starts, compact")
    assert (world.pending(), covered(world)) == ({"y": False}, ["x"])
    assert world.tell("B starts") == ["y"]


def test_a_start_uncovers_a_candidate_whose_skill_was_removed_and_the_next_start_offers_it(world: World) -> None:
    path = install(world, "x")
    world.tell("A starts\n A learns x\n A ends\n B starts")
    assert (world.last_output, covered(world)) == ("", ["x"])
    shutil.rmtree(path.parent)
    assert world.tell("C starts\n D starts") == ["-", "x"]
    assert covered(world) == []


def test_a_checkpoint_uncovers_a_candidate_whose_skill_was_removed(world: World) -> None:
    path = install(world, "x")
    world.tell("A starts\n A learns x\n A ends\n B starts\n B answers")
    shutil.rmtree(path.parent)
    world.tell("B idles")
    assert (world.pending(), covered(world)) == ({"x": False}, [])


def test_unreadable_entries_in_a_skill_folder_do_not_prevent_an_offer(world: World) -> None:
    folder = world.project / ".claude/skills"
    folder.mkdir(parents=True)
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "bytes").mkdir()
    (folder / "bytes/SKILL.md").write_bytes(b"\xff\xfe\0" * 50_000)
    world.tell("A starts\n A learns x\n A ends")
    assert world.tell("B starts") == ["x"]
