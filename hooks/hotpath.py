"""What a hook does before it imports ``os``: its descriptors, its payload, where its files are, and whether anything waits.

``os`` costs a sixth of a bare interpreter, and most hooks end before they would need it: nearly always nothing waits, and a
few stats show it. So this uses the system calls alone, and repeats in little what store/home.py, store/project.py,
settings/lenient.py and hooks/session_state.py know, for Linux and for paths without links. For everything else it raises
``UnsureError``, or says ``UNSURE``, and the caller asks those; tests compare. plugin/quick.py and hooks/spool.py use it.
"""

from __future__ import annotations

import sys

from mind_skills.hosts import spec

try:
    import posix as system
except ImportError:  # Windows, where every first look is unsure
    import os as system  # type: ignore[no-redef,unused-ignore]

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as signals
    from collections.abc import Mapping
    from typing import Any
else:
    import _signal as signals  # built in, where the module signal imports enum

MAX_PAYLOAD = 32 * 1024 * 1024
"""Bytes. The last message of the agent rides along, so there is no telling; beyond this it is no payload."""
WAIT = 2
"""Seconds that a host has to send the payload; the least that a hook has in all is 3 (hosts/codex.py)."""
OTHERS = 0o022
"""The right to write of group and others, as a umask."""
PLACES = ("MIND_SKILLS_HOME", "MIND_SKILLS_CONFIG")
NOWHERE = "/dev/null" if system.__name__ == "posix" else "nul"
SETTINGS = "mind-skills.toml"
SMALL = 4 * 1024
"""Bytes of a file that is read here."""
_HEADER, _USUAL_SECONDS = b'[projects."', 60
_PRINTABLE = bytes((9, 10, *range(32, 127)))
FOLDER, LINK, FILE, KIND = 0o040000, 0o120000, 0o100000, 0o170000
"""Of ``st_mode`` (inode(7))."""
UNSURE, NOTHING, WORK_LEFT = 0, 1, 2
"""The whole handler decides; nothing to say and nothing to do; nothing to say, and work that the host need not wait for."""
SOURCES = ("startup", "clear", "resume", "", None)
"""Of a start that may be told something (hooks/start.py). A fork or a compaction is told nothing."""
SHORTEST, LONGEST = 10_000, 1 << 62
"""Milliseconds between two checkpoints of a session: the least that the setting ``idle_seconds`` allows; and no time known."""


class UnsureError(Exception):
    """Something is not as it nearly always is."""


def apply_places(arguments: list[str]) -> list[str]:
    """The arguments of a hook without the words ``MIND_SKILLS_HOME=...`` and ``MIND_SKILLS_CONFIG=...``, which hold from here on.

    `mind-skills install` wrote them. What the environment says beside them may come from a file of the project, which some
    hosts read into theirs. Of two for the same name the first holds.
    """
    rest = [word for word in arguments if word.partition("=")[0] not in PLACES]
    environment: Any = system.environ  # of bytes in posix, where os.environ is another look at the same mapping
    coded = system.__name__ == "posix"
    for word in reversed(arguments):
        name, _, value = word.partition("=")
        if name in PLACES:
            environment[name.encode() if coded else name] = value.encode("utf-8", "surrogateescape") if coded else value
    return rest


def seal_output() -> int:
    """Keep stdout for the reply alone: from here on descriptors 1 and 2 lead nowhere. Returns the reply's descriptor.

    And nothing that is made from here on can be written by others, whatever umask the host was started with.
    """
    system.umask(system.umask(OTHERS) | OTHERS)
    out = system.dup(1)
    nowhere = system.open(NOWHERE, system.O_RDWR)
    system.dup2(nowhere, 1)
    system.dup2(nowhere, 2)
    system.close(nowhere)
    return out


def read_payload() -> bytes:
    """All of stdin, or what came of it in ``WAIT`` seconds: some hosts write a payload, and keep the pipe open behind it.

    Raises ValueError where a person is at it, where it is too large, and where nothing came.
    """
    if system.isatty(0):
        raise ValueError("no payload: this command is for hosts, which send one on stdin")
    parts: list[bytes] = []
    try:
        _read_bounded(parts)
    except TimeoutError:
        if not parts:
            raise ValueError(f"no payload came within {WAIT} seconds") from None
    return b"".join(parts)


def _read_bounded(parts: list[bytes]) -> None:
    """Add what comes to ``parts``. Raises TimeoutError after ``WAIT`` seconds, where the system has an alarm."""
    if not hasattr(signals, "alarm"):  # Windows
        _read_stdin(parts)
        return
    signals.signal(signals.SIGALRM, _raise_timeout)
    signals.alarm(WAIT)
    try:
        _read_stdin(parts)
    finally:
        signals.alarm(0)
        signals.signal(signals.SIGALRM, signals.SIG_DFL)


