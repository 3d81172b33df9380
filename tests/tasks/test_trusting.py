"""Where its skill stands decides which of two learnings is recalled first."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_skills.learning.outcome import Outcome, OutcomeType
from mind_skills.memory.model import Record
from mind_skills.output.state import read_clock
from mind_skills.settings.lenient import get_user_file
from mind_skills.staging.analyse import analyse
from mind_skills.staging.identity import build_candidate_id, compute_fingerprint
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.staging.tables.uses import SkillUseRecord
from mind_skills.store.project import Project, resolve_project
from mind_skills.tasks.memories import open_memory
from tests.testkit.paths import DEMO

NAMES = ("first", "second")
TEXT = "Give Decimal the price as text, because a float has lost the half cent already."


@pytest.fixture
def known(repository: Path, state: Path) -> Project:
    """A project with two accepted learnings of which the memory says the same."""
    place = resolve_project(str(repository))
    with Ledger.open(state) as ledger:
        (found,) = analyse(DEMO).candidates
        for name in NAMES:
            ledger.stage(place, name, "claude-code", [_candidate(found, name)], 1)
            ledger.accept(_candidate(found, name).id, skill(place, name), read_clock(), place)
    with open_memory(place.root) as memory:
        for name in NAMES:
            reference = _candidate(found, name).id
            memory.store.store(Record(name, "learning", TEXT, project=place.id, reference=reference, at=1))
    return place


def _candidate(found: Candidate, name: str) -> Candidate:
    mark = compute_fingerprint("error_fix", f"the very own lesson of {name}")
    return Candidate(build_candidate_id(mark), found.kind, f"{name} lesson", "r", "high", mark, (), detected_at=1)


def skill(place: Project, name: str) -> str:
    return f"{place.root}/.claude/skills/{name}/SKILL.md"


def loads(place: Project, name: str, outcome: OutcomeType, times: int) -> None:
    with Ledger.open(Path(place.root).parent / "state") as ledger:
        for number in range(times):
            session, at = f"{name}-{outcome}-{number}", read_clock()
            ledger.register_session(session, "claude-code", place, "", at)
            seen = ledger.find_session(session)
            assert seen is not None
            ledger.store_analysis(
                seen,
                [SkillUseRecord(name, skill(place, name), "tool", at)],
                Outcome(outcome, 0.9, None, 0, 0, 0, "", at=at),
                at,
            )
            ledger.finish_session(session, at)


def recalled(place: Project) -> list[str]:
    with open_memory(place.root) as memory:
        return [hit.record.id for hit in memory.recall("price float Decimal half cent", project=place.id)]


@pytest.mark.parametrize("name", NAMES)
def test_of_two_that_say_the_same_the_one_whose_skill_is_proven_comes_first(known: Project, name: str) -> None:
    assert set(recalled(known)) == set(NAMES)
    loads(known, name, "helpful", 5)
    assert recalled(known) == [name, *(other for other in NAMES if other != name)]


def test_one_whose_skill_fails_for_sure_is_not_recalled(known: Project) -> None:
    loads(known, "first", "harmful", 3)
    assert recalled(known) == ["second"]


@pytest.mark.parametrize("name", NAMES)
def test_the_settings_decide_when_a_skill_is_proven_here_too(known: Project, name: str) -> None:
    loads(known, name, "helpful", 1)
    before = recalled(known)
    settings = Path(get_user_file())
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("[maturity]\nminFeedback = 1\nminHelpful = 1.0\nmaxHarmful = 0.5\n")
    assert (len(before), recalled(known)) == (2, [name, *(other for other in NAMES if other != name)])
