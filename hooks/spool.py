"""Writer of captured hook events, which replace a session's own log if that is missing or empty.

Each event is a line of ``<state folder>/spool/capture/HOST-SESSION.jsonl``; ``SESSION`` is a digest of the session id.
The line is::

    {"capture": 1, "host": HOST, "at": UTC ms, "pid": process of the host or 0, "project": folder, "event": payload}

Each line is a single write to a descriptor opened for appending, so that lines of several processes never mix. Each
write begins with a line break, so that a line truncated by a full disk does not corrupt the next; readers skip invalid
JSON. Events are redacted when the spool is read (observations/readers/capture.py); the file is readable only by its
user, and is removed after the end of the session (hooks/captured_spools.py).

Makes the system calls itself, like hooks/hotpath.py, because a host may run this at every tool call.
"""

from __future__ import annotations

import posix
import sys
import time
from posix import _exit as leave  # pyright: ignore[reportPrivateUsage]

from mind_skills.hooks.hotpath import (
    REGULAR_FILE,
    SETTINGS_NAME,
    TYPE_MASK,
    UnsureError,
    decode_payload,
    digest,
    exists,
    find_project,
    find_state_folder,
    list_settings_files,
    quote_json,
    read_payload,
    read_small_file,
    require_private_folder,
)
from mind_skills.hosts import load_spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FOLDER = "spool/capture"
MAX_EVENT_BYTES = 1 << 20
"""Maximum size in bytes of a full event. A larger event is reduced to its identifying fields and its size in bytes, ``cut``."""
MAX_SPOOL_BYTES = 64 << 20
"""Size in bytes of a session's spool beyond which further events are dropped."""
IDENTIFYING_FIELDS = ("hook_event_name", "session_id", "transcript_path", "cwd", "agent_id", "tool_name", "tool_use_id")
_SPACES_FOR_CONTROLS = b" " * 32 + bytes(range(32, 256))
"""Translation table that replaces control characters with spaces."""
MAX_SETTINGS_BYTES = 16 * 1024
"""Maximum size in bytes of a settings file, as in settings/lenient.py."""


def main(arguments: list[str]) -> None:
    """Append the event on stdin to the spool. Ends the process silently, with exit code 0, or raises EOFError."""
    now = time.time_ns() // 1_000_000
    try:
        append(arguments[0] if arguments else "", read_payload(), posix.environ, now)
    except BaseException as error:  # noqa: BLE001 -- a hook never fails its host; the error is logged
        _log_error(now, error)
    leave(0)


def append(host: str, payload: bytes, environment: Mapping[bytes, bytes], now: int) -> bool:
    """Append one payload of ``host``. Returns False if mind-skills is paused or disabled, or the spool is full.

    ``now`` is UTC milliseconds. Raises ValueError if the payload, host or project is invalid, UnsureError if others can
    access the spool, OSError or HomeError if the spool cannot be written.
    """
    host_spec = load_spec(host)
    if host_spec.protocol != "hooks":
        raise ValueError(f"{host} has no hooks to capture")
    event = _parse_event(payload)
    session: str = event["session_id"]
    folder = environment.get(host_spec.project_env_var.encode(), b"").decode() or event.get("cwd")
    home, root, id_, files = _find_settings(
        folder, environment, searches_parent_folders=host_spec.searches_parent_folders
    )
    if _is_disabled(home, id_, files, now):
        return False
    process = environment.get(host_spec.pid_env_var.encode(), b"")
    pid = int(process) if process.isdigit() and len(process) < 10 else 0  # as plugin/adapters.py
    header = f'{{"capture":1,"host":"{host}","at":{now},"pid":{pid},"project":{quote_json(root)},"event":'
    line = b"\n" + header.encode() + encode_event(payload, event) + b"}\n"
    descriptor = _open_spool(home, f"{host}-{digest(session)}.jsonl")
    try:
        return _write_line(descriptor, line)
    finally:
        posix.close(descriptor)


def _parse_event(payload: bytes) -> dict[str, Any]:
    value: Any = decode_payload(payload)
    event: dict[str, Any] = value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]
    if not event.get("session_id") or not isinstance(event["session_id"], str):
        raise ValueError("the payload is not an object with a session_id")
    return event


def encode_event(payload: bytes, event: dict[str, Any]) -> bytes:
    """Return the payload on one line, or its identifying fields if it is too large."""
    if len(payload) > MAX_EVENT_BYTES:
        fields = [
            f"{quote_json(name)}:{quote_json(event[name])}"
            for name in IDENTIFYING_FIELDS
            if isinstance(event.get(name), str)
        ]
        return ("{" + ",".join([*fields, f'"cut":{len(payload)}']) + "}").encode()
    # Line breaks between tokens are white space. JSON allows neither control characters within strings nor bytes that
    # are not UTF-8; ``decode_payload`` accepts both, but the reader of the spool does not.
    text = payload.removeprefix(b"\xef\xbb\xbf").translate(_SPACES_FOR_CONTROLS).strip()
    return text if text.isascii() else text.decode("utf-8", "replace").encode()