def _raise_timeout(*_: object) -> None:
    raise TimeoutError


def _read_stdin(parts: list[bytes]) -> None:
    size = 0
    while part := system.read(0, 1 << 16):
        parts.append(part)
        size += len(part)
        if size > MAX_PAYLOAD:
            raise ValueError(f"the payload is larger than {MAX_PAYLOAD} bytes")


def decode_payload(payload: bytes) -> object:
    """The payload as objects. The C scanner alone: importing json costs the price of a whole interpreter start.

    Raises ValueError, RecursionError.
    """
    text = payload.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogatepass").strip()
    try:
        from _json import make_scanner
    except ImportError:  # an interpreter without the C half
        from json import loads

        return loads(text)
    context: Any = _Reading()
    try:
        value, end = make_scanner(context)(text, 0)
    except StopIteration as stopped:
        raise ValueError(f"the payload is no JSON at character {stopped.value}") from stopped
    except SystemError as failure:  # CPython 3.11: the scanner knows what is wrong, but not the module that says it
        raise ValueError("the payload is no JSON") from failure
    if end != len(text):
        raise ValueError("text after the payload")
    return value


def _refuse_constant(name: str) -> float:
    """NaN and the infinities are no JSON, and whoever reads the payload later takes them for none."""
    raise ValueError(f"{name} is no number of JSON")


class _Reading:
    """What the C scanner asks of its context: plain objects, no hooks."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_refuse_constant)
    array_hook = None


def look_first(host: str, payload: Any, environment: Mapping[bytes, bytes], now: int) -> int:
    """UNSURE, NOTHING or WORK_LEFT, for one payload of a host; ``now`` is UTC milliseconds.

    At the end of a session it leaves the marker by which a session that begins right now knows to wait. Never raises.
    """
    try:
        return _judge_payload(host, payload, environment, now)
    except (UnsureError, OSError, LookupError, TypeError, ValueError):
        return UNSURE


def _judge_payload(host: str, payload: Any, environment: Mapping[bytes, bytes], now: int) -> int:
    known = spec(host)
    moment = known.events[payload["hook_event_name"]]
    session, log = payload["session_id"], payload.get("transcript_path")
    if not session or not isinstance(session, str) or payload.get("agent_id") or not isinstance(log, str | None):
        return UNSURE
    home = find_state_folder(environment)
    named = environment.get(known.project_variable.encode(), b"").decode() or payload["cwd"]
    root, top, git = find_project(named, environment[b"HOME"] if known.searches_project else None)
    mark = digest(session)
    if moment == "prompt":
        return UNSURE if exists(f"{home}/held/{mark}") else NOTHING
    if exists(f"{home}/paused"):
        return UNSURE
    if moment == "start":
        id_ = digest(git or root)
        if known.offers_at_prompt and exists(f"{home}/held/{mark}"):
            return UNSURE
        if known.shows_user_lines and _word_for_the_user(home, id_, environment):
            return UNSURE
        back = payload.get("source") == "resume" and exists(f"{home}/reminders/{id_}")
        over = payload.get("source") not in SOURCES or (_nothing_waits(home, id_, mark) and not back)
        return WORK_LEFT if over else UNSURE
    age = _age_of_check(f"{home}/checked/{mark}", now) if moment == "idle" else LONGEST
    if age < SHORTEST:
        return NOTHING
    on, seconds = read_switches(list_settings_files(root, top, git, environment))
    if not on or age < seconds * 1000:
        return NOTHING
    if moment == "end":
        _announce_end(home, digest(git or root), mark)
    return WORK_LEFT


def _nothing_waits(home: str, project: str, mark: str) -> bool:
    """Whether a start has nothing to be told, to wait for, or to offer again."""
    return not (
        exists(f"{home}/ready/{project}")
        or exists(f"{home}/offered/{mark}")
        or has_entries(f"{home}/unanswered/{project}")
        or has_entries(f"{home}/ending/{project}")
    )


def _word_for_the_user(home: str, project: str, environment: Mapping[bytes, bytes]) -> bool:
    """Whether there may be a line for the user alone, and a user to read it: plugin/asides.py."""
    if environment.get(b"CLAUDE_CODE_ENTRYPOINT", b"").startswith(b"sdk"):
        return False
    data = environment.get(b"CLAUDE_PLUGIN_DATA", b"").decode()
    if environment.get(b"MIND_SKILLS_NO_ENVIRONMENT"):  # as in plugin/environment/place.py
        data = ""
    first = bool(data) and not (exists(f"{data}/venv") or exists(f"{data}/environment"))
    return first or has_entries(f"{home}/receipts/{project}")


def _age_of_check(path: str, now: int) -> int:
    """How long ago the session's log was looked at, in milliseconds; long where it never was."""
    try:
        descriptor = system.open(path, system.O_RDONLY | system.O_CLOEXEC)
    except FileNotFoundError:
        return LONGEST
    last = system.read(descriptor, 64).decode()
    system.close(descriptor)
    return now - int(last) if last.isdecimal() and now >= int(last) else LONGEST


