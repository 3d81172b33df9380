"""What a learning is worth when it is recalled, by the skill that it became."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mind_skills.learning.outcome import Outcome, OutcomeType
from mind_skills.learning.statistics import DAY_MS
from mind_skills.staging.tables.uses import SkillUseRecord
from tests.staging.workbench import Workbench

NOW = 1_800_000_000_000


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench(tmp_path) as made:
        yield made


def skill(bench: Workbench, anchor: str, at: int = NOW) -> str:
    """A candidate that became a skill; its path."""
    path = str(bench.root / f".claude/skills/{anchor}/SKILL.md")
    bench.stage("S", anchor, at=at)
    bench.ledger.accept(bench.id(anchor), path, at, bench.project)
    return path


def loads(bench: Workbench, anchor: str, *outcomes: OutcomeType, at: int = NOW, path: str = "") -> None:
    """Sessions that loaded the skill, so many as outcomes."""
    path = path or str(bench.root / f".claude/skills/{anchor}/SKILL.md")
    for number, outcome in enumerate(outcomes):
        name = f"{anchor}-{at}-{number}"
        bench.ledger.register_session(name, "claude-code", bench.project, "", at)
        seen = bench.ledger.find_session(name)
        assert seen is not None
        uses = [SkillUseRecord(anchor, path, "tool", at)]
        bench.ledger.store_analysis(seen, uses, Outcome(outcome, 0.9, None, 0, 0, 0, "", at=at), at)
        bench.ledger.finish_session(name, at)


def worth(bench: Workbench, anchor: str, now: int = NOW) -> float:
    return round(bench.ledger.read_trust(now)(bench.project.id, bench.id(anchor)), 3)


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
def test_the_state_of_its_skill_is_what_a_learning_is_worth(
    bench: Workbench, outcomes: list[OutcomeType], expected: float
) -> None:
    skill(bench, "exact-decimals")
    loads(bench, "exact-decimals", *outcomes)
    assert worth(bench, "exact-decimals") == expected


def test_it_fades_by_half_in_ninety_days_from_when_it_was_confirmed_last_and_never_below_a_tenth(
    bench: Workbench,
) -> None:
    skill(bench, "old", NOW - 90 * DAY_MS)
    skill(bench, "renewed", NOW - 90 * DAY_MS)
    loads(bench, "renewed", "helpful")
    found = (worth(bench, "old"), worth(bench, "renewed"), worth(bench, "old", NOW + 3_650 * DAY_MS))
    assert found == (0.25, 0.5, 0.05)


def test_every_file_that_a_candidate_became_is_one_skill(bench: Workbench) -> None:
    skill(bench, "a")
    loads(bench, "a", "helpful", "helpful", at=NOW - 1)
    loads(bench, "a", "helpful", path=str(bench.folder / "worktree/.claude/skills/a/SKILL.md"))
    assert worth(bench, "a") == 1.0


def test_what_stands_in_the_archive_is_worth_nothing_until_it_is_back(bench: Workbench) -> None:
    path = Path(skill(bench, "a"))
    target = bench.root / ".claude/mind-skills-archive/a"
    bench.ledger.begin_archiving(bench.project, "a", str(path.parent), str(target), bench.id("a"), "by hand", NOW)
    assert worth(bench, "a") == 0.5
    target.mkdir(parents=True)
    assert worth(bench, "a") == 0.0
    (each,) = bench.ledger.list_archived(bench.project)
    bench.ledger.record_restored(each, None, NOW)
    assert (worth(bench, "a"), bench.ledger.list_archived()) == (0.5, [])


def test_two_who_noted_the_same_move_noted_one(bench: Workbench) -> None:
    for _ in range(2):
        bench.ledger.begin_archiving(bench.project, "a", "/p/skills/a", str(bench.root), "sc_1", "by hand", NOW)
    assert [each.n for each in bench.ledger.list_archived()] == [2]


def test_what_no_accepted_candidate_is_known_of_is_worth_what_it_says(bench: Workbench) -> None:
    bench.stage("S", "waits")
    assert worth(bench, "waits") == 1.0
    assert bench.ledger.read_trust(NOW)("elsewhere", "sc_00000000") == 1.0
