"""Skills that a session wrote in ways its log does not show."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mind_skills.hooks import session_skills
from mind_skills.hooks.end import handle_session_end
from mind_skills.hooks.recover import recover_sessions
from mind_skills.learning.skills.files import MAX_SKILL_BYTES
from tests.hooks.lifecycle_world import World, learning

FOLDER = ".claude/skills"


def skill(world: World, name: str, text: str, folder: str = FOLDER, at: float = 5) -> Path:
    """A SKILL.md whose time is ``at`` seconds after now."""
    path = world.project / folder / name / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (world.now / 1000 + at, world.now / 1000 + at))
    return path


def told(world: World) -> str:
    world.tell("A learns x y\nA ends\nB starts\nB answers")
    return learning("x").id


def test_a_skill_that_the_log_does_not_name_accepts_the_candidate_whose_id_it_holds(world: World) -> None:
    skill(world, "one", f"---\nname: one\nmetadata: {{candidate: {told(world)}}}\n---\n")
    world.tell("B ends")
    assert world.history() == {"x": "accepted", "y": "ignored"}


def test_so_it_does_where_the_session_is_finished_by_another(world: World) -> None:
    skill(world, "one", told(world))
    recover_sessions(world.home, world.now + 86_400_000, read=world.read)
    assert world.history() == {"x": "accepted", "y": "ignored"}


def test_the_folder_is_that_of_the_settings(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skill(world, "one", told(world), folder="docs/skills")
    (tmp_path / "mine.toml").write_text('[skills_dir]\nclaude-code = "docs/skills"\n')
    monkeypatch.setenv("MIND_SKILLS_CONFIG", str(tmp_path / "mine.toml"))
    handle_session_end(world.home, world.moment("B", "other"), read=world.read)
    assert world.history() == {"x": "accepted", "y": "ignored"}


def test_a_skill_that_stood_there_before_the_session_does_not_count(world: World) -> None:
    skill(world, "one", told(world), at=-60)
    world.tell("B ends")
    assert world.history() == {"x": "ignored", "y": "ignored"}


def test_a_skill_that_only_covers_it_and_is_not_in_the_log_does_not_count(world: World) -> None:
    told(world)
    skill(world, "pulled", "x fails; x works; How x works")
    world.tell("B ends")
    assert world.history() == {"x": "ignored", "y": "ignored"}


@pytest.mark.parametrize("what", ["pipe", "device", "folder", "loop", "too long"])
def test_what_is_no_regular_file_of_bounded_size_is_passed_over(world: World, what: str) -> None:
    path = skill(world, "one", "")
    id_ = told(world)
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


def test_no_more_than_a_bounded_number_of_files_is_read(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_skills, "MAX_SKILLS", 3)
    monkeypatch.setattr(session_skills, "MAX_ENTRIES", 10)
    for number in range(20):
        skill(world, f"s{number}", "x")
    assert len(session_skills.read_changed_skills(str(world.project / FOLDER), world.now)) == 3
    (world.project / "empty").mkdir()
    for number in range(20):
        (world.project / "empty" / str(number)).mkdir()
    assert session_skills.read_changed_skills(str(world.project / "empty"), 0) == {}
    assert session_skills.read_changed_skills(str(world.project / "nowhere"), 0) == {}
