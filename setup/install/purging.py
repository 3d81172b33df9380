"""Removal of all data: the state folder, the user's settings, the plugin's environments, and our files elsewhere."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sqlite3
import stat
import sys
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from mind_skills.errors import MindSkillsError, StoreError
from mind_skills.hooks import failure, session_state
from mind_skills.hosts import HOST_NAMES
from mind_skills.memory import lance
from mind_skills.output.text import join_names
from mind_skills.plugin import environment, pausing
from mind_skills.settings.lenient import get_project_settings_path
from mind_skills.setup.install import host_install, journal
from mind_skills.setup.install.journal import Journal
from mind_skills.setup.install.purge_records import PurgeRecords, has_exclude_entry, read_purge_records
from mind_skills.setup.install.targets import find_folder
from mind_skills.staging import pending_file, start_files
from mind_skills.store import database, error_index, home
from mind_skills.store.atomic import Folder
from mind_skills.store.git import PENDING_FILE_PATTERN, is_tracked, remove_exclude_pattern
from mind_skills.store.home import get_settings_path
from mind_skills.store.project import Project
from mind_skills.watch import instance

PLUGIN_HOST = "claude-code"


@dataclass(slots=True)
class PurgeResult:
    """The paths that were removed or edited; why other paths remain, in sentences; and the skill files, which remain.

    ``remaining`` is about what is not ours to remove, ``unresolved`` about what is ours, or may be. ``has_failed`` is true if
    the system refused to remove a file of ours that is not in a project.
    """

    removed: list[str] = field(default_factory=list[str])
    remaining: list[str] = field(default_factory=list[str])
    unresolved: list[str] = field(default_factory=list[str])
    skills: list[str] = field(default_factory=list[str])
    has_failed: bool = False


def _clean_projects(records: PurgeRecords, result: PurgeResult, *, dry_run: bool) -> None:
    """Remove our files from all projects, and then our lines in git's exclude files. Raises OSError.

    A line remains as long as a pending file remains: git would show the file as untracked, and the user might commit it.
    """
    protected_folders: set[str] = set()
    for root, git_folders in records.projects.items():
        ids = records.ids if records.is_complete else None
        if not _clean_project(root, ids, result, dry_run=dry_run):
            protected_folders |= git_folders
        settings_path = get_project_settings_path(root)
        if os.path.lexists(settings_path):
            result.remaining.append(f"{settings_path} is your own file and may belong to the repository")
    for root, git_folders in records.other_projects.items():
        if not _clean_project(root, None, result, dry_run=dry_run):
            protected_folders |= git_folders
    for git in filter(has_exclude_entry, records.list_git_folders()):
        line = f"{os.path.join(git, 'info', 'exclude')}: {PENDING_FILE_PATTERN}"
        if git in protected_folders:
            result.remaining.append(f"{line} prevents git from committing a file that remains")
            continue
        try:
            if not dry_run:
                remove_exclude_pattern(git)
            result.removed.append(line)
        except StoreError as error:
            result.unresolved.append(str(error))


def _clean_project(root: str, ids: AbstractSet[str] | None, result: PurgeResult, *, dry_run: bool) -> bool:
    """Remove our pending files from a project, and return whether none remains.

    Candidates of other tools are preserved. Ours are those in ``ids`` or, if that is None, those that have our form in a file
    that git does not track: a tracked one is the repository's.
    """
    folder_path = os.path.join(root, pending_file.FOLDER_NAME)
    is_clean = True
    try:
        names = pending_file.list_pending_files(root)
        if os.path.islink(folder_path):
            reason = "is behind a symbolic link, so it was not removed"
            result.unresolved += [f"{os.path.join(folder_path, name)} {reason}" for name in names]
            return True  # git does not follow the link
        if os.path.isdir(folder_path):
            with Folder(folder_path) as folder:
                tracked = [name for name in names if ids is None and is_tracked(os.path.join(folder_path, name))]
                result.remaining += [f"{os.path.join(folder_path, name)} is tracked by git" for name in tracked]
                for name in filter(lambda name: name not in tracked, names):
                    is_clean &= _clean_pending(folder, name, ids, result, dry_run)
            if not dry_run:
                journal.remove_empty_folder(folder_path)
    except (StoreError, OSError) as error:
        result.unresolved.append(str(error) if isinstance(error, StoreError) else f"{folder_path}: {error.strerror}")
        return False
    return is_clean


def _clean_pending(folder: Folder, name: str, ids: AbstractSet[str] | None, result: PurgeResult, dry_run: bool) -> bool:
    """Remove our candidates from a pending file, and the file if nothing else is in it. Return whether it was removed."""
    path = os.path.join(folder.path, name)
    state = folder.stat_entry(name)
    if state is None or not stat.S_ISREG(state.st_mode):
        result.remaining.append(f"{path} was not created by mind-skills")
        return False
    try:
        content, others = _read_candidates(folder, ids) if name == pending_file.FILE_NAME else (None, None)
    except pending_file.UnreadablePendingError as error:
        if error.kind == "newer":
            result.remaining.append(f"{path} was not written by this version of mind-skills: {error.reason}")
        else:
            result.unresolved.append(f"{path} may be ours or another tool's: {error.reason}")
        return False
    if others is None:
        if not dry_run:
            folder.remove(name)
        result.removed.append(path)
        return True
    result.remaining.append(f"{path} contains candidates from another tool")
    if not dry_run and others != content:
        folder.write(name, pending_file.serialise_pending_file(others))
    return False


def _read_candidates(
    folder: Folder, ids: AbstractSet[str] | None
) -> tuple[pending_file.PendingFile | None, pending_file.PendingFile | None]:
    """Return the pending file, and the same without our candidates, which is None if nothing remains.

    Raises UnreadablePendingError if the file has a newer version or, in a project that is not recorded, is damaged.
    """
    try:
        content = pending_file.parse_pending_file(folder.read(pending_file.FILE_NAME, pending_file.MAX_BYTES) or b"")
    except pending_file.UnreadablePendingError as error:
        if error.kind == "newer" or ids is None:
            raise
        return None, None  # the file is damaged, so it is removed
    others = [
        candidate
        for candidate in content.candidates
        if (candidate["id"] not in ids if ids is not None else not pending_file.has_our_form(candidate))
    ]
    return content, replace(content, candidates=others) if others or content.extra else None


STATE_NAMES = {
    *session_state.SESSION_FOLDERS,
    *session_state.PROJECT_FOLDERS,
    *("locks", "log", "spool", "memory"),
    *(start_files.READY_FOLDER, start_files.OFFERED_FOLDER, start_files.ADVICE_FOLDER, start_files.OPEN_ERRORS_FOLDER),
    *(failure.FOLDER, error_index.FOLDER),
    *(home.CREATED_FOLDERS_FILE, home.REPORTS_FOLDER, pausing.FOLDER, journal.FOLDER, instance.FOLDER),
    "reminders",  # of earlier commits
}
"""Names of the files and folders that we create, or have created, in the state folder, apart from the database."""
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


def describe_remaining(project: Project | None) -> list[str]:
    """Describe what remains after uninstalling without a purge: learned data, settings, and files in projects.

    ``project`` is the current project, which is examined even if it is not recorded. Raises StoreError, OSError.
    """
    folder = home.get_state_folder()
    remaining = [f"{folder} contains what was learned"] if is_used(folder) else []
    records = read_purge_records(folder, project)
    pending_paths = [
        os.path.join(root, pending_file.FOLDER_NAME, pending_file.FILE_NAME)
        for root in {**records.projects, **records.other_projects}
    ]
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


def purge(project: Project | None = None, *, dry_run: bool = False) -> tuple[PurgeResult, PurgeRecords]:
    """Remove the state folder, the user's settings, the plugin's environments, our indexes, and our files in projects.

    In every recorded project and in ``project``, the pending file and our line in git's exclude file are removed. The
    journal is preserved if a host's file could not be edited, since a later uninstallation needs it; so is a database
    whose projects cannot be read, which is renamed if it is damaged. Returns what was removed, and the records that were
    read before. Raises StoreError, OSError.
    """
    result = PurgeResult()
    folder = home.get_state_folder()
    journal_entries = {} if dry_run else Journal.open_read_only(folder).entries
    created_folders = {*Journal.open_read_only(folder).folders, *home.list_created_folders(folder)}
    records = read_purge_records(folder, project)
    result.skills += records.skills
    _clean_projects(records, result, dry_run=dry_run)
    removed_indexes, remaining_reasons = lance.remove_tables(records.indexes, dry_run=dry_run)
    result.removed += removed_indexes
    result.remaining += remaining_reasons
    if not dry_run:
        records.unreadable = {_set_aside(path): reason for path, reason in records.unreadable.items()}
    result.unresolved += [_describe_unreadable(path, reason) for path, reason in records.unreadable.items()]
    # Remove the plugin's environment last: this command may be running in it.
    for path in [*_list_user_file(result), *_list_state(folder, records), *_list_environments()]:
        if journal_entries and path == os.path.join(folder, journal.FOLDER):
            hosts = join_names(sorted({entry.host for entry in journal_entries.values()}))
            result.remaining.append(f"{path} is needed to uninstall {hosts} once the settings can be read")
            continue
        try:
            if not dry_run:
                _remove(path)
            result.removed.append(path)
        except OSError as error:
            result.unresolved.append(f"{path} cannot be removed: {error.strerror or error}")
            result.has_failed = True
    if not dry_run:
        for data in list_plugin_folders():
            journal.remove_empty_folder(data)
        journal.remove_empty_folder(os.path.dirname(get_settings_path()))
        for path in sorted({*created_folders, folder}, key=len, reverse=True):
            journal.remove_empty_folder(path)
    return result, records


def _set_aside(path: str) -> str:
    """Rename a database if it is damaged and was not set aside before; return its path."""
    if os.path.basename(path) != database.DATABASE_NAME:
        return path
    try:
        return database.set_aside_damaged(path) or path
    except (sqlite3.Error, OSError):
        return path  # not damaged, but unreadable at the moment


def _describe_unreadable(path: str, reason: str) -> str:
    return (
        f"{path} lists projects but cannot be read ({reason}), so files of ours may remain in them: run"
        f" {PURGE_COMMAND[:-1]} --project DIR` for each, and then delete this database"
    )


def find_residue(records: PurgeRecords) -> list[str]:
    """Describe what a purge has left behind: state, settings, environments, indexes, and files in projects. Raises OSError."""
    rest = PurgeResult()
    _clean_projects(records, rest, dry_run=True)
    paths = [
        *_list_state(home.get_state_folder(), records),
        *_list_user_file(PurgeResult()),
        *_list_environments(),
        *(path for path, _, _, table_id in records.indexes if lance.has_table_id(path, table_id)),
        *rest.removed,
    ]
    return [f"{path} still exists" for path in paths]


def _list_state(folder: str, records: PurgeRecords) -> list[str]:
    """List our files in the state folder: every file in the default folder, only our names in a folder that the user chose.

    Databases whose projects cannot be read are not listed, and neither is what their folder's removal will need.
    """
    try:
        names = sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    is_default = home.HOME_VARIABLE not in os.environ
    ours = [name for name in names if is_default or name in STATE_NAMES or _DATABASE_FILE_PATTERN.fullmatch(name)]
    if not (is_default or records.unreadable or is_used(folder) or ours == [home.CREATED_FOLDERS_FILE]):
        return []
    if records.unreadable:
        ours = [name for name in ours if name != home.CREATED_FOLDERS_FILE and not _is_database_file(name, records)]
    return [os.path.join(folder, name) for name in ours]


def _is_database_file(name: str, records: PurgeRecords) -> bool:
    """Return whether a file in the state folder belongs to a database that cannot be read."""
    return re.sub("-(?:wal|shm|journal)$", "", name) in map(os.path.basename, records.unreadable)


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
