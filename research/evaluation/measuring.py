"""Measurement of a labelled session: every proposed episode, its features, and whether it lies on a labelled learning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from mind_skills.detectors.features import FEATURES, Facts
from mind_skills.detectors.model import Episode
from mind_skills.detectors.registry import measure_episodes, select_episodes
from mind_skills.detectors.scorer import Scored
from mind_skills.detectors.timeline import build_timeline
from mind_skills.detectors.vetoes import NOT_WORK, find_veto
from mind_skills.digest.model import MAX_EPISODES, EpisodeDigest
from mind_skills.observations.find_logs import explain_empty_log
from mind_skills.observations.model import Observation
from mind_skills.observations.read import open_log
from mind_skills.staging.analyse import analyse_observations
from research.evaluation.labels import Label, Learning
from research.evaluation.running import Task

SLACK = 3
"""Tolerance at each end, in lines, since a call and its result are on separate lines."""
MAX_ONE_LINE_SPAN = 10
"""A single line is not on a learning whose last line is more than this number of lines after its first."""


class Proposal(NamedTuple):
    """One proposed episode. ``features`` are in the order of FEATURES; ``hits`` holds the indexes of the learnings that it lies on.

    ``window`` is the index of its window, since a long session has several.
    """

    episode: Episode
    window: int
    features: tuple[float, ...]
    hits: tuple[int, ...]
    is_vetoed: bool
    is_disputed: bool
    """Whether it is on no learning but in a range that only one of two readers marked: it counts neither way."""
    is_borderline: bool
    """Whether it is on no learning but in a range that a reader called borderline."""


class Measured(NamedTuple):
    """A labelled session with all its proposals."""

    label: Label
    proposals: tuple[Proposal, ...]


def is_inside(first: int, last: int, learning: Learning) -> bool:
    """Return whether both lines are in the learning, with tolerance. A single line is in no long learning."""
    if first == last and learning.end_line - learning.start_line > MAX_ONE_LINE_SPAN:
        return False
    return first >= learning.start_line - SLACK and last <= learning.end_line + SLACK


class Meter:
    """Measures the windows of a session; `staging/analyse.py` calls it in place of condensing them."""

    def __init__(self, label: Label) -> None:
        self.label, self.windows = label, 0
        self.proposals: list[Proposal] = []

    def measure_window(
        self, observations: Sequence[Observation], project: str, /, *, clean: Callable[[str], str]
    ) -> list[EpisodeDigest]:
        """Measure one window. Returns no episodes, so that there is nothing to clean."""
        del clean
        timeline = build_timeline(observations, project)
        for episode, values in measure_episodes(Facts(timeline)):
            first, last = observations[episode.first], observations[episode.last]
            ends = first.line, max(first.line, last.end_line or last.line)
            hits = tuple(i for i, learning in enumerate(self.label.learnings) if is_inside(*ends, learning))
            self.proposals.append(
                Proposal(
                    episode,
                    self.windows,
                    tuple(values[feature.name] for feature in FEATURES),
                    hits,
                    is_vetoed=find_veto(timeline, episode) in NOT_WORK,
                    is_disputed=not hits and any(is_inside(*ends, each) for each in self.label.disputed),
                    is_borderline=not hits and any(is_inside(*ends, each) for each in self.label.borderline),
                )
            )
        self.windows += 1
        return []


def measure_session(task: Task) -> Measured:
    """Measure what is proposed in a session. Raises LogError."""
    meter, log = Meter(task.label), open_log(task.log.path, task.log.format)
    analysis = analyse_observations(log.session, log.observations, meter.measure_window)
    if unread := explain_empty_log(task.log, analysis.session, analysis.observation_count):
        raise unread
    return Measured(task.label, tuple(meter.proposals))


def choose_proposals(session: Measured, values: Sequence[float], limit: int = MAX_EPISODES) -> list[int]:
    """Return the positions of the proposals that the product would choose with ``values`` as probabilities, best first.

    Of an episode that was merged from several, this is the one whose probability it has.
    """
    chosen: list[tuple[float, int]] = []
    positions_by_window: dict[int, dict[Episode, int]] = {}
    for position, proposal in enumerate(session.proposals):
        positions_by_window.setdefault(proposal.window, {})[proposal.episode] = position
    for positions in positions_by_window.values():
        scored = [Scored(episode, float(values[position])) for episode, position in positions.items()]

        def is_vetoed(episode: Episode, positions: dict[Episode, int] = positions) -> bool:
            return session.proposals[positions[episode]].is_vetoed

        for merged, value in select_episodes(scored, is_vetoed, limit):
            core = min(
                (each for each, other in scored if other == value and _is_within(each, merged)),
                key=lambda each: (each.last - each.first, each.first),
            )
            chosen.append((value, positions[core]))
    return [position for _, position in sorted(chosen, key=lambda pair: (-pair[0], pair[1]))[:limit]]


def _is_within(episode: Episode, merged: Episode) -> bool:
    return episode.patterns == merged.patterns and merged.first <= episode.first and episode.last <= merged.last
