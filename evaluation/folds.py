"""Nested cross-validation over owners: applies weights, calibration and tiers from some owners to the others' sessions.

Of the owners that a model is built from, each is left out once more; calibration and tiers come from the candidates
chosen in that owner's sessions. So no session contributes to the numbers by which it is judged. Designs are compared by their precision
at fixed recalls.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from mind_skills.evaluation.calibration import Guess, Line, find_threshold, fit_platt
from mind_skills.evaluation.fitting import Array, Fitted, fit, round_significant
from mind_skills.evaluation.measuring import Measured, choose_proposals
from mind_skills.evaluation.report import CurveReport, PointReport


def weigh_hit(hits: int) -> float:
    """Return the weight of one of several ``hits`` on a learning. Their total grows slowly with their number."""
    return 4.0 / math.pow(max(1, hits), 0.7)


def weigh_miss(misses: int) -> float:
    """Return the weight of one of the ``misses`` of a session. It falls with their number, because long sessions must not dominate."""
    return min(1.0, 8.0 / math.pow(max(1, misses), 0.9))


class Pool(NamedTuple):
    """Rows are ordered by session and proposal; ``bounds`` holds the row range of each session.

    ``is_usable`` marks the rows that a fit may use: all except those of vetoed proposals, and of proposals in a disputed or
    borderline range that are on no learning.
    """

    sessions: tuple[Measured, ...]
    owners: tuple[str, ...]
    """Owner of each session."""
    bounds: tuple[tuple[int, int], ...]
    rows: Array
    hits: Array
    row_weights: Array
    is_usable: NDArray[np.bool_]
    row_owners: NDArray[np.int64]
    """For each row, the index of its owner in ``names``."""
    names: tuple[str, ...]
    """The distinct owners, sorted."""

    def mask_fitted_rows(self, left_out: frozenset[str]) -> NDArray[np.bool_]:
        """Return the mask of the rows that a fit without the owners in ``left_out`` uses."""
        return self.is_usable & ~np.isin(self.row_owners, [self.names.index(name) for name in left_out])


def build_pool(measured: Sequence[Measured], owners: dict[str, str]) -> Pool:
    """Build the pool, ordered by session name. ``owners`` maps session names to owners."""
    sessions = tuple(sorted(measured, key=lambda session: session.label.name))
    session_owners = tuple(owners[session.label.name] for session in sessions)
    names = tuple(sorted(set(session_owners)))
    bounds, rows = list[tuple[int, int]](), list[tuple[float, ...]]()
    hits, is_usable, row_weights, row_owners = list[bool](), list[bool](), list[float](), list[int]()
    for session, owner in zip(sessions, session_owners, strict=True):
        bounds.append((len(rows), len(rows) + len(session.proposals)))
        rows += [proposal.features for proposal in session.proposals]
        hits += [bool(proposal.judged.hits_by_level["strict"]) for proposal in session.proposals]
        usable_in_session = [
            not (proposal.is_vetoed or proposal.judged.is_neutral or proposal.judged.is_on_borderline)
            for proposal in session.proposals
        ]
        is_usable += usable_in_session
        row_weights += _weigh_proposals(session, usable_in_session)
        row_owners += [names.index(owner)] * len(session.proposals)
    return Pool(
        sessions,
        session_owners,
        tuple(bounds),
        np.array(rows, dtype=np.float64),
        np.array(hits, dtype=np.float64),
        np.array(row_weights, dtype=np.float64),
        np.array(is_usable, dtype=np.bool_),
        np.array(row_owners, dtype=np.int64),
        names,
    )


def _weigh_proposals(session: Measured, is_usable: Sequence[bool]) -> list[float]:
    all_hits = [proposal.judged.hits_by_level["strict"] for proposal in session.proposals]
    used_hits = [hits for hits, is_used in zip(all_hits, is_usable, strict=True) if is_used]
    hit_counts = Counter(index for hits in used_hits for index in hits)
    misses = sum(not hits for hits in used_hits)
    return [sum(weigh_hit(hit_counts[index]) for index in hits) if hits else weigh_miss(misses) for hits in all_hits]


HIGH, MEDIUM, WAITING = 0.70, 0.55, 0.40
"""Precision that the candidates of each tier and the tiers above it should reach together, pooled and out of fold. The first
two are goals that were set before the detector was designed."""
MIN_CANDIDATES = 20
"""Minimum number of candidates from which a threshold is derived; the precision of fewer may be luck."""

NO_OWNERS = frozenset[str]()


class Model(NamedTuple):
    """Everything that is fitted to labelled sessions."""

    fitted: Fitted
    line: Line
    tiers: dict[str, float]
    measured: dict[str, dict[str, float]]
    """Out-of-fold precision and number of candidates of each offered tier. Slightly optimistic, since the thresholds come from the
    same candidates; the figures of `study` are not optimistic."""


class Chosen(NamedTuple):
    """A chosen proposal: index of its session, row in the pool, and the value that ranks it."""

    session: int
    row: int
    value: float


class Folds:
    """Cached fits of a pool without some of its owners."""

    def __init__(self, pool: Pool, signs: Array, limit: int) -> None:
        """``limit`` is the maximum number of proposals that are chosen per session."""
        self.pool, self.signs, self.limit = pool, signs, limit
        self.fit_without = cache(self._fit)

    def _fit(self, left_out: frozenset[str]) -> Fitted:
        """Fit the weights to all owners except ``left_out``."""
        is_seen = self.pool.mask_fitted_rows(left_out)
        start = self.fit_without(NO_OWNERS) if left_out else None
        return fit(self.pool.rows[is_seen], self.pool.hits[is_seen], self.pool.row_weights[is_seen], self.signs, start)

    def choose(self, session: Measured, values: Array) -> list[int]:
        """Return the positions of the session's chosen proposals, best first."""
        return choose_proposals(session, cast("Sequence[float]", values), self.limit)

    def choose_for_owner(self, owner: str, scores: Callable[[Array], Array]) -> list[Chosen]:
        """Return the proposals chosen in the sessions of one owner."""
        choices: list[Chosen] = []
        for session_index, (session, (start, end)) in enumerate(zip(self.pool.sessions, self.pool.bounds, strict=True)):
            if self.pool.owners[session_index] == owner and end > start:
                values = scores(self.pool.rows[start:end])
                choices += [
                    Chosen(session_index, start + position, float(values[position]))
                    for position in self.choose(session, values)
                ]
        return choices

    def build_model(self, left_out: frozenset[str] = NO_OWNERS) -> Model:
        """Build the model of all owners except ``left_out``."""
        guesses: list[Guess] = []
        for owner in self.pool.names:
            if owner not in left_out:
                chosen = self.choose_for_owner(owner, self.fit_without(left_out | {owner}).compute_scores)
                guesses += build_guesses(self.pool, chosen)
        line = fit_platt(guesses)
        line = Line(round_significant(line.slope), round_significant(line.offset))
        calibrated = [Guess(line.compute_probability(score), hit) for score, hit in guesses]
        tiers = {
            name: round_significant(find_threshold(calibrated, precision, MIN_CANDIDATES))
            for name, precision in (("high", HIGH), ("medium", MEDIUM), ("waiting", WAITING))
        }
        return Model(self.fit_without(left_out), line, tiers, _measure_tiers(calibrated, tiers))


