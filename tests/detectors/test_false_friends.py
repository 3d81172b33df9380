"""Every class of false friend, as a pair: what was learned is found, what only looks like it is not, in every host's log."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from mind_skills.detectors.registry import detect
from mind_skills.learning.outcome import outcome_of
from mind_skills.observations.model import Session
from mind_skills.observations.read import read_session
from mind_skills.staging.select import select
from tests.testkit.stories import as_claude_code, as_codex, as_gemini, as_opencode
from tests.testkit.stories.story_file import FOLDER, Expected, Story, stories

Writer = Callable[[Story], tuple[str, list[tuple[int, int]]]]
HOSTS: dict[str, Writer] = {
    "claude-code": as_claude_code.written,
    "codex": as_codex.written,
    "opencode": as_opencode.written,
    "gemini": as_gemini.written,
}
STORIES = {story.name: story for story in stories()}


def told(story: Story, host: str, folder: Path) -> tuple[Session, list[tuple[int, int]]]:
    """The story as that host keeps it, read back, and the lines of its steps."""
    text, places = HOSTS[host](story)
    log = folder / "log"
    log.write_text(text, "utf-8")
    return read_session(log), places


def found(session: Session, places: list[tuple[int, int]]) -> Expected:
    """What becomes of a log, in the words of a story: from the reader to the selection."""
    candidates = select(detect(session.observations, session.project), session, outcome_of(session))
    return tuple(
        (candidate.kind, tuple((part.role, _step(part.line, places)) for part in candidate.evidence))
        for candidate in candidates
    )


def _step(line: int, places: list[tuple[int, int]]) -> int:
    """The step at a line: the first one, where a message holds several."""
    return next(number for number, (first, last) in enumerate(places, 1) if first <= line <= last)


def expected(story: Story, places: list[tuple[int, int]]) -> Expected:
    """What a story says must come of it, its steps named as ``found`` names them."""
    return tuple(
        (kind, tuple((role, _step(places[step - 1][0], places)) for role, step in parts))
        for kind, parts in story.expected
    )


def facts(session: Session, story: Story) -> list[tuple[object, ...]]:
    """What was read, but for what each host says in words of its own: a refusal, and whether an edit or a read went well."""
    faults = {step.what for step in story.steps if step.how and not step.how.isdigit() and step.kind != "mcp"}
    told: list[tuple[object, ...]] = []
    for seen in session.observations:
        own = seen.kind == "tool" and (seen.action != "run" or seen.command in faults)
        text = "" if own else re.sub(r"\AExit code \d+\n", "", seen.text)
        error = "" if own and seen.action != "mcp" else seen.error
        action = seen.action if seen.kind == "tool" else ""
        told.append((seen.kind, action, seen.agent, seen.outcome, seen.change, error, text.strip()))
    return told


def test_every_class_has_a_story_that_fires_and_one_that_is_silent() -> None:
    classes = sorted({name.rsplit("-", 1)[0] for name in STORIES})
    assert sorted(STORIES) == [f"{name}-{which}" for name in classes for which in ("fires", "silent")]
    assert [name for name, story in STORIES.items() if bool(story.expected) != name.endswith("-fires")] == []


@pytest.mark.parametrize("name", STORIES)
def test_a_story_is_the_same_in_the_log_of_every_host(name: str, tmp_path: Path) -> None:
    first, *others = (facts(told(STORIES[name], host, tmp_path)[0], STORIES[name]) for host in HOSTS)
    assert others == [first] * len(others)


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("name", STORIES)
def test_of_each_pair_one_fires_and_the_other_is_silent(name: str, host: str, tmp_path: Path) -> None:
    session, places = told(STORIES[name], host, tmp_path)
    assert session.warnings == []
    assert found(session, places) == expected(STORIES[name], places)


def test_the_page_about_detection_names_every_class() -> None:
    page = (FOLDER.parents[1] / "docs" / "detection.md").read_text("utf-8")
    classes = {path.stem: path.read_text("utf-8").split("\n", 1)[0] for path in sorted(FOLDER.glob("*.story"))}
    rows = "".join(f"| `{name}` | {about} |\n" for name, about in classes.items())
    assert rows in page
