"""Condense a window of a session: choose its episodes, and the rows that tell most of them within a budget of characters.

Every observation of an episode, and those after it that may bear it out, has a value that follows from what it is. Rows are taken by value,
the value of a row counting less in a less probable episode and per character; so a long session with several likely episodes has a
longer digest. No text is read to decide what is taken, only to write it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from math import sqrt

from mind_skills.detectors.features import Facts, measure_features
from mind_skills.detectors.model import Episode
from mind_skills.detectors.registry import KIND_BY_PATTERN, score_episodes, select_episodes
from mind_skills.detectors.scorer import Model, Scored, load_shipped_model
from mind_skills.detectors.timeline import Timeline, build_timeline
from mind_skills.detectors.vetoes import NOT_WORK, find_veto
from mind_skills.digest.facts import MAX_COMMIT_DISTANCE, collect_facts, find_proof, list_named_changes
from mind_skills.digest.model import MAX_EPISODES, EpisodeDigest, Role, Row
from mind_skills.digest.rows import get_base_name, is_dull, render_row
from mind_skills.digest.solved import list_solved
from mind_skills.observations.error_names import name_error
from mind_skills.observations.model import Observation
from mind_skills.observations.sources import find_taint

MIN_PROBABILITY = 0.035
"""A session without an episode of this probability has no digest. Of the labelled sessions of unseen owners, this keeps .97 of those
that hold a learning and .83 of the others (docs/detection.md)."""
BASE_BUDGET, EPISODE_BUDGET, MAX_BUDGET = 1_980, 2_380, 12_900
"""Characters of a window's rows: the base, what each episode adds, and the limit. An episode below ``FULL_PROBABILITY`` adds less."""
FULL_PROBABILITY = 0.3
TAIL = 20
"""Number of observations after an episode that are examined for what bears it out, within its turn."""
MAX_CLOSING_DISTANCE = 60
"""The next message of the user and the agent's last words on an episode are at most this many observations after it."""
_MAX_FILES, _MAX_ORIGIN = 10, 300

# The value of a row in a certain episode. Chosen on the labelled sessions; changing one by half changes little (docs/detection.md).
_REQUEST, _USER, _FAILURE, _SAME_FAILURE, _CHANGE, _END = 1.0, 0.9, 0.9, 0.4, 0.6, 0.9
_STATEMENT, _STRONG_CAUSE, _CAUSE, _RUN, _CHECK, _OTHER = 0.45, 0.4, 0.15, 0.35, 0.2, 0.15
_ANSWER, _LAST_WORDS, _COMMIT, _CLOSING_STATEMENT, _CLOSING_RUN, _CLOSING_CHANGE = 0.8, 0.8, 0.6, 0.6, 0.6, 0.4
_DECAY = 0.97
"""Factor by which a closing row loses value with each observation between it and the episode."""
_SUBAGENT = 0.5
_COSTS = {"user": 230, "statement": 210, "failure": 330, "change": 280, "run": 230}
"""Typical lengths of rows, in characters, by which values are compared."""


def condense_window(
    observations: Sequence[Observation],
    project: str = "",
    model: Model | None = None,
    *,
    clean: Callable[[str], str] = str,
) -> list[EpisodeDigest]:
    """Return the episodes of a window with their rows, in order of time; empty if none is probable enough.

    ``project`` is the session's folder. ``model`` defaults to the shipped weights. ``clean`` is applied
    to each text before it is cut. Pure, and linear in the number of observations for a
    bounded number of proposals an observation.
    """
    model = model or load_shipped_model()
    facts = Facts(build_timeline(observations, project))
    timeline = facts.timeline
    chosen = select_episodes(
        score_episodes(facts, model), lambda episode: find_veto(timeline, episode) in NOT_WORK, MAX_EPISODES
    )
    if not chosen or chosen[0].probability < MIN_PROBABILITY:
        return []
    rows = _choose_rows(timeline, chosen, clean)
    digests = [_build(facts, scored, rows[number], model) for number, scored in enumerate(chosen)]
    return sorted(digests, key=lambda each: (each.first_line, each.last_line))


