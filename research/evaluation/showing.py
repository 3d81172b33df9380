"""What would be shown of a session: its digest, with other budgets as well, and what simpler means show in the same space."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any, NamedTuple
from unittest import mock

from mind_skills.detectors.features import Facts
from mind_skills.detectors.registry import score_episodes
from mind_skills.detectors.scorer import Model, Scored, load_shipped_model
from mind_skills.digest import condense
from mind_skills.digest.model import EpisodeDigest
from mind_skills.digest.rows import Widths, is_dull, render_row
from mind_skills.observations.model import Observation
from mind_skills.observations.read import open_log
from mind_skills.staging.analyse import Analysis, analyse_observations
from research.evaluation.figures import Shown
from research.evaluation.running import Task, get_size

BUDGETS = (0.45, 0.6, 0.8, 1.25, 1.6, 2.2)
"""Factors by which the budgets of digest/condense.py are multiplied."""
RANDOM_DRAWS = 3
BASELINE_SIZE = 6_000
"""Number of characters of the baselines, the goal for the mean size of a digest."""
WIDTHS = Widths(user=500, agent=500)
"""Widths of the rows of the baselines: without a choice of rows, there is room for longer messages."""
_BUDGET_NAMES = ("BASE_BUDGET", "EPISODE_BUDGET", "MAX_BUDGET")
Deal = Callable[[list[Scored]], list[Scored]]


class Variants(NamedTuple):
    """What is shown of a session, by the name of the design. ``lines`` counts the lines of the log, ``inside`` those in episodes."""

    shown: dict[str, Shown]
    lines: int
    inside: int


@dataclass(slots=True)
class Condenser:
    """Condenses the windows of a session with changed budgets or probabilities; scores each window only once."""

    model: Model
    scored: list[list[Scored]] = field(default_factory=list[list[Scored]])
    """The proposals of each window that was condensed before, in order."""

    def build(self, deal: Deal | None = None, budgets: Sequence[int] = ()) -> Callable[..., list[EpisodeDigest]]:
        """Return a function that condenses the windows of one pass. ``deal`` replaces the probabilities."""
        windows = count()

        def score(facts: Facts, model: Model | None) -> list[Scored]:
            number = next(windows)
            if number == len(self.scored):
                self.scored.append(score_episodes(facts, model))
            return self.scored[number] if deal is None else deal(self.scored[number])

        changed: dict[str, Any] = dict(zip(_BUDGET_NAMES, budgets, strict=True)) if budgets else {}

        def condense_window(
            observations: Sequence[Observation], project: str, /, *, clean: Callable[[str], str]
        ) -> list[EpisodeDigest]:
            with mock.patch.multiple(condense, score_episodes=score, **changed):
                return condense.condense_window(observations, project, self.model, clean=clean)

        return condense_window


def show_variants(task: Task) -> Variants:
    """Condense a session with the task's model, also with other budgets, and show it by simpler means. Raises LogError."""
    log, size = open_log(task.log.path, task.log.format), get_size(task.log)
    observations = list(log.observations)
    condenser = Condenser(task.model or load_shipped_model())

    def analyse(deal: Deal | None = None, budgets: Sequence[int] = ()) -> Analysis:
        return analyse_observations(log.session, observations, condenser.build(deal, budgets))

    def build(analysis: Analysis) -> Shown:
        episodes = analysis.digest.episodes
        return Shown(analysis.digest_text, tuple((each.first_line, each.last_line) for each in episodes), size)

    analysis = analyse()
    shown = {"digest": build(analysis)}
    usual: list[int] = [getattr(condense, name) for name in _BUDGET_NAMES]
    for factor in BUDGETS:
        shown[f"budget {factor}"] = build(analyse(budgets=[round(factor * each) for each in usual]))
    used = sum(len(row.text) + 1 for each in analysis.digest.episodes for row in each.rows)
    for draw in range(RANDOM_DRAWS):
        deal = partial(_deal_at_random, random.Random(f"{task.label.name} {draw}"))
        shown[f"random episodes, draw {draw + 1}"] = build(analyse(deal, [used, 0, used]))
    rows = [each for each in observations if not is_dull(each)]
    messages = [each for each in rows if each.kind in ("user", "assistant")]
    shown["the end of the session"] = _show_last(rows, size)
    shown["messages only"] = _show_last(messages, size)
    if not analysis.digest.episodes:  # all designs show the same sessions
        shown = dict.fromkeys(shown, Shown(size=size))
    inside = {line for low, high in shown["digest"].episodes for line in range(low, high + 1)}
    return Variants(shown, log.session.lines if inside else 0, len(inside))


def _deal_at_random(rng: random.Random, scored: list[Scored]) -> list[Scored]:
    return [Scored(episode, 0.5 + 1e-6 * rng.random()) for episode, _ in scored]


def _show_last(observations: Sequence[Observation], size: int) -> Shown:
    """Return the last rows that fit, each an episode of its own, as if the reader had found them all."""
    texts, episodes, room = list[str](), list[tuple[int, int]](), BASELINE_SIZE
    for observation in reversed(observations):
        text = render_row(observation, WIDTHS)
        room -= len(text) + 1
        if room < 0:
            break
        texts.append(text)
        episodes.append((observation.line, max(observation.line, observation.end_line)))
    return Shown("\n".join(reversed(texts)), tuple(reversed(episodes)), size)