def _announce_end(home: str, project: str, mark: str) -> None:
    """As hooks/session_state.py, in a state folder that is this user's alone."""
    require_private_folder(home)
    flags = system.O_WRONLY | system.O_CREAT | system.O_TRUNC | system.O_NOFOLLOW | system.O_CLOEXEC
    system.close(system.open(f"{home}/ending/{project}/{mark}", flags, 0o600))


def digest(text: str) -> str:
    """As in store/project.py."""
    from _blake2 import blake2b

    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def find_state_folder(environment: Mapping[bytes, bytes]) -> str:
    """As in store/home.py. Raises UnsureError, KeyError, ValueError."""
    if sys.platform != "linux" or sys.getfilesystemencoding() != "utf-8":
        raise UnsureError
    if named := environment.get(b"MIND_SKILLS_HOME", b"").decode():
        return _require_outside(named, environment)
    state = environment.get(b"XDG_STATE_HOME", b"").decode()
    return (
        _require_outside(state, environment)
        if state[:1] == "/"
        else require_plain_path(environment[b"HOME"].decode()) + "/.local/state"
    ) + "/mind-skills"


def _require_outside(path: str, environment: Mapping[bytes, bytes]) -> str:
    """A folder that is reached without a link, if it is there, and lies in no work tree but the user's home.

    Raises UnsureError, OSError.
    """
    prefix, home = "", environment.get(b"HOME", b"").decode()
    for part in require_plain_path(path).split("/")[1:]:
        prefix += "/" + part
        found = stat_entry(prefix)
        if found is not None and (found.st_mode & KIND != FOLDER or (prefix != home and exists(prefix + "/.git"))):
            raise UnsureError
    return path


def find_project(folder: str, home: bytes | None) -> tuple[str, str, str]:
    """The project's folder, the work tree that holds it, and the common git folder; both empty without a repository.

    With ``home``, the user's, the project is looked for from ``folder`` upwards; without, ``folder`` is it. Raises
    UnsureError, OSError.
    """
    start = _require_unlinked(folder)
    users = None if home is None else system.stat(home)
    root = start if users is None else ""
    here = start
    while here:
        git = stat_entry(here + "/.git")
        if git is not None:
            kind = git.st_mode & KIND
            return root or here, here, here + "/.git" if kind == FOLDER else _common_git_folder(here)
        if not root and users is not None and _is_marked(here, users):
            root = here
        here = here.rpartition("/")[0]
    if exists("/.git") or (not root and exists("/.claude")):
        raise UnsureError
    return root or start, "", ""


def _common_git_folder(top: str) -> str:
    """The git folder of the main checkout, for a worktree as git makes it; both have to name each other."""
    word, _, named = read_small_file(f"{top}/.git").decode().rstrip("\n").partition(": ")
    common = named.rpartition("/worktrees/")[0]
    if word != "gitdir" or common.rpartition("/")[2] != ".git":
        raise UnsureError  # a submodule, or something else
    named = _require_unlinked(named)
    if (
        read_small_file(f"{named}/gitdir") != f"{top}/.git\n".encode()
        or read_small_file(f"{named}/commondir") != b"../..\n"
    ):
        raise UnsureError
    return common


def _require_unlinked(path: str) -> str:
    """A folder's path without a link in it. Raises UnsureError, OSError."""
    prefix = ""
    for part in require_plain_path(path).split("/")[1:]:
        prefix += "/" + part
        if system.lstat(prefix).st_mode & KIND != FOLDER:
            raise UnsureError
    return path


def _is_marked(folder: str, home: system.stat_result) -> bool:
    """Whether a ``.claude`` makes this folder a project; the one in the user's home does not."""
    found = stat_entry(folder + "/.claude")
    if found is None:
        return False
    here = system.stat(folder)
    if found.st_mode & KIND == LINK:
        raise UnsureError
    return found.st_mode & KIND == FOLDER and (here.st_dev, here.st_ino) != (home.st_dev, home.st_ino)


