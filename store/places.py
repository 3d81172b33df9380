"""Where our files are and what marks a project, with the system calls alone.

``os`` costs a sixth of a bare interpreter, and most hooks end before they would need it. So this repeats in little what
store/home.py and store/project.py know, for Linux and for paths without links; for all others it raises ``UnsureError``
(or what the system says), and the caller asks those. Tests compare.
"""

from __future__ import annotations

import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SETTINGS = "mind-skills.toml"
SMALL = 4 * 1024
"""Bytes of a file that is read here."""
_HEADER, _USUAL_SECONDS = b'[projects."', 60
_PRINTABLE = bytes((9, 10, *range(32, 127)))
FOLDER, LINK, FILE, KIND = 0o040000, 0o120000, 0o100000, 0o170000
"""Of ``st_mode`` (inode(7))."""


class UnsureError(Exception):
    """Something is not as it nearly always is."""


def digest(text: str) -> str:
    """As in store/project.py."""
    from _blake2 import blake2b

    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def state_folder(environment: Mapping[bytes, bytes]) -> str:
    """As in store/home.py. Raises UnsureError, KeyError, ValueError."""
    if sys.platform != "linux" or sys.getfilesystemencoding() != "utf-8":
        raise UnsureError
    if named := environment.get(b"MIND_SKILLS_HOME", b"").decode():
        return _outside(named, environment)
    state = environment.get(b"XDG_STATE_HOME", b"").decode()
    return (
        _outside(state, environment) if state[:1] == "/" else plain(environment[b"HOME"].decode()) + "/.local/state"
    ) + "/mind-skills"


def _outside(path: str, environment: Mapping[bytes, bytes]) -> str:
    """A folder that is reached without a link, if it is there, and lies in no work tree but the user's home.

    Raises UnsureError, OSError.
    """
    prefix, home = "", environment.get(b"HOME", b"").decode()
    for part in plain(path).split("/")[1:]:
        prefix += "/" + part
        found = look(prefix)
        if found is not None and (found.st_mode & KIND != FOLDER or (prefix != home and there(prefix + "/.git"))):
            raise UnsureError
    return path


def project(folder: str, home: bytes | None) -> tuple[str, str, str]:
    """The project's folder, the work tree that holds it, and the common git folder; both empty without a repository.

    With ``home``, the user's, the project is looked for from ``folder`` upwards; without, ``folder`` is it. Raises
    UnsureError, OSError.
    """
    start = _unlinked(folder)
    users = None if home is None else posix.stat(home)
    root = start if users is None else ""
    here = start
    while here:
        git = look(here + "/.git")
        if git is not None:
            kind = git.st_mode & KIND
            return root or here, here, here + "/.git" if kind == FOLDER else _common(here)
        if not root and users is not None and _marked(here, users):
            root = here
        here = here.rpartition("/")[0]
    if there("/.git") or (not root and there("/.claude")):
        raise UnsureError
    return root or start, "", ""


def _common(top: str) -> str:
    """The git folder of the main checkout, for a worktree as git makes it; both have to name each other."""
    word, _, named = content(f"{top}/.git").decode().rstrip("\n").partition(": ")
    common = named.rpartition("/worktrees/")[0]
    if word != "gitdir" or common.rpartition("/")[2] != ".git":
        raise UnsureError  # a submodule, or something else
    named = _unlinked(named)
    if content(f"{named}/gitdir") != f"{top}/.git\n".encode() or content(f"{named}/commondir") != b"../..\n":
        raise UnsureError
    return common


def _unlinked(path: str) -> str:
    """A folder's path without a link in it. Raises UnsureError, OSError."""
    prefix = ""
    for part in plain(path).split("/")[1:]:
        prefix += "/" + part
        if posix.lstat(prefix).st_mode & KIND != FOLDER:
            raise UnsureError
    return path


def _marked(folder: str, home: posix.stat_result) -> bool:
    """Whether a ``.claude`` makes this folder a project; the one in the user's home does not."""
    found = look(folder + "/.claude")
    if found is None:
        return False
    here = posix.stat(folder)
    if found.st_mode & KIND == LINK:
        raise UnsureError
    return found.st_mode & KIND == FOLDER and (here.st_dev, here.st_ino) != (home.st_dev, home.st_ino)


