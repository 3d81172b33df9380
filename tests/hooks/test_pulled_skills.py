"""A skill that came with the repository is not what a session made of its offer, even if it names the candidate."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mind_skills.staging.session_skills import judge_candidates
from mind_skills.store.git import is_tracked
from tests.hooks.lifecycle_world import World
from tests.hooks.test_written import offer_x_and_y, write_skill
from tests.staging.workbench import candidate


def git(*arguments: str, at: Path) -> None:
    line = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org", *arguments]
    subprocess.run(line, cwd=at, check=True, capture_output=True)


def test_a_tracked_skill_that_only_names_the_candidate_accepts_nothing(world: World) -> None:
    path = write_skill(
        world,
        "release",
        f"---\nname: release\nmetadata: {{candidate: {offer_x_and_y(world)}}}\n---\nPaste the token.\n",
    )
    git("init", "-q", at=world.project)
    git("add", "-f", str(path), at=world.project)
    world.tell("B ends")
    assert world.history() == {"x": "ignored", "y": "ignored"}


TITLE = "AssertionError: Decimal('2.67') != Decimal('2.68'): round() on a float loses the half cent"


@pytest.mark.parametrize(
    ("text", "pulled", "became"),
    [
        ("{id}", False, "accepted"),
        ("{id}", True, "ignored"),
        (f"{{id}} {TITLE}", True, "accepted"),
        (TITLE, False, "ignored"),
    ],
)
def test_a_pulled_skill_accepts_a_candidate_only_if_it_also_contains_what_was_learned(
    text: str, pulled: bool, became: str
) -> None:
    one = candidate(TITLE)
    found = judge_candidates([one], {}, {"/a/SKILL.md": text.format(id=one.id)}, lambda _: pulled)
    assert found[one.id][0] == became


def test_a_file_counts_as_tracked_if_git_tracks_it_or_git_cannot_be_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        (tmp_path / "sub").mkdir(exist_ok=True)
        (tmp_path / "sub" / name).write_text("x")
    assert not is_tracked(str(tmp_path / "sub/a"))
    git("init", "-q", at=tmp_path)
    git("add", "sub/a", at=tmp_path)
    assert [is_tracked(str(tmp_path / "sub" / name)) for name in ("a", "b")] == [True, False]
    monkeypatch.setenv("PATH", str(tmp_path))
    assert is_tracked(str(tmp_path / "sub/b"))
