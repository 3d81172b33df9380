"""The state folder and the user's settings file: ``$MIND_SKILLS_HOME``, or the platform's folder for state (XDG on
Linux, where relative values are ignored). Folders have mode 0700, files 0600. Every session start imports this, so
it imports little.
"""

from __future__ import annotations

import os
import sys

from mind_skills.errors import HomeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER_NAME = "mind-skills"
SETTINGS_FILE_NAME = "mind-skills.toml"
HOME_VARIABLE, SETTINGS_VARIABLE = "MIND_SKILLS_HOME", "MIND_SKILLS_CONFIG"
FOLDER_MODE, FILE_MODE = 0o700, 0o600
_DOTFILES_FOLDERS = ("~", "~/.config", "~/.local", "~/.local/state", "~/.local/share")
"""Folders that may be work trees without being projects: people version their configuration files there."""
REPORTS_FOLDER = "reports"
"""The folder in the state folder that `mind-skills report` writes its pages to."""
CREATED_FOLDERS_FILE = "folders-made"
"""Lists the parent folders that were created for the state folder and the settings file, each after a NUL byte."""


def get_state_folder(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> str:
    """Return the absolute path of the state folder. Raises HomeError."""
    env = os.environ if environ is None else environ
    value, state = env.get(HOME_VARIABLE, ""), env.get("XDG_STATE_HOME", "")
    if not value:
        path = os.path.join(_get_platform_folder(env, platform), FOLDER_NAME)
        is_custom = platform not in ("win32", "darwin") and os.path.isabs(state)
        return _refuse_work_tree(path, "XDG_STATE_HOME") if is_custom else path
    path = os.path.normpath(os.path.expanduser(value))
    if not os.path.isabs(path):
        raise HomeError(f"{HOME_VARIABLE} is not an absolute path: {value}", "Set it to an absolute path.")
    default = env.get("HOME") and os.path.join(
        _get_platform_folder({**env, "XDG_STATE_HOME": ""}, platform), FOLDER_NAME
    )
    return path if path == default else _refuse_work_tree(path, HOME_VARIABLE)


def _refuse_work_tree(path: str, variable: str) -> str:
    """Return ``path``, which was set with the environment ``variable``. Raises HomeError if it is in a work tree."""
    if top := find_work_tree(path):
        raise HomeError(
            f"{variable} puts the state folder in the work tree {top}, which may belong to a downloaded repository",
            "Set it to a folder outside every repository.",
        )
    return path


def find_work_tree(path: str) -> str:
    """Return the top of the work tree around a path, except ``_DOTFILES_FOLDERS``, or "": files there may come from a
    repository.
    """
    top = find_git_entry(os.path.realpath(path))
    return "" if top in {os.path.realpath(os.path.expanduser(own)) for own in _DOTFILES_FOLDERS} else top


def find_git_entry(folder: str) -> str:
    """Return the nearest folder that contains ``.git``, upwards from ``folder``; empty if there is none."""
    return next((each for each in list_ancestors(folder) if os.path.lexists(os.path.join(each, ".git"))), "")


def list_ancestors(folder: str) -> list[str]:
    """List ``folder`` and the folders that contain it, innermost first."""
    folders = [folder]
    while (parent := os.path.dirname(folders[-1])) != folders[-1]:
        folders.append(parent)
    return folders


def get_settings_path() -> str:
    """Return the user's settings file: $MIND_SKILLS_CONFIG, else the one in the platform's settings folder."""
    if value := os.environ.get(SETTINGS_VARIABLE):
        return value
    base = os.environ.get("XDG_CONFIG_HOME", "")
    if os.name != "nt" and os.path.isabs(base):
        return os.path.join(base, FOLDER_NAME, SETTINGS_FILE_NAME)
    return _get_default_settings_path()


def _get_default_settings_path() -> str:
    if os.name == "nt":
        return os.path.join(os.environ.get("APPDATA") or os.path.expanduser("~"), FOLDER_NAME, SETTINGS_FILE_NAME)
    return os.path.join(os.path.expanduser("~"), ".config", FOLDER_NAME, SETTINGS_FILE_NAME)


def explain_misplaced_settings(path: str) -> str:
    """Return why the settings file named by the environment cannot be used, or "". People version the default one."""
    if path == _get_default_settings_path():
        return ""
    if not os.path.isabs(path):
        return f"{SETTINGS_VARIABLE} is not an absolute path"
    top = find_work_tree(os.path.dirname(path))
    return f"it is in the work tree {top} and may come from the repository" if top else ""


def _get_platform_folder(env: Mapping[str, str], platform: str) -> str:
    if platform == "win32":
        return _read_absolute(env, "LOCALAPPDATA")
    if platform == "darwin":
        return os.path.join(_read_absolute(env, "HOME"), "Library", "Application Support")
    state = env.get("XDG_STATE_HOME", "")
    if os.path.isabs(state):
        return state
    return os.path.join(_read_absolute(env, "HOME"), ".local", "state")


def _read_absolute(env: Mapping[str, str], variable: str) -> str:
    value = env.get(variable, "")
    if not os.path.isabs(value):
        raise HomeError(
            f"there is no state folder: {variable} is {'not absolute' if value else 'not set'}",
            f"Set {variable}, or set {HOME_VARIABLE} to a folder of your own.",
        )
    return value


def ensure_folder(folder: str | os.PathLike[str] | None = None) -> str:
    """Create the state folder, or one inside it, private to the user, and return its path. Raises HomeError."""
    path = get_state_folder() if folder is None else os.fspath(folder)
    try:
        parent = os.path.dirname(path)
        missing = [] if not parent or os.path.isdir(parent) else list_missing_folders(parent)
        if not os.path.lexists(path):
            _check_owner(path)
        if missing:
            os.makedirs(parent, exist_ok=True)
        try:
            os.mkdir(path, FOLDER_MODE)
            if missing:
                record_created_folders(path, missing)
        except FileExistsError:
            _check_folder(path)
    except OSError as error:
        raise HomeError(
            f"the folder {path} cannot be created: {error.strerror or error}",
            f"Make it writable, or set {HOME_VARIABLE} to a folder of your own.",
        ) from error
    return path


def list_created_folders(folder: str) -> list[str]:
    """List the parent folders created for the state folder or the settings, for their removal. Raises OSError."""
    try:
        with open(os.path.join(folder, CREATED_FOLDERS_FILE), "rb") as file:
            names = file.read(1 << 16).split(b"\0")
    except (FileNotFoundError, NotADirectoryError):
        return []
    # The file is untrusted: accept only parents of the state folder and of the settings.
    children = (folder, get_settings_path())
    return [
        name
        for name in map(os.fsdecode, names)
        if name and any(child.startswith(os.path.join(name, "")) for child in children)
    ]


def remove_file(path: str) -> None:
    """Remove a file, unless another process has removed it. Raises OSError."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def list_names(folder: str) -> list[str]:
    """List the entries of a folder; empty if it does not exist, often the usual case. Raises OSError."""
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []


def read_file(path: str, limit: int = 1 << 14) -> bytes:
    """Return the content of a file, at most ``limit`` bytes; empty if it does not exist. Raises OSError."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return b""
    try:
        return os.read(descriptor, limit)
    finally:
        os.close(descriptor)


def write_small_file(path: str, data: bytes = b"", flag: int = os.O_TRUNC) -> None:
    """Write a file of a few bytes, private to the user; ``flag`` is O_TRUNC, O_APPEND or O_EXCL. Raises OSError."""
    flags = os.O_WRONLY | os.O_CREAT | flag | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(path, flags, FILE_MODE)
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)


