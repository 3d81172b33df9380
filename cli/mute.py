"""`mind-skills mute`: stop the reminders of one error, candidate or skill in a project."""

from __future__ import annotations

import sys

import click

from mind_skills.cli import options
from mind_skills.errors import MindSkillsError
from mind_skills.hooks.failure import find_hits
from mind_skills.learning.skills.discovery import find_installed_skills
from mind_skills.output import state
from mind_skills.output.text import emit, print_line
from mind_skills.staging.ledger import Ledger
from mind_skills.store.error_index import list_keys
from mind_skills.store.home import get_state_folder
from mind_skills.store.project import Project

_HEX_KEY = 16


@options.top_level_command(
    "mind-skills mute sc_1a2b3c4d", "npm test 2>&1 | mind-skills mute -", "mind-skills mute sc_1a2b3c4d --undo"
)
@click.argument("what", default="", metavar="[ID|SKILL|ERROR]")
@click.option("--undo", is_flag=True, help="Resume the reminders.")
@options.project_and_json
def command(what: str, undo: bool, folder: str, as_json: bool) -> None:
    """Stop reminding agents of an error in this project, or of a candidate or skill; without an argument, list what is muted.

    ERROR is the text of the error; `-` reads the output of the command from stdin. `mind-skills config set reminders false` stops all
    reminders.
    """
    project = state.resolve_project_option(folder)
    text = sys.stdin.read() if what == "-" else what
    with state.open_ledger(create=bool(text)) as ledger:
        muted = ledger.list_muted(project.id)
        for name in _identify(ledger, project, text, muted) if text else ():
            if undo:
                ledger.unmute(project.id, name, find_installed_skills(project.root).skills)
            else:
                ledger.mute(project.id, name, state.read_clock())
        muted = ledger.list_muted(project.id)
    names = ", ".join(muted) or "nothing"
    emit({"project": project.root, "muted": muted}, as_json, lambda: print_line(f"Muted in {project.root}: {names}."))


def _identify(ledger: Ledger, project: Project, text: str, muted: list[str]) -> list[str]:
    """Return what to mute: an id, a skill's name, or the keys of the errors in a text. Raises MindSkillsError, StagingError."""
    if text in muted or any(skill.name == text for skill in state.list_project_skills(ledger, project)):
        return [text]
    hits = find_hits(get_state_folder(), project.id, "", None, text)
    keys = list(dict.fromkeys(hit.key for hit in hits)) or [
        key.hex() for key, _, _ in list_keys(text) if key.hex() in muted
    ]
    if not keys and len(text.split()) == 1 and not (len(text) == _HEX_KEY and text.isalnum()):
        return [ledger.find_candidate(text, project).candidate.id]
    if not keys:
        hint = "Give the line that names the error, or the id in the reminder."
        raise MindSkillsError("not_solved", "no session of this project has solved such an error", hint)
    return keys
