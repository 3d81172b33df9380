"""The learning rules of the default profile, where they differ from or extend the original."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from mind_skills.learning import anti_patterns, criteria, errors, maturity, strategies, strikes
from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.learning.criteria import FeedbackEvent, convert_outcome_to_feedback
from mind_skills.learning.errors import ErrorEntry
from mind_skills.learning.maturity import DeprecatedPatternError, MaturityFeedback, MaturityState, PatternMaturity
from mind_skills.learning.scoring import OutcomeSignals, score_implicit_feedback
from mind_skills.learning.statistics import DAY_MS

NOW = 1_800_000_000_000


def votes(helpful: int, harmful: int = 0, age_days: float = 0.0) -> list[MaturityFeedback]:
    at = NOW - round(age_days * DAY_MS)
    return [MaturityFeedback("p", "helpful", at)] * helpful + [MaturityFeedback("p", "harmful", at)] * harmful


@pytest.mark.parametrize(
    ("feedback", "state"),
    [
        (votes(0), "candidate"),
        (votes(2), "candidate"),
        (votes(3), "established"),
        (votes(4), "established"),
        (votes(5), "proven"),
        (votes(5, 1), "established"),
        (votes(6, 1), "proven"),
        (votes(0, 2), "candidate"),
        (votes(2, 1), "deprecated"),
        (votes(7, 3), "established"),
        (votes(3, age_days=60), "established"),
        (votes(5, age_days=60), "established"),
        (votes(9, age_days=60), "proven"),
    ],
)
def test_the_maturity_state_follows_from_the_number_and_the_age_of_votes(
    feedback: list[MaturityFeedback], state: str
) -> None:
    assert maturity.compute_state(feedback, now=NOW) == state


def test_a_pattern_is_established_after_three_helpful_votes_and_proven_after_five() -> None:
    states = [maturity.compute_state(votes(number), now=NOW) for number in range(7)]
    assert states == [*["candidate"] * 3, *["established"] * 2, *["proven"] * 2]
    assert maturity.MULTIPLIERS == {"candidate": 0.5, "established": 1.0, "proven": 1.5, "deprecated": 0.0}


def test_patterns_are_listed_by_state_and_the_most_trusted_first() -> None:
    states: tuple[MaturityState, ...] = ("deprecated", "candidate", "proven")
    shown = maturity.format_patterns((state, PatternMaturity("p", state, 3, 1)) for state in states)
    found = re.findall(r"- (\w+) .*?(\d+% \w+|4 \w+)", shown)
    assert found == [("proven", "75% helpful"), ("candidate", "4 observations"), ("deprecated", "25% harmful")]


def test_neutral_votes_are_ignored() -> None:
    neutral = [MaturityFeedback("p", "neutral", NOW)] * 9
    assert maturity.update(PatternMaturity("p"), [*votes(3), *neutral], now=NOW) == replace(
        PatternMaturity("p"), state="established", helpful_count=3, last_validated=NOW
    )


def test_a_deprecated_pattern_stays_deprecated_until_it_is_reset() -> None:
    gone = maturity.update(PatternMaturity("p"), votes(0, 3), now=NOW)
    assert (gone.state, gone.deprecated_at) == ("deprecated", NOW)
    assert maturity.update(gone, votes(20, 3), now=NOW).state == "deprecated"
    with pytest.raises(DeprecatedPatternError, match="deprecated"):
        maturity.promote(gone, now=NOW)
    fresh = maturity.create("p", now=NOW)
    assert (fresh.state, maturity.update(fresh, votes(5), now=NOW).state) == ("candidate", "proven")


def test_a_pinned_pattern_keeps_its_state_until_it_is_unpinned() -> None:
    held = replace(maturity.promote(PatternMaturity("p"), now=NOW), pinned=True)
    assert maturity.update(held, votes(0, 9), now=NOW).state == "proven"
    assert maturity.update(replace(held, pinned=False), votes(0, 9), now=NOW).state == "deprecated"


def test_a_second_deprecation_by_hand_does_not_replace_the_first_reason() -> None:
    once = maturity.deprecate(PatternMaturity("p"), "it breaks the build", now=NOW)
    assert (once.state, once.reason, once.deprecated_at) == ("deprecated", "it breaks the build", NOW)
    assert maturity.deprecate(once, "another reason", now=NOW + 1) == once


def test_a_pattern_was_last_validated_at_the_time_of_its_last_helpful_vote() -> None:
    old = maturity.update(PatternMaturity("p"), votes(3, age_days=5), now=NOW)
    assert old.last_validated == NOW - 5 * DAY_MS
    assert maturity.update(old, [*votes(3, age_days=5), *votes(0, 1)], now=NOW).last_validated == NOW - 5 * DAY_MS


def test_a_criterion_with_two_events_is_neutral_and_a_failing_one_weighs_a_tenth() -> None:
    def weight(helpful: int, harmful: int) -> criteria.CriterionWeight:
        types = ["helpful"] * helpful + ["harmful"] * harmful
        events = [FeedbackEvent(str(n), "c", kind, NOW) for n, kind in enumerate(types)]  # type: ignore[arg-type]
        return criteria.compute_criterion_weight(events, now=NOW)

    assert [weight(*counts).weight for counts in ((0, 2), (1, 2), (0, 3), (7, 3))] == [1.0, 1 / 3, 0.1, 0.7]


def test_feedback_of_a_worse_failure_has_a_higher_value() -> None:
    def value(errors: int, retries: int) -> float:
        signals = OutcomeSignals("t", 3_600_000, errors, retries, False, NOW - 90 * DAY_MS)
        outcome = score_implicit_feedback(signals, now=NOW)
        return convert_outcome_to_feedback(signals, outcome, "c", event_id="e").raw_value

    assert (value(9, 9), value(1, 0)) == pytest.approx((0.86, 0.64))


def build_pattern(successes: int, failures: int) -> DecompositionPattern:
    return DecompositionPattern("p", "Split by file type", success_count=successes, failure_count=failures)


def test_a_pattern_that_keeps_failing_is_turned_into_a_warning_only_once() -> None:
    after, inversion = anti_patterns.record(build_pattern(1, 2), False, "task", now=NOW)
    assert inversion is not None
    assert inversion.inverted.content == "AVOID: Split by file type. Failed 3/4 times (75% failure rate)"
    assert (after.inverted_to, inversion.original, inversion.inverted.id) == ("anti-p", after, "anti-p")
    again, nothing = anti_patterns.record(after, False, now=NOW)
    assert (again.failure_count, nothing) == (4, None)
    assert anti_patterns.format_successful_patterns([replace(after, success_count=90)]) == ""


def test_a_pattern_is_recommended_from_two_observations_on() -> None:
    few, enough = (replace(build_pattern(count, 0), content=f"{count} times") for count in (1, 2))
    shown = anti_patterns.format_successful_patterns([build_pattern(0, 0), few, enough])
    assert shown.split("\n")[4:] == ["- 2 times (100% success rate)", ""]


@pytest.mark.parametrize(
    "text", ["AVOID: Split by hand", " avoid: Split by hand", "NEVER: Split by hand", "Split by hand."]
)
def test_a_warning_has_its_prefix_only_once(text: str) -> None:
    found = anti_patterns.invert(DecompositionPattern("p", text), "It failed", now=NOW)
    assert found.inverted.content == "AVOID: Split by hand. It failed"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We split by feature, one file per subtask", ["Split by feature", "One file per subtask"]),
        ("Do not split by file type", []),
        ("Don't split by feature; split by layer instead", ["Split by layer (UI/logic/data)"]),
        ("Instead of splitting by component we split by feature", ["Split by feature"]),
        ("Never parallelize everything, respect dependency order", ["Respect dependency chain"]),
        ("avoid it, and split by layer", ["Split by layer (UI/logic/data)"]),
        ("I unsplit by file type", []),
        ("not split by feature at first, later split by feature", ["Split by feature"]),
    ],
)
def test_a_strategy_is_found_unless_the_text_rejects_it(text: str, found: list[str]) -> None:
    assert strategies.extract_strategies(text) == found


@pytest.mark.parametrize(
    ("message", "mode"),
    [
        ("Request timed out after 30 s", "timeout"),
        ("CONFLICT (content): merge conflict in a.py", "conflict"),
        ("Unexpected token < in JSON", "validation"),
        ("maximum tokens reached: context window is full", "context_overflow"),
        ("No module named 'yaml'", "dependency_blocked"),
        ("Aborted by the user", "user_cancelled"),
        ("command not found: tsc", "tool_failure"),
        ("tokens are refreshed", "unknown"),
    ],
)
def test_a_failure_is_classified_by_the_words_of_its_message(message: str, mode: str) -> None:
    assert errors.classify_failure(message) == mode
    assert errors.classify_error(message) == (mode if mode in errors.ERROR_TYPES else "unknown")


def test_errors_are_listed_with_their_times_in_utc() -> None:
    entry = ErrorEntry("e", "t", "tool_failure", "tsc broke", 1_700_000_000_000, True, "at foo", "Bash", "while typing")
    assert errors.format_errors([entry]).split("\n")[4:12] == [
        "### tool_failure (1 error)",
        "",
        "- **tsc broke**",
        "  - Context: while typing",
        "  - Tool: Bash",
        "  - Stack: `at foo...`",
        "  - Time: 2023-11-14T22:13:20Z (resolved)",
        "",
    ]
    assert errors.format_errors([]) == ""


def test_a_task_is_struck_out_after_three_failures_and_the_text_lists_every_failure() -> None:
    record = strikes.StrikeRecord("task")
    assert (record.is_struck_out, strikes.format_strikes(record)) == (False, "")
    for number in range(4):
        record = strikes.add_strike(record, f"attempt {number}", "it failed", at=number)
    assert (record.strike_count, len(record.failures), record.first_strike_at, record.last_strike_at) == (3, 4, 0, 3)
    assert "4. attempt 3: it failed" in strikes.format_strikes(record)
