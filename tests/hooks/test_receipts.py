"""A skill that came of an offer leaves one line for the user."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mind_skills.hooks import receipts
from mind_skills.hooks.session_state import RECEIPTS, Marker, list_markers
from mind_skills.plugin.cli import run
from mind_skills.staging.offer import estimate_tokens
from mind_skills.store.project import resolve_project
from tests.hooks.lifecycle_world import World, learning, skill_text


def write_skill(world: World, learned: str, name: str = "exact-money", text: str = "") -> None:
    """Write a skill for the candidate of a learning."""
    head = f"---\nname: {name}\ndescription: Use when prices are floats.\nmetadata:\n  candidate: {learning(learned).id}\n---\n"
    text = text or f"{head}{skill_text(learned)}\n"
    path = world.project / ".claude/skills" / name / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    os.utime(path, (world.now / 1000 + 5, world.now / 1000 + 5))


def receipt_lines(world: World) -> list[str]:
    paths = list_markers(world.home, RECEIPTS, resolve_project(str(world.project)).id)
    return [line for path in paths for line in Path(path).read_text().splitlines()]


def offer_x_and_y(world: World) -> str:
    """B receives an offer of x and y; returns the id of x."""
    world.tell("A learns x y\nA ends\nB starts\nB answers")
    return learning("x").id


def cost(world: World) -> int:
    return estimate_tokens(world.received["B"][0])


def test_a_receipt_shows_skill_path_trigger_and_cost_in_one_line(world: World) -> None:
    id_ = offer_x_and_y(world)
    write_skill(world, "x")
    world.tell("B ends")
    what = (
        "mind-skills: learned the skill exact-money (Use when prices are floats.): .claude/skills/exact-money/SKILL.md"
    )
    assert receipt_lines(world) == [f"{what}, from {id_}, in an offer of about {cost(world)} tokens"]


def test_the_receipt_of_a_skill_with_a_problem_says_which_and_praises_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_skill(world, "x", text=offer_x_and_y(world))
    world.tell("B ends")
    what = "mind-skills: the skill exact-money needs a look: it does not begin with frontmatter"
    assert receipt_lines(world) == [f"{what}: .claude/skills/exact-money/SKILL.md"]
    monkeypatch.setenv("MIND_SKILLS_HOME", world.home)
    assert run(["status", "--project", str(world.project)]) == 0
    assert "Skill: exact-money needs a look: it does not begin with frontmatter" in capsys.readouterr().out
    (world.project / ".claude/skills/exact-money/SKILL.md").unlink()
    assert run(["status", "--project", str(world.project)]) == 0
    assert "needs a look" not in capsys.readouterr().out


def test_an_unused_offer_leaves_no_receipt_and_a_repeated_end_leaves_no_second_one(world: World) -> None:
    offer_x_and_y(world)
    world.tell("B ends")
    assert receipt_lines(world) == []
    world.tell("A learns x y z\nlater A ends\nC starts\nC answers")
    write_skill(world, "z")
    world.tell("C ends")
    before = receipt_lines(world)
    world.tell("C ends")
    assert (len(before), receipt_lines(world)) == (1, before)


def test_a_second_end_of_a_resumed_session_adds_its_receipt_to_those_not_shown_yet(world: World) -> None:
    offer_x_and_y(world)
    write_skill(world, "x")
    world.tell("B ends\nlater B starts resume\nB answers")
    write_skill(world, "y", "exact-dates")
    world.tell("B ends")
    assert [line.split()[4] for line in receipt_lines(world)] == ["exact-money", "exact-dates"]


def test_a_receipt_that_a_start_shows_just_before_the_next_one_is_stored_is_not_stored_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer_x_and_y(world)
    write_skill(world, "x")
    world.tell("B ends\nlater B starts resume\nB answers")
    write_skill(world, "y", "exact-dates")
    shown: list[str] = []
    write = Marker.write

    def show_then_write(marker: Marker, content: str = "", **options: bool) -> None:
        if RECEIPTS in marker.path:
            shown.extend(receipt_lines(world))
            marker.remove()
        write(marker, content, **options)

    monkeypatch.setattr(Marker, "write", show_then_write)
    world.tell("B ends")
    assert [line.split()[4] for line in (*shown, *receipt_lines(world))] == ["exact-money", "exact-dates"]


def test_a_trigger_is_one_cleaned_line_of_bounded_length() -> None:
    assert receipts.extract_trigger("---\ndescription: >\n  Use when\x1b[31m red\n---\n") == "Use when red"
    assert receipts.extract_trigger("---\nname: x\n---\ndescription: no\n") == ""
    assert receipts.extract_trigger('---\ndescription: "Quoted"\n---\n') == "Quoted"
    assert len(receipts.extract_trigger(f"---\ndescription: {'x' * 500}\n---\n")) == receipts.MAX_TRIGGER_LENGTH
