"""`mind-skills pause`: make hooks return immediately."""

from __future__ import annotations

import re

import click

from mind_skills.cli import options
from mind_skills.output.state import read_clock, resolve_project_option
from mind_skills.output.text import emit, format_time, print_line
from mind_skills.plugin import pausing
from mind_skills.store.home import ensure_folder, find_git_entry
from mind_skills.store.project import Project

_TIME = re.compile(r"([1-9]\d{0,4})([mhdw])")
_MINUTES = {"m": 1, "h": 60, "d": 24 * 60, "w": 7 * 24 * 60}


def _parse_time(_: click.Context, __: click.Parameter, value: str | None) -> int | None:
    """Return when a pause of this length that begins now ends (UTC ms)."""
    if value is None:
        return None
    match = _TIME.fullmatch(value.lower())
    if match is None:
        raise click.BadParameter("use a time such as 30m, 2h, 1d or 1w")
    return read_clock() + int(match[1]) * _MINUTES[match[2]] * 60_000


@options.top_level_command("mind-skills pause", "mind-skills pause 2h", "mind-skills pause --project ~/code/shop")
@click.argument("until", metavar="[TIME]", required=False, callback=_parse_time)
@options.project_filter
@options.as_json
def command(until: int | None, folder: str, as_json: bool) -> None:
    """Notice and offer nothing for TIME (such as 30m, 2h or 1d), everywhere or in one project.

    Without TIME, the pause lasts until you run `mind-skills resume`.

    The hooks stay installed and return immediately. Pending candidates stay pending. To disable a project permanently,
    run `mind-skills config set enabled false --project` there.
    """
    project = resolve_project_option(folder) if folder else None
    changed = pausing.pause(ensure_folder(), project.id if project else "", until)
    folder = find_top_folder(project) if project else ""
    text = (
        f"{'Paused' if changed or until is not None else 'Already paused'} {f'in {folder}' if folder else 'everywhere'}"
    )
    text += "" if until is None else f" until {format_time(until)}"
    report = {"paused": True, "project": folder, "changed": changed, "until": until}
    emit(report, as_json, lambda: print_line(f"{text}."))


def find_top_folder(project: Project) -> str:
    """Return the top of the project's work tree, all of which a pause affects; its folder if it has no repository."""
    return find_git_entry(project.root) if project.git_folder else project.root
