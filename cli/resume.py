"""`mind-skills resume`: the pause is over."""

from __future__ import annotations

from mind_skills.cli import options
from mind_skills.cli.pause import PauseReport
from mind_skills.output.state import choose_project
from mind_skills.output.text import emit, line
from mind_skills.plugin import pausing
from mind_skills.store.home import state_folder


@options.command("mind-skills resume", "mind-skills resume --project ~/code/shop")
@options.only_project
@options.as_json
def command(project: str, as_json: bool) -> None:
    """Go on after `mind-skills pause`: everywhere, or in one project."""
    home = state_folder()
    place = choose_project(project) if project else None
    changed = pausing.resume(home, place.id if place else "")
    still = pausing.paused_since(home) is not None
    report = PauseReport(paused=still, project=place.root if place else "", changed=changed)
    emit(report, as_json, lambda: line(_said(changed, report.project, still and place is not None)))


def _said(changed: bool, project: str, still: bool) -> str:
    where = f" in {project}" if project else ""
    text = f"Going on{where or ' everywhere'}." if changed else f"There was no pause{where}."
    return f"{text} The pause everywhere goes on: `mind-skills resume` ends it." if still else text
