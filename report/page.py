"""HTML page of the report: a single file that needs no other file and no network.

All text goes through Jinja2's autoescape, except for our own style sheet and script. The page's
Content-Security-Policy forbids loading anything, and allows only these two, by their hashes.

Charts are computed here and drawn as SVG by the templates: bars and one curve need no library. A chart is ``WIDTH`` by
``HEIGHT`` units and is stretched to fit; labels are outside of it, so that they are not stretched.
"""

from __future__ import annotations

import base64
import hashlib
import os
import time
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from mind_skills.output.candidates import STATE_LABELS, describe_trust, format_kind
from mind_skills.output.text import format_day, format_duration
from mind_skills.report.document import KINDS, DayReport, Kind, PageReport, SkillReport

TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")
LEARNINGS_BYTES = 3_600_000
"""Bytes available for learnings. Those that do not fit are shown with less detail or omitted, so that the page opens
quickly and stays below 5 MB."""
DEPTHS = ("line", "short", "whole")
"""Levels of detail of a learning: the first shows its title, state and id, the second also its texts and origin, the
third also its files and why it was noticed."""
MAX_CHARTS, MAX_VOTES, MAX_REFUSED = 100, 50, 100
WIDTH, HEIGHT = 600, 100
MARK_HEIGHT = 10
"""Height of a vote's mark."""
BAR_GAP = 0.2
"""Gap between two bars, as a share of the distance from one bar to the next."""
MAX_BARS = 62
"""Maximum number of bars of a chart: two months by day, a year by week."""
VERDICTS = {
    "better": "better with the skill",
    "worse": "worse with the skill",
    "no_difference": "no significant difference",
    "not_enough_data": "not enough sessions to compare",
}


def render_page(report: PageReport) -> str:
    """Render the complete page."""
    environment = make_environment()
    style, script = read_template("page.css"), read_template("page.js")
    begin = "" if report.since is None else format_day(report.since)
    bins = list_bins(report.days, begin, format_day(report.made_at))
    sums = {kind: sum_bins(report.days, bins, kind) for kind in KINDS}
    hosts = _number_names(each.host for each in report.learnings)
    projects = _number_names(each.project for each in report.learnings)
    rows, depths = _render_learnings(environment, report, hosts, projects)
    template = environment.get_template("page.html")
    return template.render(
        report=report,
        width=WIDTH,
        height=HEIGHT,
        policy=f"default-src 'none'; style-src '{hash_source(style)}'; script-src '{hash_source(script)}';"
        " base-uri 'none'; form-action 'none'",
        style=Markup(style),  # noqa: S704 -- our own file
        script=Markup(script),  # noqa: S704 -- our own file
        bins=bins,
        sums=sums,
        bars={kind: draw_bars(bins, bin_sums) for kind, bin_sums in sums.items()},
        curves=[draw_curve(skill) for skill in report.skills[:MAX_CHARTS]],
        max_votes=MAX_VOTES,
        max_refused=MAX_REFUSED,
        sections=_group_rows(report, len(rows)),
        rows=rows,
        depths=depths,
        row_numbers={(each.project, each.id): number for number, each in enumerate(report.learnings[: len(rows)])},
        states={
            state: text for state, text in STATE_LABELS.items() if any(each.state == state for each in report.learnings)
        },
        hosts=hosts,
        projects=projects,
    )


