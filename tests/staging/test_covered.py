"""A candidate that an installed skill already teaches is covered, and is pending again when that skill is removed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.learning.skills.discovery import Skill
from mind_skills.staging.covered import InstalledSkills, list_comparable_texts
from mind_skills.staging.model import Evidence
from tests.staging.workbench import Workbench, candidate

ONE = "ImportError: cannot import name 'formatargspec' from inspect"
TWO = "OperationalError: no such table: auth_user in migrations"
TEACHES_ONE = (
    "Use when an ImportError says that formatargspec cannot be imported: inspect has no such name any more; run make."
)


def skill(text: str, name: str = "a-skill") -> Skill:
    return Skill(name, f"/skills/{name}/SKILL.md", "", text)


def stage(bench: Workbench, session: str, *skills: Skill, at: int = 100, what: tuple[str, ...] = (ONE, TWO)) -> object:
    found = [candidate(anchor, at=at, session=session) for anchor in what]
    return bench.ledger.stage(bench.project, session, "claude-code", found, at, skills)


def list_events(bench: Workbench) -> list[str]:
    """The receipts of the first learning."""
    return [receipt.event for receipt in bench.ledger.list_receipts() if receipt.candidate == bench.id(ONE)]


def map_covered(bench: Workbench) -> dict[str, str]:
    return {record.candidate.id: record.detail for record in bench.ledger.list_covered(bench.project)}


def test_a_covered_candidate_is_neither_new_nor_listed_nor_offered(bench: Workbench) -> None:
    done = stage(bench, "S", skill(TEACHES_ONE))
    assert (done.new, done.covered, done.pending_count) == ((bench.id(TWO),), (bench.id(ONE),), 1)  # type: ignore[attr-defined]
    assert (bench.errors(), bench.in_file()) == ([TWO], [bench.id(TWO)])
    assert map_covered(bench) == {bench.id(ONE): "/skills/a-skill/SKILL.md"}
    offer = bench.claim("T")
    assert offer is not None
    assert offer.ids == (bench.id(TWO),)


@pytest.mark.parametrize("mark", ["id", "fingerprint"])
def test_a_skill_that_only_names_a_candidate_does_not_cover_it(bench: Workbench, mark: str) -> None:
    """A repository can compute the id of a learning that it wants to suppress."""
    name = getattr(candidate(ONE), mark)
    stage(bench, "S", skill(f"metadata:\n  candidate: {name}\n", "names-it"))
    assert (map_covered(bench), sorted(bench.errors())) == ({}, sorted([ONE, TWO]))
    stage(bench, "S", skill(TEACHES_ONE, "says-it"), skill(f"metadata:\n  candidate: {name}\n", "names-it"))
    assert map_covered(bench) == {bench.id(ONE): "/skills/says-it/SKILL.md"}


def test_staging_a_covered_candidate_again_adds_no_receipt(bench: Workbench) -> None:
    for at in (100, 200, 300):
        stage(bench, "S", skill(TEACHES_ONE), at=at)
    assert list_events(bench) == ["staged", "covered"]
    stage(bench, "R", skill(TEACHES_ONE), at=400)
    assert (list_events(bench), map_covered(bench)) == (
        ["staged", "covered"],
        {bench.id(ONE): "/skills/a-skill/SKILL.md"},
    )
    assert bench.ledger.list_covered(bench.project)[0].candidate.sessions == ("S", "R")


def test_removing_a_skill_uncovers_its_candidate_and_installing_one_covers_it(bench: Workbench) -> None:
    stage(bench, "S", skill(TEACHES_ONE))
    bench.ledger.update_pending_file(bench.project, 200, [])
    assert (sorted(bench.errors()), map_covered(bench)) == (sorted([ONE, TWO]), {})
    bench.ledger.update_pending_file(bench.project, 300, [skill(TEACHES_ONE, "another")])
    assert (bench.errors(), map_covered(bench)) == ([TWO], {bench.id(ONE): "/skills/another/SKILL.md"})
    bench.ledger.update_pending_file(bench.project, 400, [skill(TEACHES_ONE, "moved")])
    assert map_covered(bench) == {bench.id(ONE): "/skills/moved/SKILL.md"}
    assert list_events(bench) == ["staged", "covered", "uncovered", "covered"]


def test_a_covered_candidate_stays_covered_if_the_installed_skills_are_unknown(bench: Workbench) -> None:
    stage(bench, "S", skill(TEACHES_ONE))
    bench.ledger.update_pending_file(bench.project, 200)
    bench.stage("S", ONE, TWO, at=300)
    assert (bench.errors(), list(map_covered(bench))) == ([TWO], [bench.id(ONE)])


def test_an_offered_candidate_is_not_covered_until_its_offer_is_withdrawn(bench: Workbench) -> None:
    bench.stage("S", ONE)
    assert bench.claim("T") is not None
    bench.ledger.update_pending_file(bench.project, 300, [skill(TEACHES_ONE)])
    assert (bench.errors(), map_covered(bench)) == ([ONE], {})
    bench.ledger.withdraw_offer("T", 400)
    bench.ledger.update_pending_file(bench.project, 500, [skill(TEACHES_ONE)])
    assert (bench.errors(), list(map_covered(bench))) == ([], [bench.id(ONE)])


def test_a_covered_candidate_can_be_dismissed_and_undo_covers_it_again(bench: Workbench) -> None:
    stage(bench, "S", skill(TEACHES_ONE))
    bench.ledger.dismiss(bench.id(ONE), "no", 200)
    bench.ledger.update_pending_file(bench.project, 300, [])
    assert bench.states() == {ONE: "dismissed"}
    bench.ledger.undo(400)
    assert map_covered(bench) == {bench.id(ONE): "/skills/a-skill/SKILL.md"}


def test_a_session_that_no_longer_sees_a_covered_candidate_withdraws_it(bench: Workbench) -> None:
    stage(bench, "S", skill(TEACHES_ONE))
    stage(bench, "S", skill(TEACHES_ONE), what=(TWO,))
    assert (map_covered(bench), bench.errors()) == ({}, [TWO])


def test_has_coverable_is_true_for_covered_and_pending_candidates_but_not_for_offered_ones(bench: Workbench) -> None:
    assert not bench.ledger.has_coverable(bench.project)
    stage(bench, "S", skill(TEACHES_ONE), what=(ONE,))
    assert bench.ledger.has_coverable(bench.project)
    bench.ledger.update_pending_file(bench.project, 200, [])
    assert bench.claim("T") is not None
    assert not bench.ledger.has_coverable(bench.project)


def test_what_failed_errors_statements_and_files_of_a_candidate_are_compared_with_skills() -> None:
    evidence = (
        Evidence("decision", "context", "user: it is so slow", "user: it is so slow", 1),
        Evidence("problem", "symptom", "run make: failed", "run make: failed\nno rule", 2),
        Evidence("discovery", "cause", "agent: the rule is generated", "agent: the rule is generated", 3),
        Evidence("success", "verification", "run make: ok", "run make: ok", 4),
    )
    made = candidate(ONE, evidence=evidence, files=("src/rules/Makefile.in",))
    assert list_comparable_texts(made) == [
        "make  ",
        "run make: failed\nno rule",
        "agent: the rule is generated",
        "Makefile.in",
    ]


@given(st.permutations(["formatargspec cannot import name inspect", TEACHES_ONE, "Something else."]))
def test_the_skill_that_teaches_most_of_a_candidate_covers_it_in_any_order(order: list[str]) -> None:
    skills = [skill(text, str(len(text))) for text in order]
    assert InstalledSkills(skills).find_covering(candidate(ONE)) == f"/skills/{len(TEACHES_ONE)}/SKILL.md"
