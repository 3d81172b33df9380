from __future__ import annotations

from dataclasses import replace
from typing import Any

from mind_skills.detectors.model import Evidence, Finding
from mind_skills.learning.outcome import Outcome
from mind_skills.learning.taste import NO_TASTE, TasteDecision, fit_taste
from mind_skills.observations.model import Session
from mind_skills.staging.model import Candidate, Confidence
from mind_skills.staging.select import MAX_WAITING, apply_taste, combine_candidates, select_candidates, split_by_tier

FAILED = Outcome("harmful", 0.2, False, 60_000, 3, 2, "failed")
SESSION = Session(session_id="s1", host="claude-code", ended=1_700_000_000_000)


def tiers(probability: float) -> Confidence | None:
    """As a file of weights might have them."""
    steps: list[tuple[float, Confidence]] = [(0.7, "high"), (0.4, "medium"), (0.2, "waiting")]
    return next((tier for least, tier in steps if probability >= least), None)


def finding(number: int, probability: float = 0.5, **changes: Any) -> Finding:
    lines = (number * 100, number * 100 + 50)
    made = Finding(
        "error_fix",
        f"title {number}",
        "why",
        f"anchor {number}",
        tuple(Evidence("problem", "symptom", f"s{line}", "c", line) for line in lines),
        probability=probability,
        deciding=(("failed_twice", 2.0),),
    )
    return replace(made, **changes)


def chosen(*looks: list[Finding]) -> list[Candidate]:
    return select_candidates(looks, SESSION, FAILED, tiers)


def test_each_finding_is_in_the_tier_that_its_probability_reaches_whatever_became_of_the_session() -> None:
    found = chosen(
        [finding(1, 0.1), finding(2, 0.3), finding(3, 0.69), finding(4, 0.71), finding(5, 0.9, taint=("web",))]
    )
    assert [(each.title, each.confidence, each.score, each.parts) for each in found] == [
        ("title 5", "medium", 0.9, {"probability": 0.9}),
        ("title 4", "high", 0.71, {"probability": 0.71}),
        ("title 3", "medium", 0.69, {"probability": 0.69}),
        ("title 2", "waiting", 0.3, {"probability": 0.3}),
    ]


def test_a_candidate_has_all_that_is_said_of_its_finding() -> None:
    stated = {
        "symptom": "it broke",
        "cause": "a float",
        "remedy": "use Decimal",
        "proof": "`make` passed",
        "scope": "2 failures",
    }
    (found,) = chosen([finding(1, 0.62345678, **stated)])
    assert {name: getattr(found, name) for name in stated} == stated
    assert (found.probability, found.deciding) == (0.62345678, (("failed_twice", 2.0),))


def test_the_order_of_the_findings_changes_nothing() -> None:
    findings = [finding(number, number / 10) for number in range(1, 9)]
    assert chosen(findings) == chosen(findings[::-1])


def test_what_two_looks_found_in_one_place_is_one_and_what_one_look_found_there_was_chosen_already() -> None:
    here, again = finding(1, 0.5), finding(1, 0.6, anchor="other words")
    assert [each.probability for each in chosen([here], [again])] == [0.6]
    assert [each.probability for each in chosen([here, again])] == [0.6, 0.5]


def test_the_best_are_told_and_what_is_behind_them_waits_with_what_is_not_sure_enough() -> None:
    found = chosen([finding(number, 0.3 + number / 20) for number in range(1, 12)])
    for most in (1, 2, 5, 9):
        told, waiting = split_by_tier(found, most)
        assert [each.title for each in told] == [f"title {number}" for number in range(11, 11 - min(most, 5), -1)]
        assert {each.confidence for each in waiting} == {"waiting"}
        assert [each.title for each in waiting] == [each.title for each in found if each not in told][:MAX_WAITING]


def test_a_taste_moves_the_tier_and_the_rank_and_can_be_taken_back() -> None:
    (found,) = chosen([finding(1, 0.5)])
    groups = {"failed_twice": "failure"}
    others = [TasteDecision(0.5, (("failed_twice", -2.0),), is_accepted=False)] * 20
    fond = fit_taste([TasteDecision(0.5, found.deciding, is_accepted=True)] * 20 + others, groups)
    tired = fit_taste([TasteDecision(0.5, found.deciding, is_accepted=False)] * 20, groups)
    liked, passed = apply_taste(found, fond, tiers), apply_taste(found, tired, tiers)
    assert (liked and liked.confidence, passed) == ("high", None)
    assert liked is not None
    assert round(sum(liked.parts.values()), 4) == liked.score > found.score
    assert apply_taste(liked, NO_TASTE, tiers) == found
    tainted = apply_taste(replace(found, taint=("web",)), fond, tiers)
    assert tainted is not None
    assert tainted.confidence == "medium"
    older = replace(found, probability=0.0, deciding=())
    assert apply_taste(older, tired, tiers) == older


def staged(*lines: int) -> Candidate:
    return replace(
        chosen([finding(1)])[0],
        evidence=tuple(Evidence("problem", "symptom", "s", "c", line) for line in lines),
    )


def test_what_began_before_a_look_stays_and_the_end_of_it_is_no_other() -> None:
    before, within, after = staged(10, 20, 30), staged(90, 120), staged(110, 130)
    end_of_it = staged(101, 120)
    assert combine_candidates([before, within], [after], 100) == [before, within, after]
    assert combine_candidates([before, within], [end_of_it, after], 100) == [before, within, after]
    assert combine_candidates([before, staged(100, 120)], [after], 100) == [before, after]
    assert combine_candidates([before], [], 100) == [before]


def rule(number: int, probability: float = 0.5) -> Finding:
    said = (Evidence("decision", "context", "user: never mock it", "never mock it", number),)
    return Finding("user_rule", f"rule {number}", "why", f"rule {number}", said, probability=probability)


def test_the_surest_rule_of_the_user_is_told_beside_the_others_as_a_perhaps() -> None:
    found = chosen([finding(1, 0.9), finding(2, 0.8), finding(3, 0.7), rule(4, 0.3)], [rule(5, 0.1)])
    told, waiting = split_by_tier(found, 2)
    assert [(each.title, each.confidence) for each in told] == [
        ("title 1", "high"),
        ("title 2", "high"),
        ("rule 4", "medium"),
    ]
    assert [(each.title, each.confidence) for each in waiting] == [("title 3", "waiting")]


def test_of_two_parts_of_a_session_one_rule_is_told_and_the_other_waits() -> None:
    told, waiting = split_by_tier([*chosen([rule(1, 0.3)]), *chosen([rule(2, 0.6)])], 2)
    assert ([each.title for each in told], [each.title for each in waiting]) == (["rule 2"], ["rule 1"])


def test_what_was_decided_about_learnings_says_nothing_of_a_rule() -> None:
    one = chosen([rule(1, 0.3)])[0]
    assert (
        apply_taste(one, fit_taste([TasteDecision(0.9, (("failed_twice", 0.8),), is_accepted=False)] * 20, {}), tiers)
        == one
    )