def hash_source(text: str) -> str:
    """Return the Content-Security-Policy source that allows a text: its SHA-256 in base64."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _render_learnings(
    environment: Environment, report: PageReport, hosts: dict[str, int], projects: dict[str, int]
) -> tuple[list[Markup], dict[str, int]]:
    """Render as many learnings as fit. Also return how many, counted from the first, have at least each level of detail."""
    template, has_several_projects = environment.get_template("learning.html"), len(projects) > 1
    rows: list[Markup] = []
    depths: dict[str, int] = {}
    remaining_bytes = LEARNINGS_BYTES
    for depth in DEPTHS:
        depths[depth] = 0
        # Each level of detail uses the bytes that the previous one left.
        for number, each in enumerate(report.learnings if depth == DEPTHS[0] else report.learnings[: len(rows)]):
            attributes = {"number": number, "host": hosts[each.host], "project": projects[each.project]}
            row = Markup(  # noqa: S704 -- escaped by the template
                template.render(each=each, depth=depth, has_several_projects=has_several_projects, **attributes)
            )
            added_bytes = len(row.encode()) - (len(rows[number].encode()) if depth != DEPTHS[0] else 0)
            if added_bytes > remaining_bytes:
                break
            remaining_bytes -= added_bytes
            rows[number : number + 1] = [row]
            depths[depth] += 1
    return rows, depths


def _group_rows(report: PageReport, row_count: int) -> list[tuple[str, list[int]]]:
    """Group the first ``row_count`` learnings by what happened in the period; without a period, they are one group."""
    if report.since is None:
        return [("", list(range(row_count)))]
    noticed, changed, waiting = list[int](), list[int](), list[int]()
    for index, each in enumerate(report.learnings[:row_count]):
        is_old = each.detected_at < report.since
        (noticed if not is_old else changed if each.changed_at >= report.since else waiting).append(index)
    earlier = [
        ("Noticed earlier, and changed or used in this period", changed),
        ("Noticed earlier, and waiting", waiting),
    ]
    return [("Noticed in this period", noticed), *(group for group in earlier if group[1])]


def _number_names(names: Iterable[str]) -> dict[str, int]:
    """Number the names in alphabetical order; the page's filters compare these numbers."""
    return {name: number for number, name in enumerate(sorted(set(names)))}


def make_environment() -> Environment:
    """Return the environment with the templates and filters of this page. It escapes all text."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        percent="{:.0%}".format,
        points=_format_points,
        when=_format_time,
        day=_format_day,
        number="{:,}".format,
        duration=format_duration,
        kind=format_kind,
        state=STATE_LABELS.__getitem__,
        trust=describe_trust,
        verdict=VERDICTS.__getitem__,
    )
    return environment


def read_template(name: str) -> str:
    """Return a file of the templates folder as text."""
    with open(os.path.join(TEMPLATES, name), encoding="utf-8") as file:
        return file.read()


def _format_points(difference: float) -> str:
    return f"{100 * difference:+.0f}"


def _format_day(at: int) -> str:
    return format_day(at) or "at an unknown time"


def _format_time(at: int) -> str:
    day = format_day(at)
    return f"{day} {time.strftime('%H:%M', time.localtime(at / 1000))}" if day else "at an unknown time"


# -- charts ----------------------------------------------------------------------------------------------------------


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
    """Split the period into one range of days for each bar: its first and its last day."""
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

    def compute_x(at: int) -> float:
        return round(WIDTH * (at - first) / max(1, last - first), 1)

    line = " ".join(f"{compute_x(each.at)},{_compute_y(each.share)}" for each in points)
    upper = [f"{compute_x(each.at)},{_compute_y(each.high)}" for each in points]
    lower = [f"{compute_x(each.at)},{_compute_y(each.low)}" for each in reversed(points)]
    votes = [vote for vote in skill.votes if vote.counts and vote.at <= last]
    marks = {
        outcome: {round(compute_x(vote.at)) for vote in votes if vote.outcome == outcome}
        for outcome in ("helpful", "harmful")
    }
    helpful = "".join(f"M{x} 0v{MARK_HEIGHT}" for x in sorted(marks["helpful"]))
    harmful = "".join(f"M{x} {HEIGHT}v-{MARK_HEIGHT}" for x in sorted(marks["harmful"]))
    return Curve(line, " ".join(upper + lower), helpful, harmful)


def _compute_y(share: float) -> float:
    return round(HEIGHT * (1 - share), 1)
