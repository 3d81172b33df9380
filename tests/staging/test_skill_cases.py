"""Which sessions count in favour of a skill, and which against it, when its error comes back."""

from __future__ import annotations

from mind_skills.learning.skills.proof import Case
from mind_skills.staging.model import Candidate
from mind_skills.staging.skill_cases import find_recurrences
from mind_skills.staging.tables.candidates import StoredCandidate
from mind_skills.staging.tables.sessions import EncounteredError, UsedSkill

LOCKED = "OperationalError: database is locked"
PATH = "/p/.claude/skills/wait-for-lock/SKILL.md"
SKILL = Candidate("sc_1", "error_fix", "t", "r", "high", "f", (), sessions=("learned",), error=LOCKED)
ACCEPTED = StoredCandidate("p", SKILL, "accepted", settled_at=100, detail=PATH)


def met(session: str, at: int, *, solved: int = 0, signature: str = LOCKED) -> EncounteredError:
    return EncounteredError(session, "p", signature, 1, 10, solved, 5 if solved else 0, 50 if solved else None, at)


def use(session: str, line: int) -> UsedSkill:
    return UsedSkill(session, "p", "wait-for-lock", PATH, "tool", 0, "sc_1", line)


def cases(rows: list[EncounteredError], uses: list[UsedSkill]) -> tuple[list[tuple[str, bool, bool]], list[str]]:
    (skill,) = find_recurrences(rows, [ACCEPTED], uses).skills
    return [(one.session, one.solved, one.loaded) for one in skill.cases], [one.session for one in skill.before]


def test_sessions_before_and_after_the_skill_was_accepted_are_listed_separately() -> None:
    rows = [met("learned", 1, solved=20), met("b", 50), met("c", 150, solved=30), met("d", 160), met("e", 170)]
    assert cases(rows, [use("c", 12), use("e", 2)]) == (
        [("c", True, True), ("d", False, False), ("e", False, True)],
        ["b"],
    )


def test_a_skill_loaded_after_the_error_was_solved_does_not_count_as_loaded() -> None:
    rows = [met("a", 150, solved=30), met("b", 151, solved=30)]
    assert cases(rows, [use("a", 31), use("b", 30)])[0] == [("a", True, False), ("b", True, True)]


def test_the_first_session_with_an_error_is_not_a_recurrence() -> None:
    assert cases([met("x", 1), met("y", 2)], [])[1] == ["y"]


def test_loading_another_skill_does_not_count_as_loaded() -> None:
    other = UsedSkill("a", "p", "else", "/p/else/SKILL.md", "tool", 0, "", 1)
    assert cases([met("a", 150)], [other])[0] == [("a", False, False)]


def test_errors_without_a_skill_are_counted_once_two_sessions_met_them() -> None:
    rows = [met("a", 1, signature="once"), met("a", 2, signature="twice"), met("b", 3, solved=12, signature="twice")]
    found = find_recurrences(rows, [ACCEPTED], [])
    assert (found.tracked_count, found.unskilled) == (2, (Case("b", "twice", True, False, 5, 50),))
