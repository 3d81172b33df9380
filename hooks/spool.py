"""Capture: one event of a host, put down as it came, for hosts and settings where the session's own log cannot be read.

A line in ``<state folder>/spool/capture/HOST-SESSION.jsonl``, ``SESSION`` being a digest of the session's id::

    {"capture": 1, "host": HOST, "at": UTC ms, "pid": process of the host or 0, "project": folder, "event": payload}

One write on an appending descriptor, so that lines of many processes never mix. The line break before each line keeps
one that a full disk cut short from taking the next with it; what was cut is no JSON, and is passed over when read.
Nothing is redacted here: that is done when the spool is read (observations/readers/capture.py), so until then the file
is for its user alone, and it is removed when the session has ended (hooks/captured.py).

The system calls alone, as in hooks/hotpath.py: a host may run this at every tool call.
"""

from __future__ import annotations

import posix
import sys
import time
from posix import _exit as leave  # pyright: ignore[reportPrivateUsage]

from mind_skills.hooks.hotpath import (
    FILE,
    KIND,
    SETTINGS,
    UnsureError,
    decode_payload,
    digest,
    exists,
    find_project,
    find_state_folder,
    list_settings_files,
    read_payload,
    require_private_folder,
)
from mind_skills.hosts import spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FOLDER = "spool/capture"
EVENT = 1 << 20
"""Bytes. Of a larger event only the names are kept, and its size as ``cut``."""
SPOOL = 64 << 20
"""Bytes of one session, after which nothing more is kept of it."""
NAMES = ("hook_event_name", "session_id", "transcript_path", "cwd", "agent_id", "tool_name", "tool_use_id")
_BLANK = b" " * 32 + bytes(range(32, 256))
"""Every control character as a blank."""
LARGEST_SETTINGS = 16 * 1024
"""Bytes of a settings file, as settings/lenient.py reads them."""


def main(arguments: list[str]) -> None:
    """Put down the event on stdin and end the process, with exit code 0 and without a word, whatever happens."""
    now = time.time_ns() // 1_000_000
    try:
        append(arguments[0] if arguments else "", read_payload(), posix.environ, now)
    except BaseException as error:  # noqa: BLE001 -- a hook never fails its host; the log says what was lost
        _complain(now, error)
    leave(0)


def append(host: str, payload: bytes, environment: Mapping[bytes, bytes], now: int) -> bool:
    """Put down one payload of ``host``; False where mind-skills is off, or the spool is full. ``now`` is UTC ms.

    Raises ValueError where it is no payload, UnsureError where the spool is not ours alone, OSError where it cannot be
    written.
    """
    known = spec(host)
    if known.protocol != "hooks":
        raise ValueError(f"{host} has no hooks to capture")
    event = _event(payload)
    session: str = event["session_id"]
    named = environment.get(known.project_variable.encode(), b"").decode() or event.get("cwd")
    home, root, id_, files = _places(named, environment, looked_for=known.searches_project)
    if _off(home, id_, files):
        return False
    process = environment.get(known.pid_variable.encode(), b"")
    pid = int(process) if process.isdigit() and len(process) < 10 else 0  # as plugin/adapters/json_hooks.py
    head = f'{{"capture":1,"host":"{host}","at":{now},"pid":{pid},"project":{_quoted(root)},"event":'
    line = b"\n" + head.encode() + body(payload, event) + b"}\n"
    descriptor = _opened(home, f"{host}-{digest(session)}.jsonl")
    try:
        return _written(descriptor, line)
    finally:
        posix.close(descriptor)


def _event(payload: bytes) -> dict[str, Any]:
    given: Any = decode_payload(payload)
    event: dict[str, Any] = given if isinstance(given, dict) else {}  # pyright: ignore[reportUnknownVariableType]
    if not event.get("session_id") or not isinstance(event["session_id"], str):
        raise ValueError("the payload is no object with a session_id")
    return event


def body(payload: bytes, event: dict[str, Any]) -> bytes:
    """The payload in one line; of a large one the names."""
    if len(payload) > EVENT:
        kept = [f"{_quoted(name)}:{_quoted(event[name])}" for name in NAMES if isinstance(event.get(name), str)]
        return ("{" + ",".join([*kept, f'"cut":{len(payload)}']) + "}").encode()
    # Between tokens a line break is white space. Within a string JSON allows no control character, nor half a pair of
    # surrogates anywhere; ``decode_payload`` takes both, but who reads the spool does not.
    text = payload.removeprefix(b"\xef\xbb\xbf").translate(_BLANK).strip()
    return text.decode("utf-8", "replace").encode() if b"\xed" in text else text


