"""Nested cross-validation over owners: applies weights and calibration from some owners to the others' sessions.

Of the owners that a model is built from, each is left out once more; the calibration comes from the episodes chosen in that owner's
sessions. So no session contributes to the numbers by which it is judged.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from mind_skills.detectors.features import FEATURES
from research.evaluation.calibration import Guess, Line, fit_platt
from research.evaluation.fitting import Array, Fitted, fit, round_significant
from research.evaluation.measuring import Measured, choose_proposals

SIGNS = np.array([float(feature.sign) for feature in FEATURES])
NO_OWNERS = frozenset[str]()


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


def build_pool(measured: Sequence[Measured], owners: dict[str, str]) -> Pool:
    """Build the pool, ordered by session name. ``owners`` maps session names to owners."""
    sessions = tuple(sorted(measured, key=lambda session: session.label.name))
    session_owners = tuple(owners[session.label.name] for session in sessions)
    names = tuple(sorted(set(session_owners)))
    proposals = [proposal for session in sessions for proposal in session.proposals]
    ends = np.cumsum([len(session.proposals) for session in sessions])
    return Pool(
        sessions,
        session_owners,
        tuple((int(end) - len(session.proposals), int(end)) for session, end in zip(sessions, ends, strict=True)),
        np.array([each.features for each in proposals], dtype=np.float64),
        np.array([bool(each.hits) for each in proposals], dtype=np.float64),
        np.array([weight for session in sessions for weight in _weigh_proposals(session)], dtype=np.float64),
        np.array([not (each.is_vetoed or each.is_disputed or each.is_borderline) for each in proposals], np.bool_),
        np.array(
            [
                names.index(owner)
                for session, owner in zip(sessions, session_owners, strict=True)
                for _ in session.proposals
            ],
            dtype=np.int64,
        ),
        names,
    )


def _weigh_proposals(session: Measured) -> list[float]:
    used = [each.hits for each in session.proposals if not (each.is_vetoed or each.is_disputed or each.is_borderline)]
    hit_counts = Counter(index for hits in used for index in hits)
    misses = sum(not hits for hits in used)
    return [
        sum(weigh_hit(hit_counts[index]) for index in each.hits) if each.hits else weigh_miss(misses)
        for each in session.proposals
    ]


class FittedModel(NamedTuple):
    """Everything that is fitted to labelled sessions."""

    fitted: Fitted
    line: Line
    guesses: tuple[Guess, ...]
    """The probabilities of the episodes from which the calibration comes. They are out of fold except for ``line``."""

    def compute_probabilities(self, rows: Array) -> list[float]:
        return [self.line.compute_probability(float(score)) for score in self.fitted.compute_scores(rows)]


class Folds:
    """Cached fits of a pool without some of its owners."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.fit_without = cache(self._fit)

    def _fit(self, left_out: frozenset[str]) -> Fitted:
        """Fit the weights to all owners except ``left_out``."""
        pool = self.pool
        is_seen = pool.is_usable & ~np.isin(pool.row_owners, [pool.names.index(name) for name in left_out])
        start = self.fit_without(NO_OWNERS) if left_out else None
        return fit(pool.rows[is_seen], pool.hits[is_seen], pool.row_weights[is_seen], SIGNS, start)

    def guess(self, owner: str, fitted: Fitted) -> list[Guess]:
        """Return the scores of the episodes chosen in the sessions of one owner, and whether each is on a learning.

        A disputed episode is no guess; one whose learnings were all hit by better ones of its session is a miss.
        """
        guesses: list[Guess] = []
        for session, session_owner, (start, end) in zip(
            self.pool.sessions, self.pool.owners, self.pool.bounds, strict=True
        ):
            if session_owner != owner or end == start:
                continue
            scores = fitted.compute_scores(self.pool.rows[start:end])
            found: set[int] = set()
            for position in choose_proposals(session, cast("Sequence[float]", scores)):
                proposal = session.proposals[position]
                if not proposal.is_disputed:
                    guesses.append(Guess(float(scores[position]), not found.issuperset(proposal.hits)))
                found.update(proposal.hits)
        return guesses

    def build_model(self, left_out: frozenset[str] = NO_OWNERS) -> FittedModel:
        """Build the model of all owners except ``left_out``."""
        guesses = [
            guess
            for owner in self.pool.names
            if owner not in left_out
            for guess in self.guess(owner, self.fit_without(left_out | {owner}))
        ]
        line = fit_platt(guesses)
        line = Line(round_significant(line.slope), round_significant(line.offset))
        calibrated = tuple(Guess(line.compute_probability(score), hit) for score, hit in guesses)
        return FittedModel(self.fit_without(left_out), line, calibrated)
