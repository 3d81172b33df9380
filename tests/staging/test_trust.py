"""The trust in a learning when it is recalled, which comes from the skill that it became."""

from __future__ import annotations

from pathlib import Path

import pytest

from mind_skills.learning.maturity import DEFAULTS
from mind_skills.learning.outcome import Outcome, OutcomeType
from mind_skills.learning.statistics import DAY_MS
from mind_skills.staging.tables.sessions import SkillUseRecord
from tests.staging.workbench import Workbench

NOW = 1_800_000_000_000


def accept_as_skill(bench: Workbench, anchor: str, at: int = NOW) -> str:
    """Stage a candidate and accept it as a skill; return the path of the skill."""
    path = str(bench.root / f".claude/skills/{anchor}/SKILL.md")
    bench.stage("S", anchor, at=at)
    bench.ledger.accept(bench.id(anchor), path, at, bench.project)
    return path


def record_loads(bench: Workbench, anchor: str, *outcomes: OutcomeType, at: int = NOW, path: str = "") -> None:
    """Record one session per outcome that loaded the skill."""
    path = path or str(bench.root / f".claude/skills/{anchor}/SKILL.md")
    for number, outcome in enumerate(outcomes):
        name = f"{anchor}-{at}-{number}"
        bench.ledger.register_session(name, "claude-code", bench.project, "", at)
        seen = bench.ledger.find_session(name)
        assert seen is not None
        uses = [SkillUseRecord(anchor, path, "tool", at)]
        bench.ledger.store_analysis(seen, uses, Outcome(outcome, 0.9, None, 0, 0, 0, "", at=at), at)
        bench.ledger.finish_session(name, at)


def compute_trust(bench: Workbench, anchor: str, now: int = NOW) -> float:
    return round(bench.ledger.read_trust(now, DEFAULTS)(bench.project.id, bench.id(anchor)), 3)


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([], 0.5),
        (["helpful"] * 2, 0.5),
        (["helpful"] * 3, 1.0),
        (["helpful"] * 5, 1.5),
        (["helpful", "helpful", "harmful"], 0.5),
        (["harmful"] * 3, 0.0),
        (["neutral"] * 3 + ["unknown"] * 3, 0.5),
    ],
)
def test_the_trust_in_a_learning_follows_the_outcomes_of_sessions_that_loaded_its_skill(
    bench: Workbench, outcomes: list[OutcomeType], expected: float
) -> None:
    accept_as_skill(bench, "exact-decimals")
    record_loads(bench, "exact-decimals", *outcomes)
    assert compute_trust(bench, "exact-decimals") == expected


def test_trust_halves_every_ninety_days_since_the_last_confirmation_down_to_a_tenth(bench: Workbench) -> None:
    accept_as_skill(bench, "old", NOW - 90 * DAY_MS)
    accept_as_skill(bench, "renewed", NOW - 90 * DAY_MS)
    record_loads(bench, "renewed", "helpful")
    found = (
        compute_trust(bench, "old"),
        compute_trust(bench, "renewed"),
        compute_trust(bench, "old", NOW + 3_650 * DAY_MS),
    )
    assert found == (0.25, 0.5, 0.05)


def test_a_skill_and_its_copy_in_a_worktree_count_as_one_skill(bench: Workbench) -> None:
    accept_as_skill(bench, "a")
    record_loads(bench, "a", "helpful", "helpful", at=NOW - 1)
    record_loads(bench, "a", "helpful", path=str(bench.folder / "worktree/.claude/skills/a/SKILL.md"))
    assert compute_trust(bench, "a") == 1.0


def test_a_learning_with_an_archived_skill_has_no_trust_until_the_skill_is_restored(bench: Workbench) -> None:
    path = Path(accept_as_skill(bench, "a"))
    target = bench.root / ".claude/mind-skills-archive/a"
    bench.ledger.begin_archiving(bench.project, "a", str(path.parent), str(target), bench.id("a"), "by hand", NOW)
    assert compute_trust(bench, "a") == 0.5
    target.mkdir(parents=True)
    assert compute_trust(bench, "a") == 0.0
    (each,) = bench.ledger.list_archived(bench.project)
    bench.ledger.record_restored(each, None, NOW)
    assert (compute_trust(bench, "a"), bench.ledger.list_archived()) == (0.5, [])


def test_recording_the_same_archiving_twice_leaves_one_entry(bench: Workbench) -> None:
    for _ in range(2):
        bench.ledger.begin_archiving(bench.project, "a", "/p/skills/a", str(bench.root), "sc_1", "by hand", NOW)
    assert [each.n for each in bench.ledger.list_archived()] == [2]


def test_a_learning_that_was_never_accepted_has_a_trust_of_one(bench: Workbench) -> None:
    bench.stage("S", "waits")
    assert compute_trust(bench, "waits") == 1.0
    assert bench.ledger.read_trust(NOW, DEFAULTS)("elsewhere", "sc_00000000") == 1.0
