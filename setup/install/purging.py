"""Forgetting everything: the state folder, the user's settings, and what lies in the projects."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3

from mind_skills.errors import MindSkillsError
from mind_skills.hooks.session_state import (
    CHECKED,
    DEFERRED,
    ENDING,
    FORKED,
    HANDING,
    READING,
    RECEIPTS,
    RUNNING,
    UNANSWERED,
)
from mind_skills.hosts import NAMES
from mind_skills.memory import lance_place
from mind_skills.plugin import pausing
from mind_skills.plugin.environment import place as place_of_environment
from mind_skills.settings.lenient import user_file
from mind_skills.setup.install import journal, projects, running
from mind_skills.setup.install.journal import Journal
from mind_skills.setup.install.projects import Known, Purged
from mind_skills.setup.install.targets import find_folder
from mind_skills.staging import start_files
from mind_skills.store import database, home
from mind_skills.watch import instance

PARTS = {
    *(
        start_files.READY,
        start_files.OFFERED,
        pausing.FOLDER,
        journal.FOLDER,
        instance.FOLDER,
        "locks",
        "log",
        "spool",
        "memory",
    ),
    *(UNANSWERED, ENDING, RUNNING, CHECKED, FORKED, DEFERRED),
    *(home.MADE, home.REPORTS, READING, HANDING, RECEIPTS, start_files.ADVICE, start_files.REMINDERS),
}
"""What we make in the state folder, beside the database."""
_DATABASE = re.compile(
    rf"{re.escape(database.NAME)}(?:\.corrupt-\d+)?(?:-wal|-shm|-journal)?|{re.escape(database.NAME)}\.(?:lock|damaged)"
)
"""The database, one that was set aside, what SQLite makes beside either, and our marks."""


def require_no_other_host(named: list[str]) -> None:
    """Raise MindSkillsError where hosts beside ``named`` still use the state that is about to go."""
    others = [host for host in NAMES if host not in named and running.find_residue(host)]
    if others:
        message = f"what was learned is used by {' and '.join(others)} as well"
        raise MindSkillsError("still_installed", message, "Name them, too, or say --all.")


def require_no_watch(*, dry_run: bool) -> None:
    """Raise MindSkillsError where a watch runs, which would go on to learn."""
    known = None if dry_run else instance.read_holder(home.state_folder())
    if known is not None:
        message = f"process {known.pid} runs `mind-skills watch`, which would make the state folder anew"
        raise MindSkillsError("still_watching", message, f"End it with `kill {known.pid}`, and run this again.")


def purge(*, dry_run: bool = False) -> tuple[Purged, Known]:
    """Remove the state folder and the user's settings, and in every known project the pending file and git's line.

    Returns what was done, and what the database knew. Raises StoreError, OSError.
    """
    done = Purged()
    place = home.state_folder()
    made = {*Journal.peek(place).folders, *home.made(place)}
    try:
        known = projects.read_known(place)
    except sqlite3.Error as error:
        known = Known()
        done.kept.append(f"files in projects, which are not known any more: the database cannot be read ({error})")
    for root, git in known.places:
        projects.clean_project(root, git, known.ids, done, dry_run=dry_run)
    removed, kept = lance_place.remove_tables(known.indexes, dry_run=dry_run)
    done.removed += removed
    done.kept += kept
    # The environment comes last: this very command may run in it.
    for path in [*_list_user_file(done), *_list_state(place), *_list_environments()]:
        done.removed.append(path)
        if not dry_run:
            _remove(path)
    if not dry_run:
        for data in place_of_environment.folders(find_folder("claude-code")):
            journal.remove_empty(data)
        journal.remove_empty(os.path.dirname(user_file()))
        for path in sorted({*made, place}, key=len, reverse=True):
            journal.remove_empty(path)
    return done, known


def find_residue(known: Known) -> list[str]:
    """What is left of the state, the settings and in the projects, in sentences."""
    paths = [*_list_state(home.state_folder()), *_list_user_file(Purged()), *_list_environments()]
    paths += [path for path, _, _, mark in known.indexes if lance_place.carries_mark(path, mark)]
    lists = [os.path.join(git, "info", "exclude") for _, git in known.places if git and projects.is_listed(git)]
    return [f"{path} is still there" for path in paths] + [
        f"{path} still has our line" for path in dict.fromkeys(lists)
    ]


def _list_state(place: str) -> list[str]:
    """What of the state folder is ours: all of it in the platform's place, in one that the user named what we made."""
    try:
        names = sorted(os.listdir(place))
    except (FileNotFoundError, NotADirectoryError):
        return []
    own = home.VARIABLE not in os.environ
    ours = [name for name in names if own or name in PARTS or _DATABASE.fullmatch(name)]
    return [os.path.join(place, name) for name in ours] if own or is_used(place) else []


def is_used(place: str) -> bool:
    """Whether mind-skills keeps its state in a folder, and not somebody else what has names like ours."""
    signs = (database.NAME, os.path.join(journal.FOLDER, journal.NAME))
    return any(os.path.isfile(os.path.join(place, name)) for name in signs)


def _list_environments() -> list[str]:
    """What the Claude Code plugin has installed for itself, in the folders that its host keeps for it."""
    found = place_of_environment.folders(find_folder("claude-code"))
    return [part for data in found for part in place_of_environment.parts(data)]


def _list_user_file(done: Purged) -> list[str]:
    path = user_file()
    if not os.path.lexists(path):
        return []
    if home.MIND_SKILLS_CONFIG in os.environ or os.path.islink(path):
        done.kept.append(f"{path} is a place of your own choice")
        return []
    return [path]


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
        return
    try:
        os.unlink(path)
    except FileNotFoundError:
        return  # files that SQLite makes for a while go with their last reader
