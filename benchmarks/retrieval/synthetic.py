"""Any number of learnings: deterministic variations of the ones written by hand."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from benchmarks.retrieval.pairs import Learning

_KEPT = 0.7
"""The share of words that are preserved; the others are drawn from all texts by frequency."""


def variations(learnings: Sequence[Learning], count: int) -> Iterator[Learning]:
    """Return ``count`` distinct learnings of realistic length and vocabulary, with ids from ``synthetic-0``."""
    chance = random.Random(7)
    pool = [word for learning in learnings for word in learning.whole.split()]
    for number in range(count):
        like = learnings[number % len(learnings)]
        yield Learning(
            f"synthetic-{number}",
            like.area,
            f"{_varied(like.text, pool, chance)} case{number}",
            _varied(like.task, pool, chance),
        )


def _varied(text: str, pool: Sequence[str], chance: random.Random) -> str:
    return " ".join(word if chance.random() < _KEPT else chance.choice(pool) for word in text.split())
