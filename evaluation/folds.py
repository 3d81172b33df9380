"""Nested cross-validation over owners: applies weights, calibration and tiers from some owners to the others' sessions.

Of the owners that a model is built from, each is left out once more; calibration and tiers come from the candidates
chosen in that owner's sessions. So no session contributes to the numbers by which it is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple, cast

from mind_skills.evaluation.calibration import Guess, Line, find_threshold, fit_platt
from mind_skills.evaluation.fitting import Array, Fitted, fit, round_significant
from mind_skills.evaluation.measuring import Measured, choose_proposals
from mind_skills.evaluation.pool import Pool

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
