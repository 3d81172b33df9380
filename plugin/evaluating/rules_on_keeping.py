"""Rules about where an episode ends and what is kept of it; and each detector as a whole."""

from __future__ import annotations

from typing import Any

from mind_skills.detectors import problem_solution, registry
from mind_skills.detectors.timeline import Timeline
from mind_skills.plugin.evaluating.rule import Rule, always, off
from mind_skills.staging import select


def _to_the_end(_: Any) -> Any:
    def scope_end(line: Timeline, index: int) -> int:
        return len(line.observations)

    return scope_end


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
