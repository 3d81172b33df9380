"""Any number of learnings: deterministic variations of the ones written by hand."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from research.benchmarks.retrieval.pairs import Learning

_PRESERVED_SHARE = 0.7
"""The share of words that are preserved; the others are drawn from all texts by frequency."""


def generate_variations(learnings: Sequence[Learning], count: int) -> Iterator[Learning]:
    """Return ``count`` distinct learnings of realistic length and vocabulary, with ids from ``synthetic-0``."""
    rng = random.Random(7)
    pool = [word for learning in learnings for word in learning.whole.split()]
    for number in range(count):
        like = learnings[number % len(learnings)]
        yield Learning(
            f"synthetic-{number}",
            like.area,
            f"{_vary(like.text, pool, rng)} case{number}",
            _vary(like.task, pool, rng),
        )


def _vary(text: str, pool: Sequence[str], rng: random.Random) -> str:
    return " ".join(word if rng.random() < _PRESERVED_SHARE else rng.choice(pool) for word in text.split())
