"""Rules about what the user and the agent say, about where an episode ends, and about what is kept."""

from __future__ import annotations

from typing import Any

from mind_skills.detectors import (
    complaints,
    deep_investigation,
    evidence,
    explanations,
    non_obvious,
    problem_solution,
    registry,
    signals,
    thresholds,
    words,
)
from mind_skills.detectors.timeline import Timeline
from mind_skills.plugin.evaluating.rule import Rule, always, matches_anything, matches_nothing, off, value
from mind_skills.staging import select


def _own_words(before: Any) -> Any:
    """Where nobody named a cause, the report stands for it."""

    def cause(line: Timeline, report: int, end: int, check: int | None) -> tuple[int, str]:
        found: tuple[int, str] | None = before(line, report, end, check)
        return found or (report, line.said[report])

    return cause


def _to_the_end(_: Any) -> Any:
    def scope_end(line: Timeline, index: int) -> int:
        return len(line.observations)

    return scope_end


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

KEPT = (
    off(
        "scope by task",
        "what begins with one request ends with the next",
        "it ends with the session",
        "detectors/test_problem_solution.py::test_what_came_before_the_next_task_does_not_borrow_its_check",
        (Timeline, "scope_end"),
        by=_to_the_end,
    ),
    off(
        "near or specific",
        "a report far from its change must be specific",
        "any report is part of the evidence",
        "detectors/test_narrow_rules.py::test_a_short_complaint_is_no_symptom_of_what_was_changed_long_after",
        (problem_solution, "_belongs"),
        by=always(True),
    ),
    off(
        "one episode",
        "two findings about one episode are one candidate",
        "they are two",
        "staging/test_select.py::test_two_findings_about_one_episode_are_one_candidate",
        (select, "_same_episode"),
        by=always(False),
    ),
    off(
        "outcome gate",
        "a session that failed keeps only what a check verified",
        "it keeps all",
        "staging/test_select.py::test_a_session_that_failed_keeps_only_what_a_check_verified",
        (select, "_outlives"),
        by=always(True),
    ),
)


_ASKED = "detectors/test_narrow_rules.py::test_every_detector_is_asked"


def _without(kind: str) -> Rule:
    def fewer(before: Any) -> Any:
        return tuple(entry for entry in before if entry[0] != kind)

    return off(
        f"detector {kind}",
        "it looks at every session",
        "it does not",
        _ASKED,
        (registry, "DETECTORS"),
        by=fewer,
    )


DETECTORS = tuple(_without(kind) for kind, _ in registry.DETECTORS)