def create_file(path: str) -> bool:
    """Create an empty file; return False if it exists, even if another process creates it now. Raises OSError."""
    try:
        write_small_file(path, flag=os.O_EXCL)
    except FileExistsError:
        return False
    return True


def record_created_folders(state_folder: str, paths: list[str]) -> None:
    """Record that ``paths`` were created by us, so that a purge removes them. Raises OSError."""
    names = b"".join(b"\0" + os.fsencode(path) for path in paths)
    write_small_file(os.path.join(state_folder, CREATED_FOLDERS_FILE), names, os.O_APPEND)


def _check_owner(path: str) -> None:
    """Raise HomeError if root would create the state folder in another user's home, as with `sudo`."""
    parent = next(filter(os.path.lexists, list_ancestors(path)), path)
    if os.name == "posix" and os.geteuid() == 0 and os.stat(parent).st_uid != 0:
        raise HomeError(
            f"the folder {path} would belong to root, but {parent} belongs to another user",
            f"Run the command as that user, or set {HOME_VARIABLE} to a folder owned by root.",
        )


def list_missing_folders(path: str) -> list[str]:
    """List the missing folders of a path, including the path itself, innermost first."""
    missing_folders: list[str] = []
    while path and not os.path.lexists(path):
        missing_folders.append(path)
        path = os.path.dirname(path)
    return missing_folders


def _check_folder(path: str) -> None:
    status = os.stat(path)
    if status.st_mode & 0o170000 != 0o040000:
        raise HomeError(f"{path} is not a folder", "Move or rename the file at that path.")
    if os.name != "posix":
        return
    if status.st_uid != os.geteuid():
        raise HomeError(f"the folder {path} belongs to another user", f"Set {HOME_VARIABLE} to a folder of your own.")
    if status.st_mode & 0o077:
        os.chmod(path, FOLDER_MODE)
