"""What the ranks amount to: shares with their 95 % intervals, and the tables that show them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TypedDict

_Z = 1.959964
_DRAWS = 2_000


class Share(TypedDict):
    """A figure between 0 and 1, and the interval that holds its true value in 95 of 100 cases."""

    value: float
    low: float
    high: float


class Figures(TypedDict):
    """What one method does for some pairs. ``r1`` and ``r5``: found first, and among the first five; ``mrr``: mean of 1 / rank."""

    pairs: int
    r1: Share
    r5: Share
    mrr: Share


def figures(ranks: Sequence[int]) -> Figures:
    """Of the rank at which each pair's learning was found, counted from 1, and 0 where it was not found."""
    return {
        "pairs": len(ranks),
        "r1": wilson(sum(rank == 1 for rank in ranks), len(ranks)),
        "r5": wilson(sum(0 < rank <= 5 for rank in ranks), len(ranks)),
        "mrr": _mean([1 / rank if rank else 0.0 for rank in ranks]),
    }


def wilson(hits: int, of: int) -> Share:
    """A share by Wilson's score interval, which holds for small numbers as well."""
    if not of:
        return {"value": 0.0, "low": 0.0, "high": 1.0}
    share, squared = hits / of, _Z * _Z
    middle = (share + squared / (2 * of)) / (1 + squared / of)
    reach = _Z / (1 + squared / of) * math.sqrt(share * (1 - share) / of + squared / (4 * of * of))
    return {"value": share, "low": max(0.0, middle - reach), "high": min(1.0, middle + reach)}


def table(rows: Sequence[tuple[str, Figures]]) -> str:
    """A table in Markdown, a line a method."""
    lines = ["| method | R@1 | R@5 | MRR |", "|---|---|---|---|"]
    lines += [f"| {name} | {cell(found['r1'])} | {cell(found['r5'])} | {cell(found['mrr'])} |" for name, found in rows]
    return "\n".join(lines)


def short(value: float) -> str:
    """Two places, without the zero in front: .37."""
    return f"{value:.2f}".removeprefix("0")


def cell(share: Share) -> str:
    """A share and its interval, as a table shows them."""
    return f"{short(share['value'])} ({short(share['low'])}-{short(share['high'])})"


def _mean(values: Sequence[float]) -> Share:
    """A mean, and its interval by drawing from the values again and again: the same draws each time."""
    if not values:
        return {"value": 0.0, "low": 0.0, "high": 1.0}
    chance = random.Random(1)
    means = sorted(sum(chance.choices(values, k=len(values))) / len(values) for _ in range(_DRAWS))
    return {
        "value": sum(values) / len(values),
        "low": means[round(0.025 * _DRAWS)],
        "high": means[round(0.975 * _DRAWS) - 1],
    }
