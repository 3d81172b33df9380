"""`mind-skills resume`: end a pause."""

from __future__ import annotations

from mind_skills.cli import options
from mind_skills.cli.pause import PauseReport
from mind_skills.output.state import resolve_project_option
from mind_skills.output.text import emit, print_line
from mind_skills.plugin import pausing
from mind_skills.store.home import get_state_folder


@options.top_command("mind-skills resume", "mind-skills resume --project ~/code/shop")
@options.only_project
@options.as_json
def command(folder: str, as_json: bool) -> None:
    """Continue after `mind-skills pause`, everywhere or in one project."""
    home = get_state_folder()
    project = resolve_project_option(folder) if folder else None
    changed = pausing.resume(home, project.id if project else "")
    is_paused_everywhere = pausing.find_pause_start(home) is not None
    report = PauseReport(paused=is_paused_everywhere, project=project.root if project else "", changed=changed)
    emit(
        report,
        as_json,
        lambda: print_line(_format_result(changed, report.project, is_paused_everywhere and project is not None)),
    )


def _format_result(changed: bool, project: str, is_paused_everywhere: bool) -> str:
    scope = f" in {project}" if project else ""
    text = f"Resumed{scope or ' everywhere'}." if changed else f"mind-skills was not paused{scope}."
    return (
        f"{text} All projects are paused: run `mind-skills resume` without --project to end that."
        if is_paused_everywhere
        else text
    )