def _build(facts: Facts, scored: Scored, texts: dict[int, str], model: Model) -> EpisodeDigest:
    timeline, episode = facts.timeline, scored.episode
    observations = timeline.observations
    spanned = observations[episode.first : episode.last + 1]
    changes = timeline.select(timeline.changes, episode.first, episode.last + 1)
    later = (index for index in (*timeline.passed_checks, *timeline.commits) if index > episode.last)
    proofs = {find_proof(timeline, episode), *later}
    remedies = list_named_changes(timeline, episode)
    return EpisodeDigest(
        first_line=spanned[0].line,
        last_line=max(spanned[-1].line, spanned[-1].end_line),
        kind=KIND_BY_PATTERN[episode.patterns[0]],
        patterns=episode.patterns,
        probability=round(scored.probability, 4),
        facts=collect_facts(timeline, episode),
        rows=tuple(
            Row(
                observations[index].line,
                observations[index].end_line,
                _get_role(timeline, index, remedies, proofs),
                text,
            )
            for index, text in sorted(texts.items())
        ),
        files=tuple(dict.fromkeys(name for index in changes for name in observations[index].files))[:_MAX_FILES],
        deciding=model.list_deciding_features(measure_features(facts, episode)),
        taint=_find_taint(timeline, max(episode.last, *texts) if texts else episode.last),
        doubt=find_veto(timeline, episode),
        solved=list_solved(timeline, episode),
        **_identify(timeline, episode),
    )


def _find_taint(timeline: Timeline, last: int) -> tuple[str, ...]:
    """Return the sources of the strangers' text that the session had read by ``last``: the agent may repeat it from there on."""
    return tuple(
        sorted(find_taint(timeline.observations[index] for index in timeline.select(timeline.foreign, 0, last + 1)))
    )


def _identify(timeline: Timeline, episode: Episode) -> dict[str, str]:
    """Return the parts of an episode's identity: its first specific error and its remedy, or how it began."""
    observations = timeline.observations
    for index in timeline.select(timeline.failures, episode.first, episode.last + 1):
        failed = observations[index]
        if error := name_error(failed.error, failed.signature, failed.target, failed.error_signature):
            change = timeline.find_before(timeline.changes, episode.last + 1)
            files = observations[change].files if change is not None and change > index else ()
            names = sorted({get_base_name(name) for name in files})
            return {"error": error, "remedy": " ".join(names) or observations[episode.last].signature}
    request, first = timeline.find_turn(episode.first), observations[episode.first]
    texts = observations[request].text if request is not None else "", first.command or first.text
    return {"origin": "\n".join(text[:_MAX_ORIGIN] for text in texts)}


# -- rows --------------------------------------------------------------------------------------------------------------


def _choose_rows(timeline: Timeline, chosen: Sequence[Scored], clean: Callable[[str], str]) -> list[dict[int, str]]:
    """Return the texts of the rows of each episode, by index. A row of several episodes belongs to the one in which it is worth most."""
    worth: dict[int, tuple[float, int]] = {}
    for number, (episode, probability) in enumerate(chosen):
        weight = sqrt(sqrt(probability))
        for index, value in _rate_rows(timeline, episode):
            if worth.get(index, (0.0, 0))[0] < value * weight:
                worth[index] = value * weight, number
    budget = BASE_BUDGET + EPISODE_BUDGET * sum(min(1.0, each.probability / FULL_PROBABILITY) for each in chosen)
    room = min(MAX_BUDGET, budget)

    def rank(index: int) -> tuple[float, int]:
        return -worth[index][0] / _COSTS[_get_cost_class(timeline.observations[index])], index

    rows: list[dict[int, str]] = [{} for _ in chosen]
    misses = 0
    for index in sorted((index for index in worth if not is_dull(timeline.observations[index])), key=rank):
        text = render_row(timeline.observations[index], clean=clean)
        if len(text) < room:
            rows[worth[index][1]][index] = text
            room -= len(text) + 1
        else:
            misses += 1
        if room < MIN_ROW or misses == MAX_MISSES:
            break
    return rows