def _written(descriptor: int, line: bytes) -> bool:
    found = posix.fstat(descriptor)
    if found.st_mode & (KIND | 0o077) != FILE or found.st_uid != posix.geteuid():
        raise UnsureError("the spool is not a file of this user's alone")
    if found.st_size > SPOOL:
        return False
    if posix.write(descriptor, line) != len(line):
        raise OSError("the disk took half an event")
    return True


def _opened(home: str, name: str) -> int:
    """A descriptor that appends to the spool, which is made if need be."""
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC
    folder = f"{home}/{FOLDER}"
    try:
        require_private_folder(folder)
    except FileNotFoundError:
        from mind_skills.store.home import ensure

        for part in (home, f"{home}/spool", folder):
            ensure(part)
    return posix.open(f"{folder}/{name}", flags, 0o600)


def _places(named: Any, environment: Mapping[bytes, bytes], *, looked_for: bool) -> tuple[str, str, str, list[str]]:
    """State folder, the project's folder and id, and where settings of it may stand."""
    try:
        home = find_state_folder(environment)
        root, top, git = find_project(named, environment[b"HOME"] if looked_for else None)
        return home, root, digest(git or root), list_settings_files(root, top, git, environment)
    except (UnsureError, LookupError, OSError, TypeError, ValueError):  # as in a first look
        return _find_unusual_places(named, looked_for=looked_for)


def _find_unusual_places(named: object, *, looked_for: bool) -> tuple[str, str, str, list[str]]:
    """The same for links, worktrees and other systems than Linux. Raises ValueError where nothing names the project, HomeError."""
    import os

    from mind_skills.store.home import misplaced, settings_file, state_folder
    from mind_skills.store.project import find, folders

    if not isinstance(named, str) or not named:
        raise ValueError("nothing names the project")
    project = find(find(folder=named).root if looked_for else named)
    users = settings_file()
    if why := misplaced(users):
        raise ValueError(f"{users}: {why}")
    files = [os.path.join(folder, ".claude", SETTINGS) for folder in folders(project.root)]
    return state_folder(), project.root, project.id, [*files, users]


def _off(home: str, project_id: str, files: list[str]) -> bool:
    """Whether mind-skills is paused or switched off here.

    settings/lenient.py reads the files as what they are. Here one that has more to say of ``enabled`` than the plain
    line ``enabled = true`` counts as one that switches off.
    """
    if exists(f"{home}/paused/everywhere") or exists(f"{home}/paused/{project_id}"):
        return True
    for path in files:
        lines = [line.partition(b"#")[0].strip() for line in _read(path).split(b"\n")]
        said = [[part.strip() for part in line.split(b"=")] for line in lines if b"enabled" in line]
        if said:
            return said != [[b"enabled", b"true"]]
    return False


def _read(path: str) -> bytes:
    """A settings file, empty where there is none; one that nobody can read says that mind-skills is off."""
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return b""
    except OSError:
        return b"enabled = false"
    sound = posix.fstat(descriptor).st_mode & KIND == FILE
    content = posix.read(descriptor, LARGEST_SETTINGS + 1) if sound else b""
    posix.close(descriptor)
    return content if sound and len(content) <= LARGEST_SETTINGS else b"enabled = false"


def _quoted(text: str) -> str:
    try:
        from _json import encode_basestring_ascii as quote
    except ImportError:  # an interpreter without the C half
        from json.encoder import py_encode_basestring_ascii as quote
    return quote(text)


def _home() -> str:
    try:
        return find_state_folder(posix.environ)
    except (UnsureError, LookupError, ValueError):
        from mind_skills.store.home import state_folder

        return state_folder()


def _complain(now: int, error: BaseException) -> None:
    """One line in the log of the hooks (plugin/hooklog.py), where that is possible."""
    try:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now // 1000))
        said = f"{stamp} capture {' '.join(sys.argv[1:])[:60]}: {type(error).__name__}: {error}"[:600]
        line = " ".join("".join(sign if sign.isprintable() else " " for sign in said).split())
        flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_CLOEXEC
        folder = f"{_home()}/log"
        if not exists(folder):
            posix.mkdir(folder, 0o700)
        descriptor = posix.open(f"{folder}/hooks.log", flags, 0o600)
        posix.write(descriptor, line.encode("utf-8", "backslashreplace") + b"\n")
    except Exception:  # noqa: BLE001, S110 -- there is no one left to tell
        pass
