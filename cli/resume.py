"""`mind-skills resume`: end a pause."""

from __future__ import annotations

from mind_skills.cli import options
from mind_skills.cli.pause import find_top_folder
from mind_skills.output.state import resolve_project_option
from mind_skills.output.text import emit, format_count, print_line
from mind_skills.plugin import pausing
from mind_skills.store.home import get_state_folder


@options.top_level_command("mind-skills resume", "mind-skills resume --project ~/code/shop")
@options.project_filter
@options.as_json
def command(folder: str, as_json: bool) -> None:
    """Continue after `mind-skills pause`, everywhere or in one project.

    A project that was paused with --project stays paused until it is resumed with --project.
    """
    home = get_state_folder()
    project = resolve_project_option(folder) if folder else None
    changed = pausing.resume(home, project.id if project else "")
    is_paused_everywhere = pausing.find_pause_start(home) is not None
    top_folder = find_top_folder(project) if project else ""
    report = {"paused": is_paused_everywhere, "project": top_folder, "changed": changed, "until": None}
    paused_count = 0 if project else pausing.count_paused_projects(home)
    text = _format_result(top_folder, paused_count, changed=changed, is_paused_everywhere=is_paused_everywhere)
    emit(report, as_json, lambda: print_line(text))


def _format_result(folder: str, paused_project_count: int, *, changed: bool, is_paused_everywhere: bool) -> str:
    """Return the result as text. ``paused_project_count`` is the number of projects that are still paused on their own."""
    if paused_project_count:
        number, verb = format_count(paused_project_count, "project"), "is" if paused_project_count == 1 else "are"
        text = f"Resumed, but {number} {verb} still" if changed else f"Only {number} {verb}"
        return f"{text} paused: run `mind-skills resume --project DIR` to end that."
    scope = f" in {folder}" if folder else ""
    text = f"Resumed{scope or ' everywhere'}." if changed else f"mind-skills was not paused{scope}."
    if is_paused_everywhere:
        text += " All projects are paused: run `mind-skills resume` without --project to end that."
    return text
