"""Sessions that solve an error, and failures of later sessions, for the tests of reminders."""

from __future__ import annotations

from pathlib import Path

from mind_skills.hooks.failure import claim, find_hits
from mind_skills.observations.model import Session
from mind_skills.staging.analyse import Analysis, analyse_observations
from mind_skills.staging.ledger import Ledger
from mind_skills.store.project import Project, digest_text, resolve_project
from tests.testkit.stories.detector_story import Story

DAY = 1_781_740_800_000
"""2026-06-18, UTC milliseconds."""
COMMAND = "pytest -q tests/test_invoice.py"
ERROR = "ModuleNotFoundError: No module named 'ledgerkit'"
OUTPUT = f"Exit code 1\nImportError while loading conftest '/home/dev/shop/conftest.py'.\nconftest.py:3: in <module>\nE   {ERROR}\n"


def tell_solution(command: str = COMMAND, error: str = ERROR) -> Story:
    """A session whose command fails with an error, twice, and passes after a change in ``pyproject.toml``."""
    story = (
        Story()
        .user("The tests fail on the new machine, please find out why.")
        .runs(command, f"E   {error}\n1 error", 1)
    )
    story.agent(
        "It turns out that the group of dependencies is not installed, because the root cause is the wrong group name."
    )
    story.runs(command, f"E   {error}\n1 error", 1).edits("/home/dev/shop/pyproject.toml", "[dev]", "[test]")
    return story.runs(command, "3 passed in 0.1s").runs("git commit -am 'Name the group'", "[main 1a2b3c4]")


def analyse_story(story: Story, session: str, project: Path) -> Analysis:
    described = Session(session_id=session, host="claude-code", project=str(project), started=DAY, lines=100)
    return analyse_observations(described, story.observations)


def store_session(home: Path, project: Path, story: Story, session: str = "earlier") -> Analysis:
    """Stage what a session learned, as a checkpoint does."""
    analysis, place = analyse_story(story, session, project), resolve_project(str(project))
    with Ledger.open(home) as ledger:
        ledger.stage(place, session, "claude-code", analysis.candidates, DAY)
        ledger.put_digest(session, place.id, analysis.digest, DAY)
        ledger.update_error_index(place.id, "mind-skills")
        assert ledger.problems == []
    return analysis


def fail(
    home: Path, project: Path | Project, command: str = COMMAND, output: str = OUTPUT, session: str = "later"
) -> str:
    """Return the line that a failing command of a session gets."""
    place = project if isinstance(project, Project) else resolve_project(str(project))
    digest = digest_text(session)
    hits = find_hits(str(home), place.id, digest, command, output)
    return claim(str(home), digest, hits, DAY) if hits else ""