def _write_line(descriptor: int, line: bytes) -> bool:
    status = posix.fstat(descriptor)
    if status.st_mode & (TYPE_MASK | 0o077) != REGULAR_FILE or status.st_uid != posix.geteuid():
        raise UnsureError("the spool is not a private file of this user")
    if status.st_size > MAX_SPOOL_BYTES:
        return False
    if posix.write(descriptor, line) != len(line):
        raise OSError("the event was written only in part")
    return True


def _open_spool(home: str, name: str) -> int:
    """Open the spool for appending, and create it if necessary. Returns the descriptor."""
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC
    folder = f"{home}/{FOLDER}"
    try:
        require_private_folder(folder)
    except FileNotFoundError:
        from mind_skills.store.home import ensure_folder

        for part in (home, f"{home}/spool", folder):
            ensure_folder(part)
    return posix.open(f"{folder}/{name}", flags, 0o600)


def _find_settings(
    folder: Any, environment: Mapping[bytes, bytes], *, searches_parent_folders: bool
) -> tuple[str, str, str, list[str]]:
    """Return the state folder, the project's folder and id, and the paths of its settings files."""
    try:
        home = find_state_folder(environment)
        root, top, git = find_project(folder, environment[b"HOME"] if searches_parent_folders else None)
        return home, root, digest(git or root), list_settings_files(root, top, git, environment)
    except (UnsureError, LookupError, OSError, TypeError, ValueError):  # as in hooks/hotpath.py
        return _find_settings_slowly(folder, searches_parent_folders=searches_parent_folders)


def _find_settings_slowly(project_folder: object, *, searches_parent_folders: bool) -> tuple[str, str, str, list[str]]:
    """Return the same as ``_find_settings``, on any system and with symbolic links.

    Raises HomeError, or ValueError if the project folder is unknown or the user's settings file is misplaced.
    """
    import os

    from mind_skills.store.home import explain_misplaced_settings, get_settings_path, get_state_folder
    from mind_skills.store.project import list_settings_folders, resolve_project

    if not isinstance(project_folder, str) or not project_folder:
        raise ValueError("the project folder is unknown")
    project = resolve_project(
        resolve_project(folder=project_folder).root if searches_parent_folders else project_folder
    )
    user_file = get_settings_path()
    if problem := explain_misplaced_settings(user_file):
        raise ValueError(f"{user_file}: {problem}")
    files = [os.path.join(folder, ".claude", SETTINGS_NAME) for folder in list_settings_folders(project.root)]
    return get_state_folder(), project.root, project.id, [*files, user_file]


def _is_disabled(home: str, project_id: str, files: list[str], now: int) -> bool:
    """Return whether mind-skills is paused or disabled in a project.

    ``now`` is UTC milliseconds. ``files`` are the settings files, each of which can disable it. settings/lenient.py parses
    them as TOML; here, any mention of ``enabled`` other than a single plain line ``enabled = true`` disables mind-skills.
    """
    for path in (f"{home}/paused/everywhere", f"{home}/paused/{project_id}"):
        if exists(path):
            end = read_small_file(path)
            if not end.isdigit() or int(end) > now:
                return True
    for path in files:
        lines = [line.partition(b"#")[0].strip() for line in _read_settings(path).split(b"\n")]
        assignments = [[part.strip() for part in line.split(b"=")] for line in lines if b"enabled" in line]
        if assignments not in ([], [[b"enabled", b"true"]]):
            return True
    return False


def _read_settings(path: str) -> bytes:
    """Read a settings file; empty if it does not exist. An unreadable file counts as ``enabled = false``."""
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return b""
    except OSError:
        return b"enabled = false"
    is_regular = posix.fstat(descriptor).st_mode & TYPE_MASK == REGULAR_FILE
    content = posix.read(descriptor, MAX_SETTINGS_BYTES + 1) if is_regular else b""
    posix.close(descriptor)
    return content if is_regular and len(content) <= MAX_SETTINGS_BYTES else b"enabled = false"


def _find_home() -> str:
    try:
        return find_state_folder(posix.environ)
    except (UnsureError, LookupError, ValueError):
        from mind_skills.store.home import get_state_folder

        return get_state_folder()


def _log_error(now: int, error: BaseException) -> None:
    """Append a line to the hooks' log (plugin/hooklog.py), if possible. Re-raises an EOFError, as plugin/hook.py does."""
    if isinstance(error, EOFError):
        raise error
    try:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now // 1000))
        message = f"{stamp} capture {' '.join(sys.argv[1:])[:60]}: {type(error).__name__}: {error}"[:600]
        line = " ".join("".join(character if character.isprintable() else " " for character in message).split())
        flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_CLOEXEC
        folder = f"{_find_home()}/log"
        if not exists(folder):
            posix.mkdir(folder, 0o700)
        descriptor = posix.open(f"{folder}/hooks.log", flags, 0o600)
        posix.write(descriptor, line.encode("utf-8", "backslashreplace") + b"\n")
    except Exception:  # noqa: BLE001, S110 -- the error cannot be reported anywhere else
        pass