MIN_ROW, MAX_MISSES = 60, 8
"""With less room than this, in characters, or after so many rows that did not fit, no further row is written."""


def _get_cost_class(observation: Observation) -> str:
    if observation.kind == "user":
        return "user"
    if observation.kind != "tool":
        return "statement"
    if observation.outcome == "failed":
        return "failure"
    return "change" if observation.action in ("edit", "write") else "run"


def _rate_rows(timeline: Timeline, episode: Episode) -> Iterator[tuple[int, float]]:
    """Yield the indexes of an episode's possible rows with their values, some of them several times."""
    first, last = episode.first, episode.last
    request = timeline.find_turn(first)
    if request is not None:
        yield request, _REQUEST
    signatures: set[str] = set()
    checks = frozenset(timeline.select(timeline.passed_checks, first, last + 1))
    for index in range(first, last + 1):
        observation = timeline.observations[index]
        value = _rate_row(timeline, index, observation, checks, signatures)
        if observation.agent != "main":
            value *= _SUBAGENT
        yield index, max(value, _END) if index in (first, last) else value
    yield from _rate_closing_rows(timeline, last)


def _rate_row(
    timeline: Timeline, index: int, observation: Observation, checks: frozenset[int], signatures: set[str]
) -> float:
    if observation.kind == "user":
        return _USER
    if observation.kind == "thinking":
        return 0.0
    if observation.kind == "assistant":
        traits = timeline.statement_traits.get(index)
        return _STATEMENT + (
            traits is not None and (bool(traits.strong_count) * _STRONG_CAUSE + bool(traits.cause_count) * _CAUSE)
        )
    if observation.outcome == "failed":
        is_known = observation.error_signature in signatures
        signatures.add(observation.error_signature)
        return _SAME_FAILURE if is_known else _FAILURE
    if observation.action in ("edit", "write"):
        return _CHANGE
    return _RUN + (index in checks) * _CHECK if observation.action == "run" else _OTHER


def _rate_closing_rows(timeline: Timeline, last: int) -> Iterator[tuple[int, float]]:
    """Yield what may bear an episode out: the next calls and statements of its turn, a commit, the last words, the user's answer."""
    end = min(len(timeline.observations), last + 1 + TAIL, timeline.find_turn_end(last))
    for index in range(last + 1, end):
        observation = timeline.observations[index]
        if observation.agent != "main":
            continue
        nearness = _DECAY ** (index - last)
        if observation.kind == "assistant":
            yield index, _CLOSING_STATEMENT * nearness
        elif observation.action in ("edit", "write"):
            yield index, _CLOSING_CHANGE * nearness
        elif observation.action == "run" and observation.outcome in ("ok", "failed", "unknown"):
            yield index, _CLOSING_RUN * nearness
    commit = timeline.find_after(timeline.commits, last)
    if (
        commit is not None
        and commit - last < MAX_COMMIT_DISTANCE
        and timeline.find_turn(commit) == timeline.find_turn(last)
    ):
        yield commit, _COMMIT
    for indexes, start, value in (
        (timeline.user_messages, last, _ANSWER),
        (timeline.closing_messages, last - 1, _LAST_WORDS),
    ):
        found = timeline.find_after(indexes, start)
        if found is not None and found - last < MAX_CLOSING_DISTANCE:
            yield found, value


def _get_role(timeline: Timeline, index: int, remedies: Collection[int], proofs: Collection[int | None]) -> Role:
    observation = timeline.observations[index]
    if observation.kind == "user":
        return "context"
    if observation.kind != "tool":
        traits = timeline.statement_traits.get(index)
        return "cause" if traits is not None and traits.strong_count else "insight"
    if index in timeline.failures or observation.outcome == "failed":
        return "symptom"
    if index in remedies:
        return "change"
    return "verification" if index in proofs else "context"
