"""The page of a fleet report: one file of HTML with the style sheet and the policy of the report of one machine."""

from __future__ import annotations

import os

from jinja2 import FileSystemLoader
from markupsafe import Markup

from mind_skills.fleet.document import FleetReport
from mind_skills.report.page import hash_source, make_environment, read_template

TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")


def render_page(report: FleetReport) -> str:
    """The whole page. It has no script; its Content-Security-Policy allows its own style sheet and nothing else."""
    environment = make_environment()
    environment.loader = FileSystemLoader(TEMPLATES)
    style = read_template("page.css")
    policy = f"default-src 'none'; style-src '{hash_source(style)}'; base-uri 'none'; form-action 'none'"
    return environment.get_template("fleet.html").render(
        report=report,
        policy=policy,
        style=Markup(style),  # noqa: S704 -- our own file
    )
