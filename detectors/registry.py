"""Detection: from observations to findings. A test compares the table of patterns with the folder patterns/."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from mind_skills.detectors.composing.compose import compose
from mind_skills.detectors.features import Facts, measure_features
from mind_skills.detectors.model import Episode, Finding, FindingKind
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
from mind_skills.detectors.scorer import Model, Scored, load_shipped_model
from mind_skills.detectors.timeline import MAX_SPAN, Span, Timeline, build_timeline
from mind_skills.detectors.vetoes import find_veto
from mind_skills.observations.model import Observation
from mind_skills.observations.sources import UNTRUSTED_SOURCES


class Pattern(NamedTuple):
    """A pattern, and the kind of learning that it finds. ``propose_spans`` may yield spans in any order and more than once."""

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
MAX_FINDINGS = 5
"""Maximum number of findings per window, not counting a rule of the user."""
MIN_DISTANCE = 10
"""Minimum difference between the last index of one episode and the first of the next, which begins in a later turn.

A second candidate for the same learning is worth nothing, and two candidates in one turn are mostly about the same learning."""
_MAX_FILES = 10


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


def detect(
    observations: Sequence[Observation], project: str = "", model: Model | None = None, *, rules: bool = False
) -> list[Finding]:
    """Return the findings of one window, best first, at most ``MAX_FINDINGS``, none below the tier ``waiting``.

    ``project`` is the session's folder. ``model`` defaults to the shipped weights. With ``rules``, the user's most probable
    lasting rule is appended if it reaches the tier ``medium`` (user_rules.py).
    """
    facts = Facts(build_timeline(observations, project))
    model = model or load_shipped_model()
    threshold = model.tiers["waiting"]
    scored = [
        Scored(episode, probability)
        for episode, features in measure_episodes(facts)
        if (probability := model.compute_probability(features)) >= threshold
    ]
    selected = select_episodes(
        facts.timeline.user_messages, scored, MAX_FINDINGS, lambda episode: bool(find_veto(facts.timeline, episode))
    )
    findings = [build_finding(facts, each, model) for each in selected]
    if rules:
        from mind_skills.detectors import user_rules  # noqa: PLC0415 - loaded only if needed

        findings += user_rules.find_rule(observations)
    return findings


def measure_episodes(facts: Facts) -> Iterator[tuple[Episode, dict[str, float]]]:
    """Yield every proposed episode with its features. Detection and fits both use it."""
    for episode in propose_episodes(facts.timeline):
        yield episode, measure_features(facts, episode)


def build_finding(facts: Facts, scored: Scored, model: Model) -> Finding:
    """Return the finding of a selected episode, with the features that were decisive according to ``model``."""
    timeline, episode = facts.timeline, scored.episode
    features = measure_features(facts, episode)
    first, last = episode.first, episode.last
    composed = compose(timeline, episode)
    changes = timeline.select(timeline.changes, first, last + 1)
    names = dict.fromkeys(name for index in changes for name in timeline.observations[index].files)
    return Finding(
        kind=KIND_BY_PATTERN[episode.patterns[0]],
        title=composed.title,
        reason=", ".join(pattern.replace("_", " ") for pattern in episode.patterns),
        anchor=build_anchor(timeline, episode, composed.failure_index),
        evidence=composed.evidence,
        files=tuple(names)[:_MAX_FILES],
        probability=round(scored.probability, 4),
        symptom=composed.symptom,
        cause=composed.cause,
        remedy=composed.remedy,
        proof=composed.proof,
        scope=composed.scope,
        deciding=model.list_deciding_features(features),
        taint=tuple(sorted({item.source for item in timeline.observations[first : last + 1]} & UNTRUSTED_SOURCES)),
    )


def build_anchor(timeline: Timeline, episode: Episode, failure: int | None) -> str:
    """Return the text that identifies a finding: an error signature and a remedy; empty if there is no error signature.

    The error signature comes from the call at index ``failure``. The remedy is the base names of the files in the episode's
    last change or, if there is none, the signature of the last observation.
    """
    error = timeline.observations[failure].error_signature if failure is not None else ""
    change = timeline.find_before(timeline.changes, episode.last + 1)
    files = timeline.observations[change].files if change is not None and change >= episode.first else ()
    if files:
        remedy = " ".join(sorted({name.replace("\\", "/").rpartition("/")[2] for name in files}))
    else:
        remedy = timeline.observations[episode.last].signature
    return f"{error} -> {remedy}" if error else ""


def select_episodes(
    user_messages: Sequence[int], scored: Sequence[Scored], limit: int, is_vetoed: Callable[[Episode], bool]
) -> list[Scored]:
    """Return at most ``limit`` episodes, highest probability first. Ties go to the shorter one, then to the earlier one.

    ``user_messages`` are the indexes of the user's messages, ascending. ``is_vetoed`` is only called for episodes that
    would otherwise be selected.
    """

    def rank_candidate(candidate: Scored) -> tuple[float, int, int]:
        first, last = candidate.episode.first, candidate.episode.last
        return -candidate.probability, last - first, first

    chosen: list[Scored] = []
    for candidate in sorted(scored, key=rank_candidate):
        if len(chosen) == limit:
            break
        episode = candidate.episode
        if all(are_apart(user_messages, episode, other.episode) for other in chosen) and not is_vetoed(episode):
            chosen.append(candidate)
    return chosen


def are_apart(user_messages: Sequence[int], episode: Episode, other: Episode) -> bool:
    """Return whether one episode begins in a later turn and at least ``MIN_DISTANCE`` indexes after the other's end."""
    first, second = (episode, other) if episode.first <= other.first else (other, episode)
    has_message = bisect_right(user_messages, second.first) > bisect_right(user_messages, first.last)
    return second.first - first.last >= MIN_DISTANCE and has_message
