"""All patterns, each with its name and the kind of learning that it finds. A test compares the table with the folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from mind_skills.detectors.model import Episode, FindingKind
from mind_skills.detectors.patterns import (
    change_redone,
    changed_output,
    empty_answer,
    failure_changed,
    failure_passed_over,
    investigation,
    looked_up,
    other_way,
    recurring_error,
    red_to_green,
    tool_retried,
    user_turn,
)
from mind_skills.detectors.patterns.spans import MAX_SPAN, Span
from mind_skills.detectors.timeline import Timeline


class Pattern(NamedTuple):
    """A pattern. ``propose_spans`` yields spans of one timeline, in any order and possibly more than once."""

    name: str
    kind: FindingKind
    propose_spans: Callable[[Timeline], Iterator[Span]]


PATTERNS: tuple[Pattern, ...] = (
    Pattern("red_to_green", "error_fix", red_to_green.propose_spans),
    Pattern("recurring_error", "error_fix", recurring_error.propose_spans),
    Pattern("other_way", "non_obvious", other_way.propose_spans),
    Pattern("empty_answer", "non_obvious", empty_answer.propose_spans),
    Pattern("change_redone", "non_obvious", change_redone.propose_spans),
    Pattern("failure_changed", "error_fix", failure_changed.propose_spans),
    Pattern("changed_output", "problem_solution", changed_output.propose_spans),
    Pattern("looked_up", "deep_investigation", looked_up.propose_spans),
    Pattern("investigation", "deep_investigation", investigation.propose_spans),
    Pattern("user_turn", "problem_solution", user_turn.propose_spans),
    Pattern("tool_retried", "non_obvious", tool_retried.propose_spans),
    Pattern("failure_passed_over", "error_fix", failure_passed_over.propose_spans),
)
"""Ordered from specific to general: the first pattern of an episode determines its kind."""
KIND_BY_PATTERN: dict[str, FindingKind] = {pattern.name: pattern.kind for pattern in PATTERNS}


def propose_episodes(timeline: Timeline) -> list[Episode]:
    """Return the proposed episodes, each span once with all its patterns, ordered by first and last index."""
    names_by_span: dict[Span, list[str]] = {}
    for pattern in PATTERNS:
        for first, last in pattern.propose_spans(timeline):
            if first < last <= first + MAX_SPAN:
                names = names_by_span.setdefault((first, last), [])
                if pattern.name not in names:
                    names.append(pattern.name)
    return [Episode(first, last, tuple(names)) for (first, last), names in sorted(names_by_span.items())]
