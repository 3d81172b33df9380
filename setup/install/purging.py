"""Removal of all data: the state folder, the user's settings, the plugin's environments, and our files elsewhere."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sqlite3
import stat
import sys
from contextlib import closing
from dataclasses import dataclass, field

from mind_skills.errors import MindSkillsError, StoreError
from mind_skills.hooks import session_state
from mind_skills.hosts import HOST_NAMES
from mind_skills.learning.skills.files import FILE_NAME as SKILL_FILE_NAME
from mind_skills.memory import lance
from mind_skills.output.text import format_path, join_names
from mind_skills.plugin import environment, pausing
from mind_skills.settings.lenient import get_project_settings_path
from mind_skills.setup.install import host_install, journal
from mind_skills.setup.install.journal import Journal
from mind_skills.setup.install.targets import find_folder
from mind_skills.staging import pending_file, start_files
from mind_skills.store import database, home
from mind_skills.store.atomic import Folder
from mind_skills.store.git import PENDING_FILE_PATTERN, remove_exclude_pattern
from mind_skills.store.home import get_settings_path
from mind_skills.watch import instance

PLUGIN_HOST = "claude-code"
MAX_EXCLUDE_BYTES = 4 * 1024 * 1024
"""Maximum number of bytes read from git's exclude file, as in store/git.py."""


@dataclass(slots=True)
class PurgeResult:
    """The paths that were removed or edited; why other paths remain, in sentences; and the skill files, which remain."""

    removed: list[str] = field(default_factory=list[str])
    remaining: list[str] = field(default_factory=list[str])
    skills: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class PurgeRecords:
    """Contents of the database that a purge needs.

    ``projects`` are pairs (project folder, common git folder), ``ids`` are candidate ids, and ``indexes`` are our LanceDB
    tables as memory/lance.py lists them. ``skills`` are the existing skill files that agents wrote from
    candidates, including archived ones.
    """

    projects: tuple[tuple[str, str], ...] = ()
    ids: frozenset[str] = frozenset()
    indexes: tuple[tuple[str, str, str, str], ...] = ()
    skills: tuple[str, ...] = ()


def read_purge_records(home: str) -> PurgeRecords:
    """Read the records from the database in the state folder ``home``. Raises sqlite3.Error if that is not possible."""
    path = os.path.join(home, database.DATABASE_NAME)
    if not os.path.exists(path):
        return PurgeRecords()
    with closing(open_read_only(path)) as sql:
        rows = sql.execute("SELECT root, git FROM places UNION SELECT root, git FROM sessions").fetchall()
        ids = {row[0] for row in sql.execute("SELECT id FROM candidates")}
        ids.update(row[0] for row in sql.execute("SELECT DISTINCT candidate FROM receipts WHERE what = 'staged'"))
        indexes = tuple(lance.list_registered_tables(sql))
        written = sql.execute("SELECT detail FROM candidates WHERE state = 'accepted' AND detail != ''")
        skill_paths = {os.fsdecode(row[0]) for row in written}
        if sql.execute("SELECT 1 FROM sqlite_master WHERE name = 'archived'").fetchone():
            archived = sql.execute("SELECT target FROM archived WHERE restored_at IS NULL")
            skill_paths.update(os.path.join(os.fsdecode(row[0]), SKILL_FILE_NAME) for row in archived)
    projects = tuple(sorted({(os.fsdecode(root), os.fsdecode(git)) for root, git in rows}))
    skills = tuple(sorted(format_path(path) for path in skill_paths if os.path.isfile(path)))
    return PurgeRecords(projects, frozenset(ids), indexes, skills)


def open_read_only(path: str) -> sqlite3.Connection:
    """Open a read-only connection. Raises sqlite3.Error."""
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return sqlite3.connect(f"file:{quoted}?mode=ro", uri=True, timeout=10.0)


def clean_project(root: str, git: str, ids: frozenset[str], result: PurgeResult, *, dry_run: bool) -> None:
    """Remove our files and our line in git's exclude file from a project; preserve other tools' pending candidates. Raises OSError."""
    folder_path = os.path.join(root, pending_file.FOLDER_NAME)
    try:
        if os.path.isdir(folder_path) and not os.path.islink(folder_path):
            with Folder(folder_path) as folder:
                for name in sorted(filter(pending_file.is_pending_file_name, os.listdir(folder_path))):
                    _clean_pending(folder, name, ids, result, dry_run)
            if not dry_run:
                journal.remove_empty_folder(folder_path)
        if git and has_exclude_entry(git):
            result.removed.append(f"{os.path.join(git, 'info', 'exclude')}: {PENDING_FILE_PATTERN}")
            if not dry_run:
                remove_exclude_pattern(git)
    except StoreError as error:
        result.remaining.append(str(error))
    settings_path = get_project_settings_path(root)
    if os.path.lexists(settings_path):
        result.remaining.append(f"{settings_path} is your own file and may belong to the repository")


