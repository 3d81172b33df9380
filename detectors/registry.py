"""Detection: from observations to findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mind_skills.detectors.composing.compose import compose
from mind_skills.detectors.facts import Facts
from mind_skills.detectors.features import measure_features
from mind_skills.detectors.model import Episode, Finding
from mind_skills.detectors.patterns.registry import KIND_BY_PATTERN, propose_episodes
from mind_skills.detectors.scorer import Model, Scored, load_shipped_model
from mind_skills.detectors.selection import select_episodes
from mind_skills.detectors.timeline import Timeline, build_timeline
from mind_skills.detectors.vetoes import find_veto
from mind_skills.observations.model import Observation
from mind_skills.observations.sources import UNTRUSTED_SOURCES

MAX_FINDINGS = 5
"""Maximum number of findings per window, not counting a rule of the user."""
_MAX_FILES = 10


def detect(
    observations: Sequence[Observation],
    project: str = "",
    model: Model | None = None,
    *,
    rules: bool = False,
) -> list[Finding]:
    """Return the findings of one window, best first, at most ``MAX_FINDINGS``, none below the tier ``waiting``.

    ``project`` is the session's folder. ``model`` defaults to the shipped weights. With ``rules``, the user's most probable
    lasting rule is appended if it reaches the tier ``medium`` (user_rules.py).
    """
    timeline = build_timeline(observations, project)
    model = model or load_shipped_model()
    threshold = model.tiers["waiting"]
    scored = [
        Scored(episode, probability)
        for episode, features in measure_episodes(timeline)
        if (probability := model.compute_probability(features)) >= threshold
    ]
    facts = Facts(timeline)
    findings = [
        build_finding(facts, scored_episode, model)
        for scored_episode in select_episodes(
            timeline.user_messages, scored, MAX_FINDINGS, lambda episode: bool(find_veto(timeline, episode))
        )
    ]
    if rules:
        from mind_skills.detectors import user_rules  # noqa: PLC0415 - loaded only if needed

        findings += user_rules.find_rule(observations)
    return findings


def measure_episodes(timeline: Timeline) -> Iterator[tuple[Episode, dict[str, float]]]:
    """Yield every proposed episode with its features. Detection and fits both use it."""
    facts = Facts(timeline)
    for episode in propose_episodes(timeline):
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
        anchor=build_anchor(timeline, episode, composed.failure),
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
    if change is not None and change >= episode.first and timeline.observations[change].files:
        remedy = " ".join(
            sorted({name.replace("\\", "/").rpartition("/")[2] for name in timeline.observations[change].files})
        )
    else:
        remedy = timeline.observations[episode.last].signature
    return f"{error} -> {remedy}" if error else ""
