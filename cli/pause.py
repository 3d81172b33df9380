"""`mind-skills pause`: hooks return at once for a while."""

from __future__ import annotations

from typing import Literal

from mind_skills.cli import options
from mind_skills.output.document import Report
from mind_skills.output.state import choose_project
from mind_skills.output.text import emit, line
from mind_skills.plugin import pausing
from mind_skills.store.home import ensure


class PauseReport(Report):
    """`pause` and `resume` with ``--json``. ``project`` is empty for everywhere; ``changed`` is false if it was so before."""

    version: Literal[1] = 1
    paused: bool
    project: str
    changed: bool


@options.command("mind-skills pause", "mind-skills pause --project ~/code/shop")
@options.only_project
@options.as_json
def command(project: str, as_json: bool) -> None:
    """Notice nothing and offer nothing until `mind-skills resume`: everywhere, or in one project.

    Hooks stay where they are and return at once. What waits goes on waiting. To switch a project off for good, and
    for everybody who works in it, say `mind-skills config set enabled false --project` there.
    """
    place = choose_project(project) if project else None
    changed = pausing.pause(ensure(), place.id if place else "")
    report = PauseReport(paused=True, project=place.root if place else "", changed=changed)
    where = f"in {report.project}" if report.project else "everywhere"
    emit(report, as_json, lambda: line(f"{'Paused' if changed else 'Already paused'} {where}."))