def _measure_tiers(guesses: Sequence[Guess], tiers: dict[str, float]) -> dict[str, dict[str, float]]:
    measured: dict[str, dict[str, float]] = {}
    for name, lower, upper in (("high", tiers["high"], 1.1), ("medium", tiers["medium"], tiers["high"])):
        hits = [hit for probability, hit in guesses if lower <= probability < upper]
        if hits:
            measured[name] = {"precision": round(sum(hits) / len(hits), 3), "candidates": len(hits)}
    return measured


def build_guesses(pool: Pool, chosen: list[Chosen]) -> list[Guess]:
    """Convert choices to guesses, without neutral ones. A choice whose learnings were all hit by earlier ones counts as a miss."""
    guesses: list[Guess] = []
    found_learnings: set[tuple[int, int]] = set()
    for session, row, value in chosen:
        judged = pool.sessions[session].proposals[row - pool.bounds[session][0]].judged
        strict = {(session, index) for index in judged.hits_by_level["strict"]}
        if not judged.is_neutral:
            guesses.append(Guess(value, bool(strict - found_learnings)))
        found_learnings |= strict
    return guesses


RECALLS = (0.2, 0.3, 0.4, 0.5)


def build_curve(pool: Pool, chosen: Sequence[Chosen], recalls: Sequence[float] = RECALLS) -> CurveReport:
    """Return strict and useful precision at each recall that is reached, using as few of the best candidates as possible.

    ``average`` is the mean precision up to the last of ``recalls``; where recall is not reached, precision counts as 0.
    """
    learnings = sum(len(session.label.learnings) for session in pool.sessions)
    found_learnings, noisy_sessions = set[tuple[int, int]](), set[int]()
    candidates = hits = useful = 0
    points: list[PointReport] = []
    area = previous_recall = 0.0
    for candidate in sorted(chosen, key=lambda choice: (-choice.value, choice.row)):
        judged = pool.sessions[candidate.session].proposals[candidate.row - pool.bounds[candidate.session][0]].judged
        if pool.sessions[candidate.session].label.is_silent:
            noisy_sessions.add(candidate.session)
        if judged.is_neutral:
            continue
        strict = {(candidate.session, index) for index in judged.hits_by_level["strict"]}
        is_new = bool(strict - found_learnings)
        found_learnings |= strict
        candidates, hits, useful = candidates + 1, hits + is_new, useful + (is_new or judged.is_in_borderline_range)
        recall = len(found_learnings) / max(1, learnings)
        area += (min(recall, recalls[-1]) - previous_recall) * hits / candidates
        previous_recall = min(recall, recalls[-1])
        while len(points) < len(recalls) and recall >= recalls[len(points)]:
            points.append(
                PointReport(
                    recall=recalls[len(points)],
                    precision=round(hits / candidates, 3),
                    useful=round(useful / candidates, 3),
                    candidates=candidates,
                    noisy=len(noisy_sessions),
                )
            )
    return CurveReport(points=points, average=round(area / recalls[-1], 3))
