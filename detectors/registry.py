"""Detection: from a timeline to its best episodes. A test compares the table of patterns with patterns.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from mind_skills.detectors import patterns
from mind_skills.detectors.features import Facts, measure_features
from mind_skills.detectors.model import Episode, EpisodeKind
from mind_skills.detectors.scorer import Model, Scored, load_shipped_model
from mind_skills.detectors.timeline import MAX_SPAN, Span, Timeline
from mind_skills.store.light_dataclasses import replace


class Pattern(NamedTuple):
    """A pattern, and the kind of learning that it finds. ``propose_spans`` may yield spans in any order and more than once."""

    name: str
    kind: EpisodeKind
    propose_spans: Callable[[Timeline], Iterator[Span]]


PATTERNS: tuple[Pattern, ...] = (
    Pattern("red_to_green", "error_fix", patterns.propose_red_to_green),
    Pattern("recurring_error", "error_fix", patterns.propose_recurring_error),
    Pattern("other_way", "non_obvious", patterns.propose_other_way),
    Pattern("empty_answer", "non_obvious", patterns.propose_empty_answer),
    Pattern("change_redone", "non_obvious", patterns.propose_change_redone),
    Pattern("failure_changed", "error_fix", patterns.propose_failure_changed),
    Pattern("changed_output", "problem_solution", patterns.propose_changed_output),
    Pattern("looked_up", "deep_investigation", patterns.propose_looked_up),
    Pattern("investigation", "deep_investigation", patterns.propose_investigation),
    Pattern("user_turn", "problem_solution", patterns.propose_user_turn),
    Pattern("tool_retried", "non_obvious", patterns.propose_tool_retried),
    Pattern("failure_passed_over", "error_fix", patterns.propose_failure_passed_over),
)
"""Ordered from specific to general: the first pattern of an episode determines its kind."""
KIND_BY_PATTERN: dict[str, EpisodeKind] = {pattern.name: pattern.kind for pattern in PATTERNS}
MAX_OVERLAP = 0.5
MAX_GAP = 4
"""Episodes with fewer observations than this between them are merged: they are mostly parts of one story. Chosen, as ``MAX_OVERLAP``,
on the labelled sessions; from 3 to 8, what a digest shows hardly changes (docs/detection.md)."""


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


def score_episodes(facts: Facts, model: Model | None = None) -> list[Scored]:
    """Return all proposed episodes with their probabilities. ``model`` defaults to the shipped weights."""
    model = model or load_shipped_model()
    return [Scored(episode, model.compute_probability(values)) for episode, values in measure_episodes(facts)]


def measure_episodes(facts: Facts) -> Iterator[tuple[Episode, dict[str, float]]]:
    """Yield every proposed episode with its features. Detection and fits both use it."""
    for episode in propose_episodes(facts.timeline):
        yield episode, measure_features(facts, episode)


def select_episodes(scored: Sequence[Scored], is_vetoed: Callable[[Episode], bool], limit: int) -> list[Scored]:
    """Return at most ``limit`` episodes, highest probability first. Ties go to the shorter one, then to the earlier one.

    An episode that overlaps a better one by more than ``MAX_OVERLAP`` of the shorter of the two is dropped; one that is near a better
    one is merged with it, if together they are no longer than an episode can be. ``is_vetoed`` is called only for the others.
    """

    def rank(each: Scored) -> tuple[float, int, int]:
        return -each.probability, each.episode.last - each.episode.first, each.episode.first

    chosen: list[Scored] = []
    for candidate in sorted(scored, key=rank):
        episode = candidate.episode
        if any(_share(episode, other) > MAX_OVERLAP for other, _ in chosen):
            continue
        near = next((index for index in reversed(range(len(chosen))) if _is_near(episode, chosen[index].episode)), None)
        if (near is None and len(chosen) >= limit) or is_vetoed(episode):
            continue
        if near is None:
            chosen.append(candidate)
        else:
            chosen[near] = _join(chosen[near], episode)
    return chosen


def _share(one: Episode, other: Episode) -> float:
    """Return the share of the shorter of two episodes that is part of both; 0 if they do not overlap."""
    shared = min(one.last, other.last) - max(one.first, other.first) + 1
    return max(0, shared) / (min(one.last - one.first, other.last - other.first) + 1)


def _is_near(one: Episode, other: Episode) -> bool:
    first, last = min(one.first, other.first), max(one.last, other.last)
    return max(one.first, other.first) - min(one.last, other.last) <= MAX_GAP and last - first <= MAX_SPAN


def _join(scored: Scored, episode: Episode) -> Scored:
    """Return the episode with its probability, extended to include the other ``episode``."""
    own = scored.episode
    return scored._replace(episode=replace(own, first=min(own.first, episode.first), last=max(own.last, episode.last)))
