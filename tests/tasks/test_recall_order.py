"""The standing of its skill decides which of two learnings is recalled first."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_skills.learning.outcome import Outcome, OutcomeType
from mind_skills.memory.model import Record
from mind_skills.output.state import read_clock
from mind_skills.staging.analyse import analyse
from mind_skills.staging.identity import build_candidate_id
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.staging.tables.sessions import SkillUseRecord
from mind_skills.store.home import get_settings_path
from mind_skills.store.project import Project, digest_text, resolve_project
from mind_skills.tasks.memories import open_memory
from tests.testkit.paths import DEMO

NAMES = ("first", "second")
TEXT = "Give Decimal the price as text, because a float has lost the half cent already."


@pytest.fixture
def two_learnings(repository: Path, state: Path) -> Project:
    """A project with two accepted learnings whose records have the same text."""
    place = resolve_project(str(repository))
    with Ledger.open(state) as ledger:
        (found,) = analyse(DEMO).candidates
        for name in NAMES:
            ledger.stage(place, name, "claude-code", [_build_candidate(found, name)], 1)
            ledger.accept(_build_candidate(found, name).id, locate_skill(place, name), read_clock(), place)
    with open_memory(place.root) as memory:
        for name in NAMES:
            reference = _build_candidate(found, name).id
            memory.store.store(Record(name, "learning", TEXT, project=place.id, reference=reference, at=1))
    return place


def _build_candidate(found: Candidate, name: str) -> Candidate:
    mark = digest_text(f"the very own lesson of {name}", 16)
    return Candidate(build_candidate_id(mark), found.kind, f"{name} lesson", "r", "high", mark, (), detected_at=1)


def locate_skill(place: Project, name: str) -> str:
    return f"{place.root}/.claude/skills/{name}/SKILL.md"


def record_loads(place: Project, name: str, outcome: OutcomeType, times: int) -> None:
    with Ledger.open(Path(place.root).parent / "state") as ledger:
        for number in range(times):
            session, at = f"{name}-{outcome}-{number}", read_clock()
            ledger.register_session(session, "claude-code", place, "", at)
            seen = ledger.find_session(session)
            assert seen is not None
            ledger.store_analysis(
                seen,
                [SkillUseRecord(name, locate_skill(place, name), "tool", at)],
                Outcome(outcome, 0.9, None, 0, 0, 0, "", at=at),
                at,
            )
            ledger.finish_session(session, at)


def recall_ids(place: Project) -> list[str]:
    with open_memory(place.root) as memory:
        return [hit.record.id for hit in memory.recall("price float Decimal half cent", project_id=place.id)]


@pytest.mark.parametrize("name", NAMES)
def test_a_learning_with_a_proven_skill_is_recalled_before_an_equal_one(two_learnings: Project, name: str) -> None:
    assert set(recall_ids(two_learnings)) == set(NAMES)
    record_loads(two_learnings, name, "helpful", 5)
    assert recall_ids(two_learnings) == [name, *(other for other in NAMES if other != name)]


def test_a_learning_whose_skill_is_surely_failing_is_not_recalled(two_learnings: Project) -> None:
    record_loads(two_learnings, "first", "harmful", 3)
    assert recall_ids(two_learnings) == ["second"]


@pytest.mark.parametrize("name", NAMES)
def test_the_maturity_settings_change_the_order_of_recalled_learnings(two_learnings: Project, name: str) -> None:
    record_loads(two_learnings, name, "helpful", 1)
    before = recall_ids(two_learnings)
    settings = Path(get_settings_path())
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("[maturity]\nminFeedback = 1\nminHelpful = 1.0\nmaxHarmful = 0.5\n")
    assert (len(before), recall_ids(two_learnings)) == (2, [name, *(other for other in NAMES if other != name)])
