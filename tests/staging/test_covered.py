"""What an installed skill says already waits aside, and comes back when that skill goes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.detectors.model import Evidence
from mind_skills.learning.skills.discovery import Skill
from mind_skills.staging.covered import InstalledSkills, list_covered_texts
from tests.staging.workbench import Workbench, candidate

ONE = "ImportError: cannot import name 'formatargspec' from inspect"
TWO = "OperationalError: no such table: auth_user in migrations"
SAYS_ONE = (
    "Use when an ImportError says that formatargspec cannot be imported: inspect has no such name any more; run make."
)


def skill(text: str, name: str = "a-skill") -> Skill:
    return Skill(name, f"/skills/{name}/SKILL.md", "", text)


def stage(bench: Workbench, session: str, *skills: Skill, at: int = 100, what: tuple[str, ...] = (ONE, TWO)) -> object:
    found = [candidate(anchor, at=at, session=session) for anchor in what]
    return bench.ledger.stage(bench.project, session, "claude-code", found, at, skills)


def told(bench: Workbench) -> list[str]:
    """What happened to the first learning, from the receipts."""
    return [receipt.event for receipt in bench.ledger.list_receipts() if receipt.candidate == bench.id(ONE)]


def aside(bench: Workbench) -> dict[str, str]:
    return {record.candidate.id: record.detail for record in bench.ledger.list_covered(bench.project)}


def test_what_a_skill_says_is_neither_new_nor_listed_nor_offered(bench: Workbench) -> None:
    done = stage(bench, "S", skill(SAYS_ONE))
    assert (done.new, done.covered, done.waiting) == ((bench.id(TWO),), (bench.id(ONE),), 1)  # type: ignore[attr-defined]
    assert (bench.titles(), bench.in_file()) == ([TWO], [bench.id(TWO)])
    assert aside(bench) == {bench.id(ONE): "/skills/a-skill/SKILL.md"}
    offer = bench.claim("T")
    assert offer is not None
    assert offer.ids == (bench.id(TWO),)


@pytest.mark.parametrize("mark", ["id", "fingerprint"])
def test_a_skill_that_only_names_it_covers_nothing(bench: Workbench, mark: str) -> None:
    """A repository can work out the id of a learning that it wants nobody to be told of."""
    name = getattr(candidate(ONE), mark)
    stage(bench, "S", skill(f"metadata:\n  candidate: {name}\n", "names-it"))
    assert (aside(bench), sorted(bench.titles())) == ({}, sorted([ONE, TWO]))
    stage(bench, "S", skill(SAYS_ONE, "says-it"), skill(f"metadata:\n  candidate: {name}\n", "names-it"))
    assert aside(bench) == {bench.id(ONE): "/skills/says-it/SKILL.md"}


def test_staging_it_again_changes_nothing_and_is_said_once(bench: Workbench) -> None:
    for at in (100, 200, 300):
        stage(bench, "S", skill(SAYS_ONE), at=at)
    assert told(bench) == ["staged", "covered"]
    stage(bench, "R", skill(SAYS_ONE), at=400)
    assert (told(bench), aside(bench)) == (["staged", "covered"], {bench.id(ONE): "/skills/a-skill/SKILL.md"})
    assert bench.ledger.list_covered(bench.project)[0].candidate.sessions == ("S", "R")


def test_a_skill_that_is_removed_frees_it_and_one_that_comes_sets_it_aside(bench: Workbench) -> None:
    stage(bench, "S", skill(SAYS_ONE))
    bench.ledger.update_pending_file(bench.project, 200, [])
    assert (sorted(bench.titles()), aside(bench)) == (sorted([ONE, TWO]), {})
    bench.ledger.update_pending_file(bench.project, 300, [skill(SAYS_ONE, "another")])
    assert (bench.titles(), aside(bench)) == ([TWO], {bench.id(ONE): "/skills/another/SKILL.md"})
    bench.ledger.update_pending_file(bench.project, 400, [skill(SAYS_ONE, "moved")])
    assert aside(bench) == {bench.id(ONE): "/skills/moved/SKILL.md"}
    assert told(bench) == ["staged", "covered", "uncovered", "covered"]


def test_where_the_skills_are_not_known_nothing_changes(bench: Workbench) -> None:
    stage(bench, "S", skill(SAYS_ONE))
    bench.ledger.update_pending_file(bench.project, 200)
    bench.stage("S", ONE, TWO, at=300)
    assert (bench.titles(), list(aside(bench))) == ([TWO], [bench.id(ONE)])


def test_what_was_offered_is_left_to_the_end_of_that_session(bench: Workbench) -> None:
    bench.stage("S", ONE)
    assert bench.claim("T") is not None
    bench.ledger.update_pending_file(bench.project, 300, [skill(SAYS_ONE)])
    assert (bench.titles(), aside(bench)) == ([ONE], {})
    bench.ledger.withdraw_offer("T", 400)
    bench.ledger.update_pending_file(bench.project, 500, [skill(SAYS_ONE)])
    assert (bench.titles(), list(aside(bench))) == ([], [bench.id(ONE)])


def test_it_can_be_decided_on_and_that_taken_back(bench: Workbench) -> None:
    stage(bench, "S", skill(SAYS_ONE))
    bench.ledger.dismiss(bench.id(ONE), "no", 200)
    bench.ledger.update_pending_file(bench.project, 300, [])
    assert bench.states() == {ONE: "dismissed"}
    bench.ledger.undo(400)
    assert aside(bench) == {bench.id(ONE): "/skills/a-skill/SKILL.md"}


def test_a_session_that_no_longer_sees_it_withdraws_it(bench: Workbench) -> None:
    stage(bench, "S", skill(SAYS_ONE))
    stage(bench, "S", skill(SAYS_ONE), what=(TWO,))
    assert (aside(bench), bench.titles()) == ({}, [TWO])


def test_whether_skills_matter_is_known_without_reading_any(bench: Workbench) -> None:
    assert not bench.ledger.has_coverable(bench.project)
    stage(bench, "S", skill(SAYS_ONE), what=(ONE,))
    assert bench.ledger.has_coverable(bench.project)
    bench.ledger.update_pending_file(bench.project, 200, [])
    assert bench.claim("T") is not None
    assert not bench.ledger.has_coverable(bench.project)


def test_of_a_symptom_only_the_command_counts() -> None:
    evidence = (
        Evidence("problem", "symptom", "user: it is so slow since yesterday", "", 1),
        Evidence("problem", "symptom", "`make` failed: no rule", "", 2),
        Evidence("solution", "cause", "agent: the rule is generated", "", 3),
        Evidence("success", "verification", "`make` passed", "", 4),
    )
    made = candidate(ONE, evidence=evidence, files=("src/rules/Makefile.in",))
    assert list_covered_texts(made) == [
        f"Error: '{ONE}'",
        "`make` failed: no rule",
        "agent: the rule is generated",
        "Makefile.in",
    ]


@given(st.permutations(["formatargspec cannot import name inspect", SAYS_ONE, "Something else."]))
def test_the_skill_that_says_most_covers_it_whatever_the_order(order: list[str]) -> None:
    skills = [skill(text, str(len(text))) for text in order]
    assert InstalledSkills(skills).find_covering(candidate(ONE)) == f"/skills/{len(SAYS_ONE)}/SKILL.md"
