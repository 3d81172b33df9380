"""All proposals of the labelled sessions as rows of numbers, and how much each counts in a fit."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mind_skills.evaluation.fitting import Array
from mind_skills.evaluation.measuring import Measured


def on_learning(proposals: int) -> float:
    """What each of so many proposals on one learning counts: together little more, however many they are."""
    return 4.0 / math.pow(max(1, proposals), 0.7)


def on_none(proposals: int) -> float:
    """What each of so many proposals of one session counts that lie on no learning: a long session is one session."""
    return min(1.0, 8.0 / math.pow(max(1, proposals), 0.9))


class Pool(NamedTuple):
    """Rows are in the order of ``sessions`` and of the proposals in them; ``bounds`` holds where each session's begin and end.

    ``fitted`` says which rows a fit may see: none that a veto meets, none in a disputed range, and those in a borderline range
    only where they lie on a learning, too.
    """

    sessions: tuple[Measured, ...]
    owners: tuple[str, ...]
    """Of each session."""
    bounds: tuple[tuple[int, int], ...]
    rows: Array
    hits: Array
    counts: Array
    fitted: NDArray[np.bool_]
    owner_of: NDArray[np.int64]
    """Of each row, the place of its owner among ``names``."""
    names: tuple[str, ...]
    """Every owner once, in order."""

    def seen_by(self, left_out: frozenset[str]) -> NDArray[np.bool_]:
        """The rows that a fit without these owners sees."""
        return self.fitted & ~np.isin(self.owner_of, [self.names.index(name) for name in left_out])


def pool(measured: Sequence[Measured], owners: dict[str, str]) -> Pool:
    """Put them together; ``owners`` says of each session by name who it is from. Sessions are taken in order of name."""
    sessions = tuple(sorted(measured, key=lambda each: each.label.name))
    by_session = tuple(owners[each.label.name] for each in sessions)
    names = tuple(sorted(set(by_session)))
    bounds, rows = list[tuple[int, int]](), list[tuple[float, ...]]()
    hits, fitted, counts, owner_of = list[bool](), list[bool](), list[float](), list[int]()
    for session, owner in zip(sessions, by_session, strict=True):
        bounds.append((len(rows), len(rows) + len(session.proposals)))
        rows += [each.features for each in session.proposals]
        hits += [bool(each.judged.found["strict"]) for each in session.proposals]
        usable = [not (each.vetoed or each.judged.neutral or each.judged.on_borderline) for each in session.proposals]
        fitted += usable
        counts += _counts(session, usable)
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


def _counts(session: Measured, usable: Sequence[bool]) -> list[float]:
    among = [each for each, use in zip(session.proposals, usable, strict=True) if use]
    on = Counter(index for each in among for index in each.judged.found["strict"])
    misses = sum(use and not each.judged.found["strict"] for each, use in zip(session.proposals, usable, strict=True))
    return [
        sum(on_learning(on[index]) for index in each.judged.found["strict"])
        if each.judged.found["strict"]
        else on_none(misses)
        for each in session.proposals
    ]
