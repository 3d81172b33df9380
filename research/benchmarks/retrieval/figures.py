"""Metrics of ranks: shares with 95 % confidence intervals, and their tables."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TypedDict

_Z = 1.959964
_DRAWS = 2_000


class Share(TypedDict):
    """A number between 0 and 1 and its 95 % confidence interval."""

    value: float
    low: float
    high: float


class Figures(TypedDict):
    """Metrics of one method for some pairs.

    ``r1`` and ``r5`` are the shares found first and in the first five, ``mrr`` the mean of 1 / rank.
    """

    pairs: int
    r1: Share
    r5: Share
    mrr: Share


def compute_figures(ranks: Sequence[int]) -> Figures:
    """Compute the metrics from the rank of each pair's learning, from 1, or 0 if it was not found."""
    return {
        "pairs": len(ranks),
        "r1": compute_wilson_share(sum(rank == 1 for rank in ranks), len(ranks)),
        "r5": compute_wilson_share(sum(0 < rank <= 5 for rank in ranks), len(ranks)),
        "mrr": _compute_mean([1 / rank if rank else 0.0 for rank in ranks]),
    }


def compute_wilson_share(hits: int, of: int) -> Share:
    """Return a share with Wilson's score interval, which is also valid for small samples."""
    if not of:
        return {"value": 0.0, "low": 0.0, "high": 1.0}
    share, squared = hits / of, _Z * _Z
    middle = (share + squared / (2 * of)) / (1 + squared / of)
    reach = _Z / (1 + squared / of) * math.sqrt(share * (1 - share) / of + squared / (4 * of * of))
    return {"value": share, "low": max(0.0, middle - reach), "high": min(1.0, middle + reach)}


def format_table(rows: Sequence[tuple[str, Figures]]) -> str:
    """Return a Markdown table with one row per method."""
    lines = ["| method | R@1 | R@5 | MRR |", "|---|---|---|---|"]
    lines += [
        f"| {name} | {format_share(found['r1'])} | {format_share(found['r5'])} | {format_share(found['mrr'])} |"
        for name, found in rows
    ]
    return "\n".join(lines)


def format_number(value: float) -> str:
    """Format with two decimals, without a leading zero: .37."""
    return f"{value:.2f}".removeprefix("0")


def format_share(share: Share) -> str:
    """Format a share and its interval for a table."""
    return f"{format_number(share['value'])} ({format_number(share['low'])}-{format_number(share['high'])})"


def _compute_mean(values: Sequence[float]) -> Share:
    """Return a mean and its bootstrap interval, with a fixed seed."""
    if not values:
        return {"value": 0.0, "low": 0.0, "high": 1.0}
    rng = random.Random(1)
    means = sorted(sum(rng.choices(values, k=len(values))) / len(values) for _ in range(_DRAWS))
    return {
        "value": sum(values) / len(values),
        "low": means[round(0.025 * _DRAWS)],
        "high": means[round(0.975 * _DRAWS) - 1],
    }
