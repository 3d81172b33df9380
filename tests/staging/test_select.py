from dataclasses import replace

from mind_skills.detectors.model import Evidence, Finding
from mind_skills.learning.outcome import Outcome
from mind_skills.observations.model import Session
from mind_skills.staging.select import beside, parts_of, select

WORKED = Outcome("helpful", 0.9, True, 60_000, 1, 0, "succeeded")
FAILED = Outcome("harmful", 0.2, False, 60_000, 3, 2, "failed")
SESSION = Session(session_id="s1", host="claude-code", ended=1_700_000_000_000)


def finding(number, **changes):
    lines = (number * 100, number * 100 + 50)
    made = Finding(
        "error_fix",
        f"title {number}",
        "why",
        f"anchor {number}",
        tuple(Evidence("problem", "symptom", f"s{line}", "c", line) for line in lines),
        verified=True,
        steps=number,
    )
    return replace(made, **changes)


def test_at_most_five_candidates_and_the_best_of_them():
    chosen = select([finding(number) for number in range(1, 9)], SESSION, WORKED)
    assert [candidate.title for candidate in chosen] == [f"title {number}" for number in (8, 7, 6, 5, 4)]


def test_the_order_of_the_findings_changes_nothing():
    findings = [finding(number) for number in range(1, 9)]
    assert select(findings, SESSION, WORKED) == select(findings[::-1], SESSION, WORKED)


def test_two_findings_about_one_episode_are_one_candidate():
    one = finding(1, insight=True)
    other = finding(1, kind="problem_solution", anchor="other words")
    assert [candidate.kind for candidate in select([other, one], SESSION, WORKED)] == ["error_fix"]


def test_a_session_that_failed_keeps_only_what_a_check_verified():
    findings = [finding(1), finding(2, verified=False, insight=True)]
    assert [candidate.title for candidate in select(findings, SESSION, FAILED)] == ["title 1"]


def test_confidence_is_high_when_verified_and_named_and_nothing_foreign_is_in_it():
    findings = [
        finding(1, insight=True),
        finding(2),
        finding(3, insight=True, taint=("web",)),
        finding(4, verified=False, insight=True),
    ]
    chosen = select(findings, SESSION, WORKED)
    assert {candidate.title: candidate.confidence for candidate in chosen} == {
        "title 1": "high",
        "title 2": "medium",
        "title 3": "medium",
        "title 4": "medium",
    }


def test_the_parts_of_a_score_are_named_and_sum_up_to_it():
    (candidate,) = select([finding(30, insight=True, user_signal=True)], SESSION, WORKED)
    assert candidate.parts == {"kind": 1.0, "verified": 1.0, "insight": 0.8, "user": 0.4, "cost": 0.3, "taint": 0.0}
    assert candidate.score == round(sum(parts_of(finding(30, insight=True, user_signal=True)).values()), 3)


def staged(*lines):
    return replace(
        select([finding(1)], SESSION, WORKED)[0],
        evidence=tuple(Evidence("problem", "symptom", "s", "c", line) for line in lines),
    )


def test_what_began_before_a_look_stays_and_the_end_of_it_is_no_other():
    before, within, after = staged(10, 20, 30), staged(90, 120), staged(110, 130)
    end_of_it = staged(101, 120)
    assert beside([before, within], [after], 100) == [before, within, after]
    assert beside([before, within], [end_of_it, after], 100) == [before, within, after]
    assert beside([before, staged(100, 120)], [after], 100) == [before, after]
    assert beside([before], [], 100) == [before]
