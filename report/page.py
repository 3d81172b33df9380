"""HTML page of the report: a single file that needs no other file and no network.

All text goes through Jinja2's autoescape, except for our own style sheet and script. The page's
Content-Security-Policy forbids loading anything, and allows only these two, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import os
import time
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from mind_skills.output.candidates import STATE_TEXTS, format_kind
from mind_skills.report import charts
from mind_skills.report.events import KINDS, format_day

if TYPE_CHECKING:
    from mind_skills.output.candidates import State
    from mind_skills.report.document import PageReport

TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")
LEARNINGS_BYTES = 3_600_000
"""Bytes available for learnings. Those that do not fit are shown with less detail or omitted, so that the page opens
quickly and stays below 5 MB."""
DEPTHS = ("line", "short", "whole")
"""Levels of detail of a learning: the first shows its title, state and id, the second also its texts and origin, the
third also its evidence, files and why it was noticed."""
MAX_CHARTS, MAX_VOTES, MAX_REFUSED = 100, 50, 100
"""Maximum number of skills shown with votes, of votes per skill, and of dismissed learnings; the latest are shown."""
ROLES = {"verification": "proof", "change": "change made"}
"""Labels of evidence roles that differ from the role's name."""
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
    bins = charts.list_bins(report.days, begin, format_day(report.made_at))
    sums = {kind: charts.sum_bins(report.days, bins, kind) for kind in KINDS}
    hosts, projects = (
        _number_names(each.host for each in report.learnings),
        _number_names(each.project for each in report.learnings),
    )
    rows, depths = _render_learnings(environment, report, hosts, projects)
    return environment.get_template(
        "page.html"
    ).render(
        report=report,
        width=charts.WIDTH,
        height=charts.HEIGHT,
        policy=f"default-src 'none'; style-src '{hash_source(style)}'; script-src '{hash_source(script)}';"
        " base-uri 'none'; form-action 'none'",
        style=Markup(style),  # noqa: S704 -- our own file
        script=Markup(script),  # noqa: S704 -- our own file
        bins=bins,
        sums=sums,
        bars={kind: charts.draw_bars(bins, bin_sums) for kind, bin_sums in sums.items()},
        curves=[charts.draw_curve(skill) for skill in report.skills[:MAX_CHARTS]],
        max_votes=MAX_VOTES,
        max_refused=MAX_REFUSED,
        sections=_group_rows(report, len(rows)),
        rows=rows,
        depths=depths,
        row_numbers={(each.project, each.id): number for number, each in enumerate(report.learnings[: len(rows)])},
        states={
            state: text for state, text in STATE_TEXTS.items() if any(each.state == state for each in report.learnings)
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
    """Group the first ``row_count`` learnings by what happened in the period; without a period, they are one group.

    Returns the heading of each group and the indexes of its learnings.
    """
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
        keep_trailing_newline=False,
    )
    environment.filters.update(
        percent=_format_percent,
        points=_format_points,
        when=_format_time,
        day=_format_day,
        number=_format_number,
        duration=_format_duration,
        kind=format_kind,
        state=_format_state,
        role=_format_role,
        verdict=_format_verdict,
    )
    return environment


@cache
def read_template(name: str) -> str:
    """Return a file of the templates folder as text."""
    with open(os.path.join(TEMPLATES, name), encoding="utf-8") as file:
        return file.read()


def _format_state(state: State) -> str:
    return STATE_TEXTS[state]


def _format_role(role: str) -> str:
    return ROLES.get(role, role)


def _format_verdict(verdict: str) -> str:
    return VERDICTS[verdict]


def _format_percent(share: float) -> str:
    return f"{share:.0%}"


def _format_points(difference: float) -> str:
    return f"{100 * difference:+.0f}"


def _format_number(amount: float) -> str:
    return f"{amount:,}"


def _format_day(at: int | None) -> str:
    return (format_day(at) if at is not None else "") or "at an unknown time"


def _format_time(at: int | None) -> str:
    day = _format_day(at)
    return f"{day} {time.strftime('%H:%M', time.localtime(at / 1000))}" if at is not None and day[:1].isdigit() else day


def _format_duration(milliseconds: float) -> str:
    seconds = milliseconds / 1000
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
