"""All proposals of the labelled sessions as rows of numbers, with their weights in a fit."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mind_skills.evaluation.fitting import Array
from mind_skills.evaluation.measuring import Measured


def weigh_hit(proposals: int) -> float:
    """Return the weight of each proposal on a learning with this number of proposals; the total grows slowly with the number."""
    return 4.0 / math.pow(max(1, proposals), 0.7)


def weigh_miss(proposals: int) -> float:
    """Return the weight of each proposal on no learning in a session with this number of them, so that long sessions do not dominate."""
    return min(1.0, 8.0 / math.pow(max(1, proposals), 0.9))


class Pool(NamedTuple):
    """Rows are ordered by session and proposal; ``bounds`` holds the row range of each session.

    ``fitted`` marks the rows that a fit may use: all except vetoed ones, and those in a disputed or borderline range
    that are on no learning.
    """

    sessions: tuple[Measured, ...]
    owners: tuple[str, ...]
    """Owner of each session."""
    bounds: tuple[tuple[int, int], ...]
    rows: Array
    hits: Array
    counts: Array
    fitted: NDArray[np.bool_]
    owner_of: NDArray[np.int64]
    """For each row, the index of its owner in ``names``."""
    names: tuple[str, ...]
    """The distinct owners, sorted."""

    def mask_fitted_rows(self, left_out: frozenset[str]) -> NDArray[np.bool_]:
        """Return the mask of the rows that a fit without the owners in ``left_out`` uses."""
        return self.fitted & ~np.isin(self.owner_of, [self.names.index(name) for name in left_out])


def build_pool(measured: Sequence[Measured], owners: dict[str, str]) -> Pool:
    """Build the pool, ordered by session name. ``owners`` maps session names to owners."""
    sessions = tuple(sorted(measured, key=lambda each: each.label.name))
    by_session = tuple(owners[each.label.name] for each in sessions)
    names = tuple(sorted(set(by_session)))
    bounds, rows = list[tuple[int, int]](), list[tuple[float, ...]]()
    hits, fitted, counts, owner_of = list[bool](), list[bool](), list[float](), list[int]()
    for session, owner in zip(sessions, by_session, strict=True):
        bounds.append((len(rows), len(rows) + len(session.proposals)))
        rows += [each.features for each in session.proposals]
        hits += [bool(each.judged.found["strict"]) for each in session.proposals]
        is_usable = [
            not (each.is_vetoed or each.judged.neutral or each.judged.is_on_borderline) for each in session.proposals
        ]
        fitted += is_usable
        counts += _weigh_proposals(session, is_usable)
        owner_of += [names.index(owner)] * len(session.proposals)
    return Pool(
        sessions,
        by_session,
        tuple(bounds),
        np.array(rows, dtype=np.float64),
        np.array(hits, dtype=np.float64),
        np.array(counts, dtype=np.float64),
        np.array(fitted, dtype=np.bool_),
        np.array(owner_of, dtype=np.int64),
        names,
    )


def _weigh_proposals(session: Measured, is_usable: Sequence[bool]) -> list[float]:
    used = [each for each, is_used in zip(session.proposals, is_usable, strict=True) if is_used]
    hits_by_learning = Counter(index for each in used for index in each.judged.found["strict"])
    misses = sum(
        is_used and not each.judged.found["strict"] for each, is_used in zip(session.proposals, is_usable, strict=True)
    )
    return [
        sum(weigh_hit(hits_by_learning[index]) for index in each.judged.found["strict"])
        if each.judged.found["strict"]
        else weigh_miss(misses)
        for each in session.proposals
    ]
