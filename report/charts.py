"""Chart geometry for the page, which the templates draw as SVG. Bars and one curve need no library.

A chart is ``WIDTH`` by ``HEIGHT`` units and is stretched to fit; labels are outside of it, so that they are not
stretched.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from mind_skills.report.document import DayReport, SkillReport
from mind_skills.report.events import Kind

WIDTH, HEIGHT = 600, 100
MARK_HEIGHT = 10
"""Height of a vote's mark."""
BAR_GAP = 0.2
"""Gap between two bars, as a share of the distance from one bar to the next."""
MAX_BARS = 62
"""Maximum number of bars of a chart: two months by day, a year by week."""


class Bar(NamedTuple):
    """A bar: the first and last day it covers (YYYY-MM-DD), its amount, and its geometry."""

    first: str
    last: str
    amount: int
    x: float
    y: float
    width: float
    height: float


class Bars(NamedTuple):
    """Bars from the first to the last day, each for ``days`` days, and the maximum and total of their amounts."""

    bars: tuple[Bar, ...]
    days: int
    maximum: int
    total: int


class Curve(NamedTuple):
    """A line with a confidence band, as SVG points, and marks of votes along it, as SVG paths."""

    line: str
    band: str
    helpful: str
    harmful: str


def list_bins(days: Sequence[DayReport], begin: str, end: str) -> list[tuple[date, date]]:
    """Split the period into one range of days for each bar: its first and its last day.

    The period starts at ``begin``, or with the first of ``days`` if ``begin`` is empty or later, and ends at ``end``, or
    with the last of ``days`` if that is later. ``begin`` and ``end`` are YYYY-MM-DD.
    """
    dates = [*(each.day for each in days), *([begin] if begin else [])]
    first = min(dates) if dates else end
    last = max([end, *(each.day for each in days)])
    start, number = date.fromisoformat(first), (date.fromisoformat(last) - date.fromisoformat(first)).days + 1
    step = next((step for step in (1, 7, 28) if number <= MAX_BARS * step), -(-number // MAX_BARS))
    bin_starts = [start + timedelta(days=offset) for offset in range(0, number, step)]
    return [(day, min(day + timedelta(days=step - 1), date.fromisoformat(last))) for day in bin_starts]


def sum_bins(days: Sequence[DayReport], bins: Sequence[tuple[date, date]], kind: Kind) -> list[int]:
    """Return the count of one kind of event in each bin; days outside the bins are ignored."""
    if not bins:
        return []
    sums, start = [0] * len(bins), bins[0][0]
    step = (bins[0][1] - start).days + 1
    for each in days:
        index = (date.fromisoformat(each.day) - start).days // step
        if 0 <= index < len(bins):
            sums[index] += getattr(each, kind)
    return sums


def draw_bars(bins: Sequence[tuple[date, date]], sums: Sequence[int]) -> Bars:
    """Build the bars, scaled so that the largest is as high as the chart."""
    maximum, width = max(sums, default=0), WIDTH / max(1, len(bins))
    bars: list[Bar] = []
    for index, ((first, last), amount) in enumerate(zip(bins, sums, strict=True)):
        height = HEIGHT * amount / maximum if maximum else 0.0
        geometry = (index * width + width * BAR_GAP / 2, HEIGHT - height, width * (1 - BAR_GAP), height)
        bars.append(Bar(first.isoformat(), last.isoformat(), amount, *(round(each, 2) for each in geometry)))
    return Bars(tuple(bars), (bins[0][1] - bins[0][0]).days + 1 if bins else 1, maximum, sum(sums))


def draw_curve(skill: SkillReport) -> Curve | None:
    """Build the curve of a skill's share of helpful votes; None without votes."""
    points = skill.curve
    if not points:
        return None
    first, last = points[0].at, points[-1].at
    scale = _TimeScale(first, max(1, last - first))
    line = " ".join(f"{scale.compute_x(each.at)},{_compute_y(each.share)}" for each in points)
    upper = [f"{scale.compute_x(each.at)},{_compute_y(each.high)}" for each in points]
    lower = [f"{scale.compute_x(each.at)},{_compute_y(each.low)}" for each in reversed(points)]
    votes = [vote for vote in skill.votes if vote.counts and vote.at <= last]
    marks = {
        outcome: {round(scale.compute_x(vote.at)) for vote in votes if vote.outcome == outcome}
        for outcome in ("helpful", "harmful")
    }
    helpful = "".join(f"M{x} 0v{MARK_HEIGHT}" for x in sorted(marks["helpful"]))
    harmful = "".join(f"M{x} {HEIGHT}v-{MARK_HEIGHT}" for x in sorted(marks["harmful"]))
    return Curve(line, " ".join(upper + lower), helpful, harmful)


class _TimeScale(NamedTuple):
    first: int
    length: int

    def compute_x(self, at: int) -> float:
        return round(WIDTH * (at - self.first) / self.length, 1)


def _compute_y(share: float) -> float:
    return round(HEIGHT * (1 - share), 1)
