"""From observations to findings: proposed, measured, scored, chosen, and put into words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mind_skills.detectors.choice import choose
from mind_skills.detectors.composing.compose import compose
from mind_skills.detectors.facts import Facts
from mind_skills.detectors.features import measure
from mind_skills.detectors.model import Episode, Finding
from mind_skills.detectors.patterns.registry import KIND, propose
from mind_skills.detectors.scorer import Model, Scored, shipped
from mind_skills.detectors.timeline import Timeline, timeline
from mind_skills.detectors.vetoes import veto
from mind_skills.observations.model import Observation
from mind_skills.observations.sources import REMOTE

MOST = 5
"""Findings of one look: what a session may hand on at most."""
_FILES = 10


def detect(
    observations: Sequence[Observation],
    project: str = "",
    most: int = MOST,
    model: Model | None = None,
    *,
    rules: bool = False,
) -> list[Finding]:
    """The findings of one look, best first, at most ``most``, none below the tier ``waiting``.

    ``project`` is the session's folder; ``model`` the weights, those of the package where none are given. With ``rules`` the
    user's lasting rule that is surest stands behind them, beside that number (user_rules.py).
    """
    line = timeline(observations, project)
    model = model or shipped()
    least = model.tiers["waiting"]
    scored = [
        Scored(episode, chance)
        for episode, features in measured(line)
        if (chance := model.probability(features)) >= least
    ]
    facts = Facts(line)
    found = [
        _finding(facts, one, model)
        for one in choose(line.users, scored, most, lambda episode: bool(veto(line, episode)))
    ]
    if rules:
        from mind_skills.detectors import user_rules  # noqa: PLC0415 - its expressions are compiled for those alone who ask

        found += user_rules.find(observations)
    return found


def measured(line: Timeline) -> Iterator[tuple[Episode, dict[str, float]]]:
    """Every episode that is proposed, with its features, as `detect` sees them: what a fit learns from."""
    facts = Facts(line)
    for episode in propose(line):
        yield episode, measure(facts, episode)


def _finding(facts: Facts, one: Scored, model: Model) -> Finding:
    line, episode = facts.line, one.episode
    features = measure(facts, episode)
    a, b = episode.first, episode.last
    composed = compose(line, episode)
    changes = line.within(line.changes, a, b + 1)
    names = dict.fromkeys(name for index in changes for name in line.observations[index].files)
    return Finding(
        kind=KIND[episode.patterns[0]],
        title=composed.title,
        reason=", ".join(pattern.replace("_", " ") for pattern in episode.patterns),
        anchor=anchor(line, episode),
        evidence=composed.evidence,
        files=tuple(names)[:_FILES],
        probability=round(one.probability, 4),
        symptom=composed.symptom,
        cause=composed.cause,
        remedy=composed.remedy,
        proof=composed.proof,
        scope=composed.scope,
        deciding=model.deciding(features),
        taint=tuple(sorted({each.source for each in line.observations[a : b + 1] if each.source in REMOTE})),
    )


def anchor(line: Timeline, episode: Episode) -> str:
    """What makes two findings the same one: the error, and what was done about it, neither with places or numbers.

    The error is the one of the episode that came up most often, of several the first; what was done is the names of the
    files that the last change touched, else the command at the end. Empty where there is neither.
    """
    a, b = episode.first, episode.last
    seen: dict[str, int] = {}
    for index in line.within(line.failures, a, b + 1):
        signature = line.observations[index].error_signature
        seen[signature] = seen.get(signature, 0) + bool(signature)
    error = max(seen, key=lambda signature: seen[signature], default="")
    change = line.before(line.changes, b + 1)
    if change is not None and change >= a and line.observations[change].files:
        remedy = " ".join(
            sorted({name.replace("\\", "/").rpartition("/")[2] for name in line.observations[change].files})
        )
    else:
        remedy = line.observations[b].signature
    return f"{error} -> {remedy}" if error else ""
