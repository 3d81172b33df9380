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
    """Tiers as a file of weights might define them."""
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


def select_from(*windows: list[Finding]) -> list[Candidate]:
    return select_candidates(windows, SESSION, FAILED, tiers)


def test_a_finding_gets_the_tier_of_its_probability_and_at_most_medium_if_it_is_tainted() -> None:
    found = select_from(
        [finding(1, 0.1), finding(2, 0.3), finding(3, 0.69), finding(4, 0.71), finding(5, 0.9, taint=("web",))]
    )
    assert [(each.title, each.confidence, each.score, each.parts) for each in found] == [
        ("title 5", "medium", 0.9, {"probability": 0.9}),
        ("title 4", "high", 0.71, {"probability": 0.71}),
        ("title 3", "medium", 0.69, {"probability": 0.69}),
        ("title 2", "waiting", 0.3, {"probability": 0.3}),
    ]


def test_a_candidate_has_the_texts_the_probability_and_the_deciding_features_of_its_finding() -> None:
    stated = {
        "symptom": "it broke",
        "cause": "a float",
        "remedy": "use Decimal",
        "proof": "`make` passed",
        "scope": "2 failures",
    }
    (found,) = select_from([finding(1, 0.62345678, **stated)])
    assert {name: getattr(found, name) for name in stated} == stated
    assert (found.probability, found.deciding) == (0.62345678, (("failed_twice", 2.0),))


def test_the_order_of_the_findings_changes_nothing() -> None:
    findings = [finding(number, number / 10) for number in range(1, 9)]
    assert select_from(findings) == select_from(findings[::-1])


def test_findings_in_one_place_are_one_candidate_if_two_windows_found_them() -> None:
    here, again = finding(1, 0.5), finding(1, 0.6, anchor="other words")
    assert [each.probability for each in select_from([here], [again])] == [0.6]
    assert [each.probability for each in select_from([here, again])] == [0.6, 0.5]


def test_the_best_candidates_are_offered_and_the_others_wait() -> None:
    found = select_from([finding(number, 0.3 + number / 20) for number in range(1, 12)])
    for most in (1, 2, 5, 9):
        told, waiting = split_by_tier(found, most)
        assert [each.title for each in told] == [f"title {number}" for number in range(11, 11 - min(most, 5), -1)]
        assert {each.confidence for each in waiting} == {"waiting"}
        assert [each.title for each in waiting] == [each.title for each in found if each not in told][:MAX_WAITING]


def test_a_taste_shifts_tier_and_rank_and_applying_no_taste_restores_them() -> None:
    (found,) = select_from([finding(1, 0.5)])
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
        select_from([finding(1)])[0],
        evidence=tuple(Evidence("problem", "symptom", "s", "c", line) for line in lines),
    )


def test_candidates_that_began_before_the_resumed_line_stay_and_are_not_found_twice() -> None:
    before, within, after = staged(10, 20, 30), staged(90, 120), staged(110, 130)
    end_of_it = staged(101, 120)
    assert combine_candidates([before, within], [after], 100) == [before, within, after]
    assert combine_candidates([before, within], [end_of_it, after], 100) == [before, within, after]
    assert combine_candidates([before, staged(100, 120)], [after], 100) == [before, after]
    assert combine_candidates([before], [], 100) == [before]


def rule(number: int, probability: float = 0.5) -> Finding:
    said = (Evidence("decision", "context", "user: never mock it", "never mock it", number),)
    return Finding("user_rule", f"rule {number}", "why", f"rule {number}", said, probability=probability)


def test_the_most_probable_rule_of_the_user_is_offered_in_addition_as_medium() -> None:
    found = select_from([finding(1, 0.9), finding(2, 0.8), finding(3, 0.7), rule(4, 0.3)], [rule(5, 0.1)])
    told, waiting = split_by_tier(found, 2)
    assert [(each.title, each.confidence) for each in told] == [
        ("title 1", "high"),
        ("title 2", "high"),
        ("rule 4", "medium"),
    ]
    assert [(each.title, each.confidence) for each in waiting] == [("title 3", "waiting")]


def test_only_the_more_probable_of_two_rules_of_a_session_is_offered() -> None:
    told, waiting = split_by_tier([*select_from([rule(1, 0.3)]), *select_from([rule(2, 0.6)])], 2)
    assert ([each.title for each in told], [each.title for each in waiting]) == (["rule 2"], ["rule 1"])


def test_decisions_on_learnings_do_not_shift_a_rule() -> None:
    one = select_from([rule(1, 0.3)])[0]
    assert (
        apply_taste(one, fit_taste([TasteDecision(0.9, (("failed_twice", 0.8),), is_accepted=False)] * 20, {}), tiers)
        == one
    )