def has_exclude_entry(git: str) -> bool:
    """Return whether git's exclude file contains our line."""
    try:
        with open(os.path.join(git, "info", "exclude"), "rb") as file:
            return PENDING_FILE_PATTERN.encode() in (line.strip() for line in file.read(MAX_EXCLUDE_BYTES).splitlines())
    except (FileNotFoundError, NotADirectoryError):
        return False


def _clean_pending(folder: Folder, name: str, ids: frozenset[str], result: PurgeResult, dry_run: bool) -> None:
    path = os.path.join(folder.path, name)
    state = folder.stat_entry(name)
    if state is None or not stat.S_ISREG(state.st_mode):
        result.remaining.append(f"{path} was not created by mind-skills")
        return
    try:
        others = _read_others(folder, ids) if name == pending_file.FILE_NAME else None
    except pending_file.UnreadablePendingError as error:
        result.remaining.append(f"{path} was not written by this version of mind-skills: {error.reason}")
        return
    if others is None:
        result.removed.append(path)
        if not dry_run:
            folder.remove(name)
        return
    result.remaining.append(f"{path} contains candidates from another tool")
    if not dry_run:
        folder.write(name, pending_file.serialise_pending_file(others))


def _read_others(folder: Folder, ids: frozenset[str]) -> pending_file.PendingFile | None:
    """Return the pending file without our candidates; None if nothing remains.

    Raises UnreadablePendingError if the file has a newer version.
    """
    try:
        content = pending_file.parse_pending_file(folder.read(pending_file.FILE_NAME, pending_file.MAX_BYTES) or b"")
    except pending_file.UnreadablePendingError as error:
        if error.kind == "newer":
            raise
        return None  # the file is damaged, so it is removed
    content.candidates = [candidate for candidate in content.candidates if candidate["id"] not in ids]
    return content if content.candidates or content.extra else None


STATE_NAMES = {
    *(session_state.UNANSWERED, session_state.ENDING, session_state.RUNNING, session_state.CHECKED),
    *(session_state.FORKED, session_state.DEFERRED, session_state.DELIVERING, session_state.LOG_STATE),
    *(session_state.NOTICED, session_state.RECEIPTS, "locks", "log", "spool", "memory"),
    *(start_files.READY_FOLDER, start_files.OFFERED_FOLDER, start_files.ADVICE_FOLDER, start_files.REMINDERS_FOLDER),
    *(home.CREATED_FOLDERS_FILE, home.REPORTS_FOLDER, pausing.FOLDER, journal.FOLDER, instance.FOLDER),
}
"""Names of the files and folders that we create in the state folder, apart from the database."""
_DATABASE_FILE_PATTERN = re.compile(
    rf"{re.escape(database.DATABASE_NAME)}(?:\.corrupt-\d+)?(?:-wal|-shm|-journal)?|{re.escape(database.DATABASE_NAME)}\.(?:lock|damaged)"
)
"""The database, damaged databases that were set aside, SQLite's auxiliary files, and our lock and marker."""


PURGE_COMMAND = "`mind-skills uninstall --all --purge`"


def find_program_removal() -> str:
    """Return the command that removes the program itself; empty if it runs in an environment of the plugin."""
    if any(sys.prefix.startswith(os.path.join(data, "")) for data in list_plugin_folders()):
        return ""
    for marker, command in (("uv-receipt.toml", "uv tool"), ("pipx_metadata.json", "pipx")):
        if os.path.isfile(os.path.join(sys.prefix, marker)):
            return f"{command} uninstall mind-skills"
    return f"{shlex.quote(sys.executable)} -m pip uninstall mind-skills"


def list_plugin_folders() -> list[str]:
    """List the data folders of our Claude Code plugin. Raises MindSkillsError if there is no home folder."""
    return environment.list_data_folders(find_folder(PLUGIN_HOST))


def list_other_hosts(selected: list[str]) -> list[str]:
    """List the hosts other than ``selected`` that have our entries, and so use the data in the state folder."""
    return [host for host in HOST_NAMES if host not in selected and host_install.is_installed(host)]


def describe_remaining() -> list[str]:
    """Describe what remains after uninstalling without a purge: learned data, settings, and files in projects.

    Raises StoreError, OSError.
    """
    folder = home.get_state_folder()
    remaining: list[str] = []
    if is_used(folder):
        remaining.append(f"{folder} contains what was learned")
        try:
            pending_paths = [
                os.path.join(root, pending_file.FOLDER_NAME, pending_file.FILE_NAME)
                for root, _ in read_purge_records(folder).projects
            ]
        except sqlite3.Error:
            pending_paths = []  # `mind-skills doctor` reports that problem
        remaining += [f"{path} contains the waiting candidates" for path in pending_paths if os.path.lexists(path)]
    if os.path.lexists(get_settings_path()):
        remaining.append(f"{get_settings_path()} contains your settings")
    return remaining


