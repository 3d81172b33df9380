"""Forgetting everything: the state folder, the user's settings, and what lies in the projects."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import stat
from contextlib import closing
from dataclasses import dataclass, field

from mind_skills.errors import MindSkillsError, StoreError
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
from mind_skills.output.text import join_names
from mind_skills.plugin import pausing
from mind_skills.plugin.environment import place as place_of_environment
from mind_skills.settings.lenient import project_file, user_file
from mind_skills.setup.install import journal, running
from mind_skills.setup.install.journal import Journal
from mind_skills.setup.install.targets import find_folder
from mind_skills.staging import start_files
from mind_skills.staging.pending_file import (
    FOLDER,
    LIMIT,
    NAME,
    PendingFile,
    UnreadablePendingError,
    is_ours,
    parse,
    render,
)
from mind_skills.store import database, exclude, home
from mind_skills.store.atomic import Folder
from mind_skills.watch import instance

LIST = 4 * 1024 * 1024
"""Bytes of git's list that are looked at; store/exclude.py takes no longer ones."""


@dataclass(slots=True)
class Purged:
    """What went, as paths, and what stays and why, in sentences."""

    removed: list[str] = field(default_factory=list[str])
    kept: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class Known:
    """What the database knows: ``places`` as (folder of the project, its common git folder), ids of candidates, and
    ``indexes`` of LanceDB as memory/lance_place.py has them.
    """

    places: tuple[tuple[str, str], ...] = ()
    ids: frozenset[str] = frozenset()
    indexes: tuple[tuple[str, str, str, str], ...] = ()


def read_known(home: str) -> Known:
    """What the database of the state folder ``home`` knows. Raises sqlite3.Error where it cannot be read."""
    path = os.path.join(home, database.NAME)
    if not os.path.exists(path):
        return Known()
    with closing(open_readonly(path)) as sql:
        rows = sql.execute("SELECT root, git FROM places UNION SELECT root, git FROM sessions").fetchall()
        ids = {row[0] for row in sql.execute("SELECT id FROM candidates")}
        ids.update(row[0] for row in sql.execute("SELECT DISTINCT candidate FROM receipts WHERE what = 'staged'"))
        indexes = tuple(lance_place.list_made(sql))
    places = tuple(sorted({(os.fsdecode(root), os.fsdecode(git)) for root, git in rows}))
    return Known(places, frozenset(ids), indexes)


def open_readonly(path: str) -> sqlite3.Connection:
    """A connection that cannot change the database. Raises sqlite3.Error."""
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return sqlite3.connect(f"file:{quoted}?mode=ro", uri=True, timeout=10.0)


def clean_project(root: str, git: str, ids: frozenset[str], done: Purged, *, dry_run: bool) -> None:
    """Take our files out of one project; what others put into the pending file stays in it. Raises OSError."""
    place = os.path.join(root, FOLDER)
    try:
        if os.path.isdir(place) and not os.path.islink(place):
            with Folder(place) as folder:
                for name in sorted(filter(is_ours, os.listdir(place))):
                    _clean_pending(folder, name, ids, done, dry_run)
            if not dry_run:
                journal.remove_empty(place)
        if git and is_listed(git):
            done.removed.append(f"{os.path.join(git, 'info', 'exclude')}: {exclude.PATTERN}")
            if not dry_run:
                exclude.remove(git)
    except StoreError as error:
        done.kept.append(str(error))
    own = project_file(root)
    if os.path.lexists(own):
        done.kept.append(f"{own} is yours, and may belong to the repository")


def is_listed(git: str) -> bool:
    """Whether our line stands in git's list."""
    try:
        with open(os.path.join(git, "info", "exclude"), "rb") as file:
            return exclude.PATTERN.encode() in (line.strip() for line in file.read(LIST).splitlines())
    except (FileNotFoundError, NotADirectoryError):
        return False


def _clean_pending(folder: Folder, name: str, ids: frozenset[str], done: Purged, dry_run: bool) -> None:
    path = os.path.join(folder.path, name)
    state = folder.state_of(name)
    if state is None or not stat.S_ISREG(state.st_mode):
        done.kept.append(f"{path} is no file of ours")
        return
    try:
        others = _read_others(folder, ids) if name == NAME else None
    except UnreadablePendingError as newer:
        done.kept.append(f"{path} is not from this mind-skills: {newer.reason}")
        return
    if others is None:
        done.removed.append(path)
        if not dry_run:
            folder.remove(name)
        return
    done.kept.append(f"{path} holds candidates that another tool put there")
    if not dry_run:
        folder.write(name, render(others))


def _read_others(folder: Folder, ids: frozenset[str]) -> PendingFile | None:
    """The pending file without our candidates; None where nothing is left then.

    Raises UnreadablePendingError where it is of a version that is not ours.
    """
    try:
        content = parse(folder.read(NAME, LIMIT) or b"")
    except UnreadablePendingError as error:
        if error.kind == "newer":
            raise
        return None  # no file that anybody could read
    content.candidates = [candidate for candidate in content.candidates if candidate["id"] not in ids]
    return content if content.candidates or content.extra else None


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


COMMAND = "`mind-skills uninstall --all --purge`"


def list_other_hosts(named: list[str]) -> list[str]:
    """The hosts beside ``named`` that still use the state."""
    return [host for host in NAMES if host not in named and running.is_installed(host)]


def describe_kept() -> list[str]:
    """What stays without a purge, in sentences: what was learned, the settings, and what lies in projects.

    Raises StoreError, OSError.
    """
    place, found = home.state_folder(), list[str]()
    if is_used(place):
        found.append(f"{place} has what was learned")
        try:
            lists = [os.path.join(root, FOLDER, NAME) for root, _ in read_known(place).places]
        except sqlite3.Error:
            lists = []  # `mind-skills doctor` says what is wrong with it
        found += [f"{path} has what waits there" for path in lists if os.path.lexists(path)]
    if os.path.lexists(user_file()):
        found.append(f"{user_file()} has your settings")
    return found


def require_no_other_host(named: list[str]) -> None:
    """Raise MindSkillsError where hosts beside ``named`` still use the state that is about to go."""
    others = list_other_hosts(named)
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

    What is needed to take us out of a file of a host, which could not be done, stays until that is done. Returns what was
    done, and what the database knew. Raises StoreError, OSError.
    """
    done = Purged()
    place = home.state_folder()
    needed = {} if dry_run else Journal.peek(place).entries
    made = {*Journal.peek(place).folders, *home.made(place)}
    try:
        known = read_known(place)
    except sqlite3.Error as error:
        known = Known()
        done.kept.append(f"files in projects, which are not known any more: the database cannot be read ({error})")
    for root, git in known.places:
        clean_project(root, git, known.ids, done, dry_run=dry_run)
    removed, kept = lance_place.remove_tables(known.indexes, dry_run=dry_run)
    done.removed += removed
    done.kept += kept
    # The environment comes last: this very command may run in it.
    for path in [*_list_user_file(done), *_list_state(place), *_list_environments()]:
        if needed and path == os.path.join(place, journal.FOLDER):
            hosts = join_names(sorted({entry.host for entry in needed.values()}))
            done.kept.append(f"{path} has what is needed to uninstall {hosts}, once its settings can be read")
            continue
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
    lists = [os.path.join(git, "info", "exclude") for _, git in known.places if git and is_listed(git)]
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
