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
