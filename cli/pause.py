"""`mind-skills pause`: make hooks return immediately."""

from __future__ import annotations

from typing import Literal

from mind_skills.cli import options
from mind_skills.output.document import Report
from mind_skills.output.state import resolve_project_option
from mind_skills.output.text import emit, print_line
from mind_skills.plugin import pausing
from mind_skills.store.home import ensure_folder, find_git_entry
from mind_skills.store.project import Project


class PauseReport(Report):
    """Output of `mind-skills pause --json` and `mind-skills resume --json`.

    ``project`` is the top folder of the project, or empty for all projects.
    ``paused`` is true if the project is paused afterwards or, if ``project`` is empty, if all projects are. ``changed``
    is false if a pause already existed, or if there was no pause to end.
    """

    version: Literal[1] = 1
    paused: bool
    project: str
    changed: bool


@options.top_level_command("mind-skills pause", "mind-skills pause --project ~/code/shop")
@options.project_filter
@options.as_json
def command(folder: str, as_json: bool) -> None:
    """Notice and offer nothing until you run `mind-skills resume`, everywhere or in one project.

    The hooks stay installed and return immediately. Pending candidates stay pending. To disable a project permanently,
    run `mind-skills config set enabled false --project` there.
    """
    project = resolve_project_option(folder) if folder else None
    changed = pausing.pause(ensure_folder(), project.id if project else "")
    report = PauseReport(paused=True, project=find_top_folder(project) if project else "", changed=changed)
    scope = f"in {report.project}" if report.project else "everywhere"
    emit(report, as_json, lambda: print_line(f"{'Paused' if changed else 'Already paused'} {scope}."))


def find_top_folder(project: Project) -> str:
    """Return the top of the project's work tree, all of which a pause affects; its folder if it has no repository."""
    return find_git_entry(project.root) if project.git_folder else project.root