def settings(root: str, top: str, git: str, environment: Mapping[bytes, bytes]) -> list[str]:
    """Where settings of a project may stand, as settings/lenient.py lists them; the others as ``project`` gives them.

    Raises UnsureError, KeyError, ValueError, OSError.
    """
    folders = [root]
    while folders[-1] != (top or root):
        folders.append(folders[-1].rpartition("/")[0])
    if git and git != f"{top}/.git":
        folders.append(git[: -len("/.git")])
    found = [f"{folder}/.claude/{SETTINGS}" for folder in dict.fromkeys(folders)]
    if named := environment.get(b"MIND_SKILLS_CONFIG", b"").decode():
        _outside(named.rpartition("/")[0], environment)
        return [*found, named]
    base = environment.get(b"XDG_CONFIG_HOME", b"").decode()
    base = _outside(base, environment) if base[:1] == "/" else environment[b"HOME"].decode() + "/.config"
    return [*found, f"{base}/mind-skills/{SETTINGS}"]


def switches(files: list[str]) -> tuple[bool, int]:
    """Whether settings files say that mind-skills works, and the least seconds between two checkpoints.

    ``files`` as ``settings`` has them. Only of files that say nothing but ``enabled`` and ``idle_seconds``, in plain lines, and
    in the user's, which is the last, under plain headers ``[projects."<folder>"]``: the module that reads TOML costs three
    bare interpreters. Raises UnsureError for every other file, OSError.
    """
    *of_project, of_user = files
    tables = _tables(of_user)
    users = tables.get(b"", {})
    on, seconds = users.get(b"enabled") != b"false", _seconds(users) or _USUAL_SECONDS
    for path in of_project:
        said = _tables(path)
        if len(said) > 1:
            raise UnsureError
        on = on and said[b""].get(b"enabled") != b"false"
        seconds = max(seconds, _seconds(said[b""]))
    for path in reversed(of_project):
        own = tables.get(path[: -len(f"/.claude/{SETTINGS}")].encode(), {})
        on = own[b"enabled"] == b"true" if b"enabled" in own else on
        seconds = _seconds(own) or seconds
    return on, seconds


def _tables(path: str) -> dict[bytes, dict[bytes, bytes]]:
    """What a settings file says in plain lines: at its beginning, under no name, and under each folder of a project."""
    said: dict[bytes, bytes] = {}
    found = {b"": said}
    for line in content(path).split(b"\n"):
        text = line.partition(b"#")[0].strip(b" \t")
        if text.startswith(_HEADER) and text.endswith(b'"]'):
            folder = text[len(_HEADER) : -2]
            if folder in found or b'"' in folder or b"\\" in folder:
                raise UnsureError
            said = found[folder] = {}
            continue
        key, equals, value = (part.strip(b" \t") for part in text.partition(b"="))
        if not (key or equals or value):
            continue
        if key in said or not _plainly(key, value):
            raise UnsureError
        said[key] = value
    return found


def _seconds(said: dict[bytes, bytes]) -> int:
    number = int(said.get(b"idle_seconds", b"0"))
    return number if 10 <= number <= 3600 else 0


def _plainly(key: bytes, value: bytes) -> bool:
    if key == b"enabled":
        return value in (b"true", b"false")
    return key == b"idle_seconds" and value.isdigit() and value[:1] != b"0" and len(value) < 9


def content(path: str) -> bytes:
    """The text of a small file in printable ASCII, empty where there is none. Raises UnsureError for another, OSError."""
    if look(path) is None:
        return b""
    descriptor = posix.open(path, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC)
    try:
        if posix.fstat(descriptor).st_mode & KIND != FILE:
            raise UnsureError
        text = posix.read(descriptor, SMALL + 1)
    finally:
        posix.close(descriptor)
    if len(text) > SMALL or text.translate(None, _PRINTABLE):
        raise UnsureError
    return text


def plain(path: str) -> str:
    """An absolute path that needs no tidying. Raises UnsureError for every other one."""
    if path[:1] != "/" or path == "/" or "\0" in path:
        raise UnsureError
    if any(part in ("", ".", "..") for part in path.split("/")[1:]):
        raise UnsureError
    return path


def ours(folder: str) -> None:
    """Raise UnsureError or OSError unless this is a folder of this user's, that nobody else can look into."""
    found = posix.stat(folder)
    if found.st_uid != posix.geteuid() or found.st_mode & (KIND | 0o077) != FOLDER:
        raise UnsureError


def there(path: str) -> bool:
    """Whether anything has this name. Raises OSError where that cannot be said."""
    return look(path) is not None


def look(path: str) -> posix.stat_result | None:
    """What has this name, links not followed; None where nothing has. Raises OSError where that cannot be said."""
    try:
        return posix.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def filled(folder: str) -> bool:
    """Whether there is anything in a folder, if there is one. Raises OSError where that cannot be said."""
    try:
        return bool(posix.listdir(folder))
    except FileNotFoundError:
        return False
