"""The page: the document as one file of HTML that needs nothing else, not even a network.

Every text goes through Jinja2's autoescape; the two exceptions are the style sheet and the script, which are ours. The page's
own Content-Security-Policy lets nothing be loaded, and these two run by their hashes alone.
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

from mind_skills.output.candidates import kind_text
from mind_skills.report import charts
from mind_skills.report.events import KINDS, day_of

if TYPE_CHECKING:
    from mind_skills.output.candidates import State
    from mind_skills.report.document import PageReport

TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")
BUDGET = 3_600_000
"""Bytes of learnings: what does not fit is shown in short, in a line each, or not at all, so that the page opens quickly and
stays below 5 MB with all the rest.
"""
DEPTHS = ("line", "short", "whole")
"""How much of a learning is shown: its title, what it says and where it stands, and what carries it."""
CHARTS, VOTES, REFUSED = 100, 50, 100
"""So many skills are shown with their votes, so many votes of each, so many refusals: the last ones."""
STATES: dict[State, str] = {
    "pending": "waiting",
    "offered": "handed over",
    "waiting": "seen once",
    "accepted": "became a skill",
    "covered": "known already",
    "ignored": "not taken up",
    "shelved": "set aside",
    "dismissed": "refused",
    "merged": "part of another",
}
"""What the page calls the states, in the order of its filter."""
ROLES = {"verification": "proof", "change": "what was changed"}
"""What the page calls the roles of evidence, where it is another word."""
VERDICTS = {
    "better": "better with the skill",
    "worse": "worse with the skill",
    "no_difference": "no difference that chance does not explain",
    "not_enough_data": "not enough sessions to say anything",
}


def render_page(report: PageReport) -> str:
    """The whole page."""
    environment = _environment()
    style, script = _read("page.css"), _read("page.js")
    begin = "" if report.since is None else day_of(report.since)
    bins = charts.list_bins(report.days, begin, day_of(report.made_at))
    sums = {kind: charts.sum_bins(report.days, bins, kind) for kind in KINDS}
    hosts, projects = (
        _number(each.host for each in report.learnings),
        _number(each.project for each in report.learnings),
    )
    rows, depths = _rows(environment, report, hosts, projects)
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
        bars={kind: charts.draw_bars(bins, found) for kind, found in sums.items()},
        curves=[charts.draw_curve(skill) for skill in report.skills[:CHARTS]],
        most_votes=VOTES,
        most_refused=REFUSED,
        rows=rows,
        depths=depths,
        places={(each.project, each.id): number for number, each in enumerate(report.learnings[: len(rows)])},
        states={state: text for state, text in STATES.items() if any(each.state == state for each in report.learnings)},
        hosts=hosts,
        projects=projects,
    )


def hash_source(text: str) -> str:
    """What a Content-Security-Policy calls a text that may run: its SHA-256, in base64."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _rows(
    environment: Environment, report: PageReport, hosts: dict[str, int], projects: dict[str, int]
) -> tuple[list[Markup], dict[str, int]]:
    """Learnings as pieces of the page, as many as fit, and how many of them, the first ones, are shown at which depth."""
    template, many = environment.get_template("learning.html"), len(projects) > 1
    rows: list[Markup] = []
    depths: dict[str, int] = {}
    left = BUDGET
    for depth in DEPTHS:
        depths[depth] = 0
        # Each depth takes what is left by the one before, which reached further.
        for number, each in enumerate(report.learnings if depth == DEPTHS[0] else report.learnings[: len(rows)]):
            place = {"number": number, "host": hosts[each.host], "project": projects[each.project]}
            row = Markup(template.render(each=each, depth=depth, many=many, **place))  # noqa: S704 -- escaped there
            more = len(row.encode()) - (len(rows[number].encode()) if depth != DEPTHS[0] else 0)
            if more > left:
                break
            left -= more
            rows[number : number + 1] = [row]
            depths[depth] += 1
    return rows, depths


def _number(names: Iterable[str]) -> dict[str, int]:
    """A number for each name, which stands for it where texts are compared."""
    return {name: number for number, name in enumerate(sorted(set(names)))}


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    environment.filters.update(
        percent=_percent,
        points=_points,
        when=_when,
        day=_day,
        number=_number_text,
        duration=_duration,
        kind=kind_text,
        state=_state,
        role=_role,
        verdict=_verdict,
    )
    return environment


@cache
def _read(name: str) -> str:
    with open(os.path.join(TEMPLATES, name), encoding="utf-8") as file:
        return file.read()


def _state(state: State) -> str:
    return STATES[state]


def _role(role: str) -> str:
    return ROLES.get(role, role)


def _verdict(verdict: str) -> str:
    return VERDICTS[verdict]


def _percent(share: float) -> str:
    return f"{share:.0%}"


def _points(difference: float) -> str:
    return f"{100 * difference:+.0f}"


def _number_text(amount: float) -> str:
    return f"{amount:,}"


def _day(at: int | None) -> str:
    return (day_of(at) if at is not None else "") or "at a time that is not known"


def _when(at: int | None) -> str:
    day = _day(at)
    return f"{day} {time.strftime('%H:%M', time.localtime(at / 1000))}" if at is not None and day[:1].isdigit() else day


def _duration(milliseconds: float) -> str:
    seconds = milliseconds / 1000
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
