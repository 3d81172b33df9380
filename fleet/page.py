"""HTML page of a fleet report: a single file, with the style sheet of `mind-skills report`."""

from __future__ import annotations

import os

from jinja2 import FileSystemLoader
from markupsafe import Markup

from mind_skills.fleet.document import FleetReport
from mind_skills.report.page import hash_source, make_environment, read_template

TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")


def render_page(report: FleetReport) -> str:
    """Render the complete page. It has no script, and its Content-Security-Policy allows only its own style sheet."""
    environment = make_environment()
    environment.loader = FileSystemLoader(TEMPLATES)
    style = read_template("page.css")
    policy = f"default-src 'none'; style-src '{hash_source(style)}'; base-uri 'none'; form-action 'none'"
    return environment.get_template("fleet.html").render(
        report=report,
        policy=policy,
        style=Markup(style),  # noqa: S704 -- our own file
    )
