"""Skills that a session wrote in ways its log does not show."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mind_skills.hooks.end import handle_session_end
from mind_skills.hooks.recover import recover_sessions
from mind_skills.learning.skills.files import MAX_SKILL_BYTES
from mind_skills.staging import session_skills
from tests.hooks.lifecycle_world import World, learning

FOLDER = ".claude/skills"


def write_skill(world: World, name: str, text: str, folder: str = FOLDER, at: float = 5) -> Path:
    """A SKILL.md whose time is ``at`` seconds after now."""
    path = world.project / folder / name / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (world.now / 1000 + at, world.now / 1000 + at))
    return path


def offer_x_and_y(world: World) -> str:
    world.tell("A learns x y\nA ends\nB starts\nB answers")
    return learning("x").id


def test_a_skill_file_that_holds_the_id_of_a_candidate_accepts_it_without_a_trace_in_the_log(world: World) -> None:
    write_skill(world, "one", f"---\nname: one\nmetadata: {{candidate: {offer_x_and_y(world)}}}\n---\n")
    world.tell("B ends")
    assert world.history() == {"x": "accepted", "y": "ignored"}


def test_a_skill_file_that_holds_the_id_of_a_candidate_accepts_it_in_a_recovered_session(world: World) -> None:
    write_skill(world, "one", offer_x_and_y(world))
    recover_sessions(world.home, world.now + 86_400_000, analyse_log=world.read)
    assert world.history() == {"x": "accepted", "y": "ignored"}


def test_skill_files_are_looked_for_in_the_folder_of_the_settings(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_skill(world, "one", offer_x_and_y(world), folder="docs/skills")
    (tmp_path / "mine.toml").write_text('[skills_dir]\nclaude-code = "docs/skills"\n')
    monkeypatch.setenv("MIND_SKILLS_CONFIG", str(tmp_path / "mine.toml"))
    handle_session_end(world.home, world.make_call("B", "other"), analyse_log=world.read)
    assert world.history() == {"x": "accepted", "y": "ignored"}


def test_a_skill_file_older_than_the_session_accepts_no_candidate(world: World) -> None:
    write_skill(world, "one", offer_x_and_y(world), at=-60)
    world.tell("B ends")
    assert world.history() == {"x": "ignored", "y": "ignored"}


def test_a_skill_file_that_only_covers_a_candidate_and_is_not_in_the_log_does_not_accept_it(world: World) -> None:
    offer_x_and_y(world)
    write_skill(world, "pulled", "x fails; x works; How x works")
    world.tell("B ends")
    assert world.history() == {"x": "ignored", "y": "ignored"}


@pytest.mark.parametrize("what", ["pipe", "device", "folder", "loop", "too long"])
def test_a_skill_file_that_is_no_regular_file_or_too_long_is_skipped(world: World, what: str) -> None:
    path = write_skill(world, "one", "")
    id_ = offer_x_and_y(world)
    path.unlink()
    if what == "pipe":
        os.mkfifo(path)
    elif what == "folder":
        path.mkdir()
    elif what == "too long":
        path.write_text("x" * MAX_SKILL_BYTES + id_)
    else:
        path.symlink_to("/dev/zero" if what == "device" else path)
    world.tell("B ends")
    assert world.history() == {"x": "ignored", "y": "ignored"}


def test_a_search_for_changed_skills_reads_a_bounded_number_of_files(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_skills, "MAX_SKILLS", 3)
    monkeypatch.setattr(session_skills, "MAX_ENTRIES", 10)
    for number in range(20):
        write_skill(world, f"s{number}", "x")
    assert len(session_skills.read_changed_skills(str(world.project / FOLDER), world.now)) == 3
    (world.project / "empty").mkdir()
    for number in range(20):
        (world.project / "empty" / str(number)).mkdir()
    assert session_skills.read_changed_skills(str(world.project / "empty"), 0) == {}
    assert session_skills.read_changed_skills(str(world.project / "nowhere"), 0) == {}
