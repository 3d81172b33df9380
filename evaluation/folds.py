"""Weights, calibration and tiers of some owners' sessions, and what they do on the sessions of those that were left out.

Nested: for the owners that a model is made from, each is left out once more, and calibration and tiers come from what was
chosen in those left out. So no session has a part in the numbers that it is judged by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple, cast

import numpy as np

from mind_skills.evaluation.calibration import Guess, Line, least, platt
from mind_skills.evaluation.fitting import Array, Fitted, fit, significant
from mind_skills.evaluation.measuring import Measured, choose
from mind_skills.evaluation.pool import Pool

HIGH, MEDIUM, WAITING = 0.70, 0.55, 0.40
"""The precision that all chosen candidates of a tier and those above it had together, out of fold, where it begins. The first two
are the goals that were set before the design was.
"""
FEW = 20
"""Candidates of which a precision is read at least: it is lucky in fewer."""

NOBODY = frozenset[str]()


class Model(NamedTuple):
    """All that is read off labelled sessions."""

    fitted: Fitted
    line: Line
    tiers: dict[str, float]
    measured: dict[str, dict[str, float]]
    """Of each tier that is told, the precision of its candidates out of fold, and how many there were. Where it begins was read off
    the same candidates, so this is a little kind; the figures of `study` are not.
    """


class Chosen(NamedTuple):
    """A proposal that was chosen in its session, by its row in the pool, with its score or probability."""

    session: int
    row: int
    value: float


class Folds:
    """Fits of a pool without some of its owners, each made once."""

    def __init__(self, pool: Pool, signs: Array, most: int) -> None:
        self.pool, self.signs, self.most = pool, signs, most
        self.without = cache(self._without)

    def _without(self, left_out: frozenset[str]) -> Fitted:
        """The weights fitted to all owners but these."""
        seen = self.pool.seen_by(left_out)
        near = self.without(NOBODY) if left_out else None
        return fit(self.pool.rows[seen], self.pool.hits[seen], self.pool.counts[seen], self.signs, near)

    def choose(self, session: Measured, values: Array) -> list[int]:
        """The places of the proposals that are told of a session, best first."""
        return choose(session, cast("Sequence[float]", values), self.most)

    def chosen(self, owner: str, scores: Callable[[Array], Array]) -> list[Chosen]:
        """What is chosen in the sessions of one owner."""
        found: list[Chosen] = []
        for at, (session, (begin, end)) in enumerate(zip(self.pool.sessions, self.pool.bounds, strict=True)):
            if self.pool.owners[at] == owner and end > begin:
                values = scores(self.pool.rows[begin:end])
                found += [Chosen(at, begin + place, float(values[place])) for place in self.choose(session, values)]
        return found

    def model(self, left_out: frozenset[str] = NOBODY) -> Model:
        """The model of all owners but these."""
        guesses: list[Guess] = []
        for owner in self.pool.names:
            if owner not in left_out:
                chosen = self.chosen(owner, self.without(left_out | {owner}).scores)
                guesses += guesses_of(self.pool, chosen)
        line = platt(guesses)
        line = Line(significant(line.slope), significant(line.offset))
        believed = [Guess(line.probability(score), hit) for score, hit in guesses]
        tiers = {
            name: significant(least(believed, precision, FEW))
            for name, precision in (("high", HIGH), ("medium", MEDIUM), ("waiting", WAITING))
        }
        return Model(self.without(left_out), line, tiers, _measured(believed, tiers))


def _measured(believed: Sequence[Guess], tiers: dict[str, float]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for name, least_, below in (("high", tiers["high"], 1.1), ("medium", tiers["medium"], tiers["high"])):
        hits = [hit for probability, hit in believed if least_ <= probability < below]
        if hits:
            found[name] = {"precision": round(sum(hits) / len(hits), 3), "candidates": len(hits)}
    return found


def guesses_of(pool: Pool, chosen: list[Chosen]) -> list[Guess]:
    """What was chosen as guesses: neutral ones count neither way, a second one on a learning is a miss."""
    guesses: list[Guess] = []
    found: set[tuple[int, int]] = set()
    for session, row, value in chosen:
        judged = pool.sessions[session].proposals[row - pool.bounds[session][0]].judged
        strict = {(session, index) for index in judged.found["strict"]}
        if not judged.neutral:
            guesses.append(Guess(value, bool(strict - found)))
        found |= strict
    return guesses


def probabilities(model: Model, scores: Array) -> Array:
    """The calibrated probabilities of scores."""
    return np.array([model.line.probability(float(score)) for score in scores])
