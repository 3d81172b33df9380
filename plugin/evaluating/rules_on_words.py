"""Rules about what the user and the agent say."""

from __future__ import annotations

from typing import Any

from mind_skills.detectors import (
    complaints,
    deep_investigation,
    evidence,
    explanations,
    non_obvious,
    problem_solution,
    signals,
    thresholds,
    words,
)
from mind_skills.detectors.timeline import Timeline
from mind_skills.plugin.evaluating.rule import always, matches_anything, matches_nothing, off, value


def _own_words(before: Any) -> Any:
    """Where nobody named a cause, the report stands for it."""

    def cause(line: Timeline, report: int, end: int, check: int | None) -> tuple[int, str]:
        found: tuple[int, str] | None = before(line, report, end, check)
        return found or (report, line.said[report])

    return cause


def _first_word(_: Any) -> Any:
    def first(concluded: list[int], check: int) -> int:
        return concluded[0]

    return first


def _all_of_them(_: Any) -> Any:
    def causes(line: Timeline, found: list[int], check: int | None) -> list[int]:
        return found

    return causes


WORDS = (
    off(
        "a cause is named",
        "a problem whose cause nobody named is none",
        "the report stands for its cause",
        "detectors/test_problem_solution.py::test_a_problem_whose_cause_nobody_named_is_silent",
        (problem_solution, "_cause"),
        by=_own_words,
    ),
    off(
        "explanations",
        "how things are counts as a cause in any words, where a change follows from it",
        "only words that mark a cause count",
        "detectors/test_false_friends.py::test_of_each_pair_one_fires_and_the_other_is_silent[narrative-fires-codex]",
        (explanations, "explanation"),
        by=always(""),
    ),
    off(
        "refuted",
        "a cause that was acted on in vain is none, if another came up",
        "it stays one",
        "detectors/test_false_friends.py::test_of_each_pair_one_fires_and_the_other_is_silent[reversed_conclusion-fires-codex]",
        (problem_solution, "not_refuted"),
        by=_all_of_them,
    ),
    off(
        "shown by a script",
        "a script that showed the problem before the change and not after it stands for words",
        "somebody must have said why",
        "detectors/test_problem_solution.py::test_a_script_that_shows_the_problem_before_the_change_and_not_after_it_needs_no_words",
        (problem_solution, "turned"),
        by=always(False),
    ),
    off(
        "telling sentences",
        'a cause must say something ("I see the issue." does not)',
        "any sentence counts",
        "detectors/test_narrow_rules.py::test_an_agent_that_says_no_more_than_that_it_found_it_names_no_cause",
        (evidence, "telling"),
        by=always(True),
    ),
    off(
        "fillers in titles",
        "the title is the sentence that says most",
        "the title is the first sentence",
        "detectors/test_deep_investigation.py::test_a_long_search_that_ends_in_a_verified_root_cause_is_found",
        (words, "FILLER"),
        (words, "LEAD"),
        by=matches_nothing,
    ),
    off(
        "requests",
        "a message that asks for something is no report of a problem",
        "it may be",
        "detectors/test_narrow_rules.py::test_a_request_that_names_what_is_missing_is_no_report",
        (words, "REQUEST"),
        (complaints, "_IMPERATIVE"),
        by=matches_nothing,
    ),
    off(
        "complaints",
        "a complaint is a report in any words",
        "only words that mark one count",
        "detectors/test_false_friends.py::test_of_each_pair_one_fires_and_the_other_is_silent[addition_described-fires-codex]",
        (complaints, "complains"),
        by=always(False),
    ),
    off(
        "questions",
        "a question is no report",
        "it may be",
        "detectors/test_false_friends.py::test_of_each_pair_one_fires_and_the_other_is_silent[question_or_feature-silent-codex]",
        (complaints, "asks_how"),
        by=always(False),
    ),
    off(
        "hypotheses",
        "a guess of the user at the cause is none",
        "it is",
        "detectors/test_problem_solution.py::test_a_plan_that_calls_its_cause_a_hypothesis_is_silent",
        (signals, "guesses"),
        by=always(False),
    ),
    off(
        "limitations",
        "what a tool cannot do is a surprise where it showed nothing",
        "only words that mark a setback count",
        "detectors/test_false_friends.py::test_of_each_pair_one_fires_and_the_other_is_silent[guessed_flag-fires-codex]",
        (explanations, "limitation"),
        by=always(""),
    ),
    off(
        "plan headings",
        "of plans, those count whose heading is a fix",
        "all plans that give a cause",
        "detectors/test_problem_solution.py::test_a_plan_for_a_feature_is_silent",
        (words, "FIX_HEADING"),
        by=matches_anything,
    ),
    off(
        "batches",
        "a heading over many small fixes is no report",
        "it is",
        "detectors/test_problem_solution.py::test_a_batch_of_review_comments_under_one_heading_is_silent",
        (words, "BATCH"),
        by=matches_nothing,
    ),
    off(
        "conditions",
        '"if it does not match" is no surprise',
        "it is",
        "detectors/test_non_obvious.py::test_a_condition_is_no_surprise",
        (words, "CONDITIONAL"),
        by=matches_nothing,
    ),
    off(
        "narration",
        "long texts are reviews, which list faults and surprise nobody",
        "texts of any length",
        "detectors/test_narrow_rules.py::test_a_long_text_between_two_commands_is_no_surprise",
        (thresholds, "NARRATION"),
        by=value(10**9),
    ),
    off(
        "another way is said",
        "after a surprise the agent says that it does it another way",
        "the surprise is enough",
        "detectors/test_narrow_rules.py::test_a_surprise_without_a_turn_is_no_way_that_works_instead",
        (signals, "turns"),
        by=always(True),
    ),
    off(
        "another form",
        "the other way has a flag, a verb or a form that the first did not have",
        "any other command of the program",
        "detectors/test_narrow_rules.py::test_the_same_form_with_other_data_is_no_other_way",
        (non_obvious, "_differs"),
        by=always(True),
    ),
    off(
        "conclusions",
        "a search ends with the words of a conclusion",
        "with any insight",
        "detectors/test_narrow_rules.py::test_an_insight_on_the_way_is_not_the_end_of_a_search",
        (signals, "concludes"),
        by=always(True),
    ),
    off(
        "the last word",
        "of several conclusions the last one before the check counts",
        "the first one counts",
        "detectors/test_deep_investigation.py::test_of_two_conclusions_the_last_one_counts",
        (deep_investigation, "_last_word"),
        by=_first_word,
    ),
    off(
        "a long search",
        f"{thresholds.LOOKS} looks and {thresholds.VISITS} visits to one file",
        "one look, one visit",
        "detectors/test_deep_investigation.py::test_a_few_looks_are_reading_before_writing",
        (thresholds, "LOOKS"),
        (thresholds, "VISITS"),
        by=value(1),
    ),
)