def list_settings_files(root: str, top: str, git: str, environment: Mapping[bytes, bytes]) -> list[str]:
    """Where settings of a project may stand, as settings/lenient.py lists them; the others as ``find_project`` gives them.

    Raises UnsureError, KeyError, ValueError, OSError.
    """
    folders = [root]
    while folders[-1] != (top or root):
        folders.append(folders[-1].rpartition("/")[0])
    if git and git != f"{top}/.git":
        folders.append(git[: -len("/.git")])
    found = [f"{folder}/.claude/{SETTINGS}" for folder in dict.fromkeys(folders)]
    if named := environment.get(b"MIND_SKILLS_CONFIG", b"").decode():
        _require_outside(named.rpartition("/")[0], environment)
        return [*found, named]
    base = environment.get(b"XDG_CONFIG_HOME", b"").decode()
    base = _require_outside(base, environment) if base[:1] == "/" else environment[b"HOME"].decode() + "/.config"
    return [*found, f"{base}/mind-skills/{SETTINGS}"]


def read_switches(files: list[str]) -> tuple[bool, int]:
    """Whether settings files say that mind-skills works, and the least seconds between two checkpoints.

    ``files`` as ``list_settings_files`` has them. Only of files that say nothing but ``enabled`` and ``idle_seconds``, in plain lines, and
    in the user's, which is the last, under plain headers ``[projects."<folder>"]``: the module that reads TOML costs three
    bare interpreters. Raises UnsureError for every other file, OSError.
    """
    *of_project, of_user = files
    tables = _read_tables(of_user)
    users = tables.get(b"", {})
    on, seconds = users.get(b"enabled") != b"false", _idle_seconds(users) or _USUAL_SECONDS
    for path in of_project:
        said = _read_tables(path)
        if len(said) > 1:
            raise UnsureError
        on = on and said[b""].get(b"enabled") != b"false"
        seconds = max(seconds, _idle_seconds(said[b""]))
    for path in reversed(of_project):
        own = tables.get(path[: -len(f"/.claude/{SETTINGS}")].encode(), {})
        on = own[b"enabled"] == b"true" if b"enabled" in own else on
        seconds = _idle_seconds(own) or seconds
    return on, seconds


def _read_tables(path: str) -> dict[bytes, dict[bytes, bytes]]:
    """What a settings file says in plain lines: at its beginning, under no name, and under each folder of a project."""
    said: dict[bytes, bytes] = {}
    found = {b"": said}
    for line in read_small_file(path).split(b"\n"):
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
        if key in said or not _is_plain_setting(key, value):
            raise UnsureError
        said[key] = value
    return found


def _idle_seconds(said: dict[bytes, bytes]) -> int:
    number = int(said.get(b"idle_seconds", b"0"))
    return number if 10 <= number <= 3600 else 0


def _is_plain_setting(key: bytes, value: bytes) -> bool:
    if key == b"enabled":
        return value in (b"true", b"false")
    return key == b"idle_seconds" and value.isdigit() and value[:1] != b"0" and len(value) < 9


def read_small_file(path: str) -> bytes:
    """The text of a small file in printable ASCII, empty where there is none. Raises UnsureError for another, OSError."""
    if stat_entry(path) is None:
        return b""
    descriptor = system.open(path, system.O_RDONLY | system.O_NOFOLLOW | system.O_NONBLOCK | system.O_CLOEXEC)
    try:
        if system.fstat(descriptor).st_mode & KIND != FILE:
            raise UnsureError
        text = system.read(descriptor, SMALL + 1)
    finally:
        system.close(descriptor)
    if len(text) > SMALL or text.translate(None, _PRINTABLE):
        raise UnsureError
    return text


def require_plain_path(path: str) -> str:
    """An absolute path that needs no tidying. Raises UnsureError for every other one."""
    if path[:1] != "/" or path == "/" or "\0" in path:
        raise UnsureError
    if any(part in ("", ".", "..") for part in path.split("/")[1:]):
        raise UnsureError
    return path


def require_private_folder(folder: str) -> None:
    """Raise UnsureError or OSError unless this is a folder of this user's, that nobody else can look into."""
    found = system.stat(folder)
    if found.st_uid != system.geteuid() or found.st_mode & (KIND | 0o077) != FOLDER:
        raise UnsureError


def exists(path: str) -> bool:
    """Whether anything has this name. Raises OSError where that cannot be said."""
    return stat_entry(path) is not None


def stat_entry(path: str) -> system.stat_result | None:
    """What has this name, links not followed; None where nothing has. Raises OSError where that cannot be said."""
    try:
        return system.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def has_entries(folder: str) -> bool:
    """Whether there is anything in a folder, if there is one. Raises OSError where that cannot be said."""
    try:
        return bool(system.listdir(folder))
    except FileNotFoundError:
        return False
