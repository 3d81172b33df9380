"""The geometry of the page's charts: what the templates draw as SVG. No library does it, since bars and one line are all there is.

A chart is ``WIDTH`` by ``HEIGHT`` units and is stretched to its place; what is written stands beside it, where it keeps its size.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from mind_skills.report.document import DayReport, SkillReport
from mind_skills.report.events import Kind

WIDTH, HEIGHT = 600, 100
MARK = 10
"""The height of the mark of a vote."""
GAP = 0.2
"""Of the width of a bar."""
MOST = 62
"""Bars of a chart, at most: two months by day, a year by week."""


class Bar(NamedTuple):
    """One bar: the first and the last day that it stands for (YYYY-MM-DD), how much, and where it stands."""

    first: str
    last: str
    amount: int
    x: float
    y: float
    width: float
    height: float


class Bars(NamedTuple):
    """Bars over all days from the first to the last; ``days`` are how many each stands for, ``most`` is the highest."""

    bars: tuple[Bar, ...]
    days: int
    most: int
    total: int


class Curve(NamedTuple):
    """A line with a band around it, as the points of SVG, and marks where votes stand along it, as paths of SVG."""

    line: str
    band: str
    helpful: str
    harmful: str


def list_bins(days: Sequence[DayReport], begin: str, end: str) -> list[tuple[date, date]]:
    """The stretches of days that a bar stands for each, the first beginning at ``begin`` or the first day that there is."""
    first = min([*(each.day for each in days), *([begin] if begin else [])], default=end)
    last = max([end, *(each.day for each in days)])
    start, number = date.fromisoformat(first), (date.fromisoformat(last) - date.fromisoformat(first)).days + 1
    step = next((step for step in (1, 7, 28) if number <= MOST * step), -(-number // MOST))
    begins = [start + timedelta(days=passed) for passed in range(0, number, step)]
    return [(day, min(day + timedelta(days=step - 1), date.fromisoformat(last))) for day in begins]


def sum_bins(days: Sequence[DayReport], bins: Sequence[tuple[date, date]], kind: Kind) -> list[int]:
    """How much of a kind there was in each stretch; days before the first are in none."""
    if not bins:
        return []
    sums, start = [0] * len(bins), bins[0][0]
    step = (bins[0][1] - start).days + 1
    for each in days:
        place = (date.fromisoformat(each.day) - start).days // step
        if 0 <= place < len(bins):
            sums[place] += getattr(each, kind)
    return sums


def draw_bars(bins: Sequence[tuple[date, date]], sums: Sequence[int]) -> Bars:
    """Bars that fill the chart."""
    most, width = max(sums, default=0), WIDTH / max(1, len(bins))
    bars: list[Bar] = []
    for place, ((first, last), amount) in enumerate(zip(bins, sums, strict=True)):
        height = HEIGHT * amount / most if most else 0.0
        where = (place * width + width * GAP / 2, HEIGHT - height, width * (1 - GAP), height)
        bars.append(Bar(first.isoformat(), last.isoformat(), amount, *(round(each, 2) for each in where)))
    return Bars(tuple(bars), (bins[0][1] - bins[0][0]).days + 1 if bins else 1, most, sum(sums))


def draw_curve(skill: SkillReport) -> Curve | None:
    """How the share of helpful votes went; None where there is no vote."""
    points = skill.curve
    if not points:
        return None
    first, last = points[0].at, points[-1].at
    place = _Place(first, max(1, last - first))
    line = " ".join(f"{place.x(each.at)},{_y(each.share)}" for each in points)
    upper = [f"{place.x(each.at)},{_y(each.high)}" for each in points]
    lower = [f"{place.x(each.at)},{_y(each.low)}" for each in reversed(points)]
    votes = [vote for vote in skill.votes if vote.counts and vote.at <= last]
    marks = {
        outcome: {round(place.x(vote.at)) for vote in votes if vote.outcome == outcome}
        for outcome in ("helpful", "harmful")
    }
    helpful = "".join(f"M{x} 0v{MARK}" for x in sorted(marks["helpful"]))
    harmful = "".join(f"M{x} {HEIGHT}v-{MARK}" for x in sorted(marks["harmful"]))
    return Curve(line, " ".join(upper + lower), helpful, harmful)


class _Place(NamedTuple):
    first: int
    length: int

    def x(self, at: int) -> float:
        return round(WIDTH * (at - self.first) / self.length, 1)


def _y(share: float) -> float:
    return round(HEIGHT * (1 - share), 1)