def require_no_other_host(selected: list[str]) -> None:
    """Raise MindSkillsError if hosts other than ``selected`` use the data in the state folder."""
    others = list_other_hosts(selected)
    if others:
        message = f"what was learned is also used by {' and '.join(others)}"
        raise MindSkillsError("still_installed", message, "Name these hosts as well, or use --all.")


def require_no_watch(*, dry_run: bool) -> None:
    """Raise MindSkillsError if a watch is running, since it would recreate the state folder. A dry run is always allowed."""
    watch = None if dry_run else instance.read_holder(home.get_state_folder())
    if watch is not None:
        message = f"process {watch.pid} runs `mind-skills watch`, which would recreate the state folder"
        raise MindSkillsError("still_watching", message, f"Stop it with `kill {watch.pid}` and run this command again.")


def purge(*, dry_run: bool = False) -> tuple[PurgeResult, PurgeRecords]:
    """Remove the state folder, the user's settings, the plugin's environments, our indexes, and our files in projects.

    In every recorded project, the pending file and our line in git's exclude file are removed. The journal is preserved
    if a host's file could not be edited, since a later uninstallation needs it. Returns what was removed, and the records
    from the database. Raises StoreError, OSError.
    """
    result = PurgeResult()
    folder = home.get_state_folder()
    journal_entries = {} if dry_run else Journal.open_read_only(folder).entries
    created_folders = {*Journal.open_read_only(folder).folders, *home.list_created_folders(folder)}
    try:
        records = read_purge_records(folder)
    except sqlite3.Error as error:
        records = PurgeRecords()
        result.remaining.append(f"files in projects were not removed because the database cannot be read ({error})")
    result.skills += records.skills
    for root, git in records.projects:
        clean_project(root, git, records.ids, result, dry_run=dry_run)
    removed_indexes, remaining_reasons = lance.remove_tables(records.indexes, dry_run=dry_run)
    result.removed += removed_indexes
    result.remaining += remaining_reasons
    # Remove the plugin's environment last: this command may be running in it.
    for path in [*_list_user_file(result), *_list_state(folder), *_list_environments()]:
        if journal_entries and path == os.path.join(folder, journal.FOLDER):
            hosts = join_names(sorted({entry.host for entry in journal_entries.values()}))
            result.remaining.append(f"{path} is needed to uninstall {hosts} once the settings can be read")
            continue
        result.removed.append(path)
        if not dry_run:
            _remove(path)
    if not dry_run:
        for data in list_plugin_folders():
            journal.remove_empty_folder(data)
        journal.remove_empty_folder(os.path.dirname(get_settings_path()))
        for path in sorted({*created_folders, folder}, key=len, reverse=True):
            journal.remove_empty_folder(path)
    return result, records


def find_residue(records: PurgeRecords) -> list[str]:
    """Describe what a purge has left behind: state, settings, environments, indexes, and lines in git's exclude files."""
    paths = [*_list_state(home.get_state_folder()), *_list_user_file(PurgeResult()), *_list_environments()]
    paths += [path for path, _, _, table_id in records.indexes if lance.has_table_id(path, table_id)]
    exclude_paths = [
        os.path.join(git, "info", "exclude") for _, git in records.projects if git and has_exclude_entry(git)
    ]
    return [f"{path} still exists" for path in paths] + [
        f"{path} still contains our line" for path in dict.fromkeys(exclude_paths)
    ]


def _list_state(folder: str) -> list[str]:
    """List our files in the state folder: every file in the default folder, only our names in a folder that the user chose."""
    try:
        names = sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    is_default = home.HOME_VARIABLE not in os.environ
    ours = [name for name in names if is_default or name in STATE_NAMES or _DATABASE_FILE_PATTERN.fullmatch(name)]
    is_our_folder = is_default or is_used(folder) or ours == [home.CREATED_FOLDERS_FILE]
    return [os.path.join(folder, name) for name in ours] if is_our_folder else []


def is_used(folder: str) -> bool:
    """Return whether the folder contains our database or journal; a name such as ``log`` could be anyone's."""
    names = (database.DATABASE_NAME, os.path.join(journal.FOLDER, journal.FILE_NAME))
    return any(os.path.isfile(os.path.join(folder, name)) for name in names)


def _list_environments() -> list[str]:
    """List the private environments of the Claude Code plugin, in its data folders."""
    return [part for data in list_plugin_folders() for part in environment.list_files(data)]


def _list_user_file(result: PurgeResult) -> list[str]:
    path = get_settings_path()
    if not os.path.lexists(path):
        return []
    if home.SETTINGS_VARIABLE in os.environ or os.path.islink(path):
        result.remaining.append(f"{path} is a path that you chose")
        return []
    return [path]


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
        return
    try:
        os.unlink(path)
    except FileNotFoundError:
        return  # temporary files of SQLite disappear with the last connection
