"""`mind-skills resume`: end a pause."""

from __future__ import annotations

import os
from shlex import quote as quote_word

from mind_skills.cli import options
from mind_skills.cli.pause import find_top_folder
from mind_skills.errors import MindSkillsError
from mind_skills.output.state import open_ledger, resolve_project_option
from mind_skills.output.text import emit, format_count, join_names, print_line
from mind_skills.plugin import pausing
from mind_skills.store.home import get_state_folder
from mind_skills.store.project import Project


@options.top_level_command("mind-skills resume", "mind-skills resume --project ~/code/shop")
@options.project_filter
@options.as_json
def command(folder: str, as_json: bool) -> None:
    """Continue after `mind-skills pause`, everywhere or in one project.

    A project that was paused with --project stays paused until it is resumed with --project.
    """
    home = get_state_folder()
    ids, top_folder = _find_projects(home, folder) if folder else ([""], "")
    ended = [pausing.resume(home, id_) for id_ in ids]
    changed = any(ended)
    is_paused_everywhere = pausing.find_pause_start(home) is not None
    report = {"paused": is_paused_everywhere, "project": top_folder, "changed": changed, "until": None}
    paused_ids = [] if folder else pausing.list_paused_projects(home)
    text = _format_result(top_folder, paused_ids, changed=changed, is_paused_everywhere=is_paused_everywhere)
    emit(report, as_json, lambda: print_line(text))


def _find_projects(home: str, folder: str) -> tuple[list[str], str]:
    """Return the ids of the project in ``folder`` and, unless it is paused itself, of paused ones that were there; and the
    folder's path. A folder that is gone, or a repository since, may have been paused as another project.
    """
    path = os.path.abspath(os.path.expanduser(folder))
    try:
        project = resolve_project_option(folder)
    except MindSkillsError:
        ids = _list_paused_in(home, path)
        if not ids:
            raise
        return ids, path
    is_paused = pausing.find_pause_start(home, project.id) is not None
    return [project.id, *([] if is_paused else _list_paused_in(home, project.root))], find_top_folder(project)


def _list_paused_in(home: str, root: str) -> list[str]:
    """List the ids of the paused projects whose recorded folders include ``root``."""
    paused_ids = pausing.list_paused_projects(home)
    if not paused_ids:
        return []
    with open_ledger(create=False) as ledger:
        return [id_ for id_ in paused_ids if root in ledger.list_roots(Project("", id_, ""))]


def _format_result(folder: str, paused_ids: list[str], *, changed: bool, is_paused_everywhere: bool) -> str:
    """Return the result as text. ``paused_ids`` are those of the projects that are still paused on their own."""
    if paused_ids:
        number, verb = format_count(len(paused_ids), "project"), "is" if len(paused_ids) == 1 else "are"
        text = f"Resumed, but {number} {verb} still" if changed else f"Only {number} {verb}"
        commands = [f"`mind-skills resume --project {folder}`" for folder in _list_folders(paused_ids)]
        return f"{text} paused: run {join_names(commands)} to end that."
    scope = f" in {folder}" if folder else ""
    text = f"Resumed{scope or ' everywhere'}." if changed else f"mind-skills was not paused{scope}."
    if is_paused_everywhere:
        text += " All projects are paused: run `mind-skills resume` without --project to end that."
    return text


def _list_folders(project_ids: list[str]) -> list[str]:
    """Return a folder of each project as a word of a command: `.` for the current one, which is first, and DIR if unknown."""
    try:
        here = resolve_project_option("").id
    except MindSkillsError:  # the current folder is gone
        here = ""
    with open_ledger(create=False) as ledger:
        roots = {id_: ledger.list_roots(Project("", id_, "")) for id_ in project_ids}
    folders = ["." if id_ == here else quote_word(roots[id_][0]) if roots[id_] else "DIR" for id_ in project_ids]
    return sorted(dict.fromkeys(folders), key=lambda folder: (folder != ".", folder == "DIR", folder))
