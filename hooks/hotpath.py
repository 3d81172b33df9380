"""First stage of a hook, before ``os`` is imported, which costs a sixth of a bare interpreter's start: descriptors,
payload, state folder, and whether there is work. It repeats the common cases of store/home.py, store/project.py,
settings/lenient.py and session_state.py for Linux and paths without links; in any other, ``UnsureError`` or
``UNSURE`` hands over to those. Tests compare the two.
"""

from __future__ import annotations

import sys

from mind_skills.hosts import load_spec

try:
    import posix as system
except ImportError:  # Windows, where the result is always UNSURE
    import os as system  # type: ignore[no-redef,unused-ignore]

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as signals
    from collections.abc import Mapping
    from typing import Any

    from mind_skills.hosts import HostSpec
else:
    import _signal as signals  # built in; the signal module imports enum

MAX_PAYLOAD_BYTES = 32 * 1024 * 1024
"""Maximum payload size in bytes. Hosts set no limit: a payload may contain the agent's last message."""
PAYLOAD_TIMEOUT_SECONDS = 2
"""Seconds to wait for the payload. The shortest hook timeout of any host is 3 (hosts/codex.py)."""
WRITE_BY_OTHERS = 0o022
"""Write permission of group and others, as a umask."""
LOCATION_VARIABLES = ("MIND_SKILLS_HOME", "MIND_SKILLS_CONFIG")
NULL_DEVICE = "/dev/null" if system.__name__ == "posix" else "nul"
SETTINGS_NAME = "mind-skills.toml"
MAX_SMALL_FILE_BYTES = 4 * 1024
"""Maximum size in bytes of the settings and Git files that are read here."""
_PROJECT_HEADER, _DEFAULT_IDLE_SECONDS = b'[projects."', 60
_PRINTABLE = bytes((9, 10, *range(32, 127)))
FOLDER, SYMLINK, REGULAR_FILE, TYPE_MASK = 0o040000, 0o120000, 0o100000, 0o170000
"""File types in ``st_mode``, and their mask (inode(7))."""
UNSURE, NOTHING, WORK_LEFT = 0, 1, 2
"""Results of ``decide_early``: the full handler decides; nothing to do; nothing to print, but background work."""
OFFER_SOURCES = ("startup", "clear", "resume", "", None)
"""Sources of a session start that can receive an offer (hooks/start.py). Forks and compactions cannot."""
SOLVED_FOLDER = "solved"
"""Folder of the files of solved errors; must match store/error_index.py, which only a project with solved errors needs."""
MIN_CHECKPOINT_INTERVAL_MS, NEVER_CHECKED = 10_000, 1 << 62
"""Milliseconds: the smallest interval that ``idle_seconds`` allows, and the age that stands for "no checkpoint yet"."""


class UnsureError(Exception):
    """The common case does not apply, so the slower modules must decide."""


def apply_location_arguments(arguments: list[str]) -> list[str]:
    """Export the arguments that set ``LOCATION_VARIABLES``, the first of each, and return the others. They override the
    environment, which some hosts load from a file of the project.
    """
    remaining = [argument for argument in arguments if argument.partition("=")[0] not in LOCATION_VARIABLES]
    environment: Any = system.environ  # bytes in posix; os.environ decodes the same mapping
    uses_bytes = system.__name__ == "posix"
    for argument in reversed(arguments):
        name, _, value = argument.partition("=")
        if name in LOCATION_VARIABLES:
            environment[name.encode() if uses_bytes else name] = (
                value.encode("utf-8", "surrogateescape") if uses_bytes else value
            )
    return remaining


def seal_output() -> int:
    """Redirect descriptors 1 and 2 to the null device, set the umask, and return the descriptor for the reply."""
    system.umask(system.umask(WRITE_BY_OTHERS) | WRITE_BY_OTHERS)
    out = system.dup(1)
    null = system.open(NULL_DEVICE, system.O_RDWR)
    system.dup2(null, 1)
    system.dup2(null, 2)
    system.close(null)
    return out


def read_payload() -> bytes:
    """Read stdin until its JSON object is complete, as some hosts keep the pipe open. Raises ValueError for a terminal,
    too much, or silence.
    """
    if system.isatty(0):
        raise ValueError("no payload: this command is for hosts, which send the payload on stdin")
    parts: list[bytes] = []
    try:
        _read_bounded(parts)
    except TimeoutError:
        if not parts:
            raise ValueError(f"no payload arrived within {PAYLOAD_TIMEOUT_SECONDS} seconds") from None
    return b"".join(parts)


def _read_bounded(parts: list[bytes]) -> None:
    """Append the chunks of stdin to ``parts``. Raises TimeoutError after ``PAYLOAD_TIMEOUT_SECONDS``, except on Windows."""
    if not hasattr(signals, "alarm"):  # Windows
        _read_stdin(parts)
        return
    signals.signal(signals.SIGALRM, _raise_timeout)
    signals.alarm(PAYLOAD_TIMEOUT_SECONDS)
    try:
        _read_stdin(parts)
    finally:
        signals.alarm(0)
        signals.signal(signals.SIGALRM, signals.SIG_DFL)


def _raise_timeout(*_: object) -> None:
    raise TimeoutError


def _read_stdin(parts: list[bytes]) -> None:
    size = depth = scanned = 0
    is_in_string = False
    while part := system.read(0, 1 << 16):
        parts.append(part)
        size += len(part)
        if size > MAX_PAYLOAD_BYTES:
            raise ValueError(f"the payload is larger than {MAX_PAYLOAD_BYTES} bytes")
        if part.rstrip()[-1:] == b"}":  # elsewhere no object is complete, and an escape may be cut in two
            depth, is_in_string = _scan_brackets(b"".join(parts[scanned:]), depth, is_in_string=is_in_string)
            if depth <= 0 and not is_in_string:
                return
            scanned = len(parts)


def _scan_brackets(part: bytes, depth: int, *, is_in_string: bool) -> tuple[int, bool]:
    """Return how many objects are open after a part of a JSON text, and whether a string is, given both before it."""
    strings_and_rest = part.replace(rb"\\", b"").replace(rb"\"", b"").split(b'"')
    for outside in strings_and_rest[is_in_string::2]:
        depth += outside.count(b"{") - outside.count(b"}")
    return depth, is_in_string ^ (len(strings_and_rest) % 2 == 0)


def decode_payload(payload: bytes) -> object:
    """Parse the payload with the C scanner, as importing json doubles the start time. Raises ValueError, RecursionError."""
    content = payload.removeprefix(b"\xef\xbb\xbf")
    try:
        text = content.decode("utf-8", "surrogatepass").strip()
    except UnicodeDecodeError:
        text = content.decode("utf-8", "replace").strip()
    try:
        from _json import make_scanner
    except ImportError:  # an interpreter without the C accelerator
        from json import loads

        return loads(text)
    context: Any = _ScannerContext()
    try:
        value, end = make_scanner(context)(text, 0)
    except StopIteration as stopped:
        raise ValueError(f"the payload is not valid JSON at character {stopped.value}") from stopped
    except SystemError as failure:  # CPython 3.11: the scanner needs the json module to raise its error
        raise ValueError("the payload is not valid JSON") from failure
    if end != len(text):
        raise ValueError("there is other text after the JSON value of the payload")
    return value


def _refuse_constant(name: str) -> float:
    """Reject NaN and the infinities, which are not valid JSON and would break later readers of the payload."""
    raise ValueError(f"{name} is not a JSON number")


class _ScannerContext:
    """Options of the C scanner: plain dictionaries and lists, no conversion."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_refuse_constant)
    array_hook = None


def quote_json(text: str) -> str:
    """Encode text as a JSON string with the C module, because importing json would double the interpreter's start time."""
    try:
        from _json import encode_basestring_ascii as quote
    except ImportError:  # an interpreter without the C module
        from json.encoder import py_encode_basestring_ascii as quote
    return quote(text)


def make_failure_reply(host: str, line: str) -> str:
    """Return the JSON object that adds a line to the result of a failed call."""
    event = load_spec(host).failure_event
    return f'{{"hookSpecificOutput":{{"hookEventName":"{event}","additionalContext":{quote_json(line)}}}}}'


def write_all(out: int, data: bytes) -> None:
    """Write all of ``data``; a pipe may accept only a part at once."""
    while data:
        data = data[system.write(out, data) :]


def decide_early(
    host: str, payload: Any, environment: Mapping[bytes, bytes], now: int, named_moment: str = ""
) -> int | str:
    """Return UNSURE, NOTHING, WORK_LEFT or a line for the agent, at ``now`` (UTC ms); never raises. An end also writes
    its marker.
    """
    try:
        host_spec = load_spec(host)
        return _judge_payload(host_spec, host_spec.hook_form.read_payload(payload, named_moment), environment, now)
    except (UnsureError, OSError, LookupError, TypeError, ValueError, AttributeError):
        return UNSURE


def _judge_payload(host_spec: HostSpec, payload: Any, environment: Mapping[bytes, bytes], now: int) -> int | str:
    moment = host_spec.events[payload["hook_event_name"]]
    session, log = payload["session_id"], payload.get("transcript_path")
    if moment == "failure" and payload.get("agent_id"):
        return NOTHING
    if not session or not isinstance(session, str) or payload.get("agent_id") or not isinstance(log, str | None):
        return UNSURE
    home = find_state_folder(environment)
    if host_spec.starts_late and moment in ("start", "late"):
        return NOTHING if moment == "late" and exists(f"{home}/started/{digest(session)}") else UNSURE
    folder = environment.get(host_spec.project_env_var.encode(), b"").decode() or payload["cwd"]
    root, top, git = find_project(folder, environment[b"HOME"] if host_spec.searches_parent_folders else None)
    session_digest = digest(session)
    if moment == "prompt":
        return UNSURE if exists(f"{home}/held/{session_digest}") else NOTHING
    if moment == "failure":
        return _find_reminder(home, digest(git or root), session_digest, payload, now, (root, top, git, environment))
    if exists(f"{home}/paused"):
        return UNSURE
    if moment == "start":
        id_ = digest(git or root)
        if host_spec.offers_at_prompt and exists(f"{home}/held/{session_digest}"):
            return UNSURE
        if host_spec.can_show_text_to_user and _may_show_user_message(home, id_, environment):
            return UNSURE
        has_open_errors = payload.get("source") == "resume" and exists(f"{home}/open_errors/{id_}")
        needs_no_reply = payload.get("source") not in OFFER_SOURCES or (
            _has_nothing_pending(home, id_, session_digest) and not has_open_errors
        )
        return WORK_LEFT if needs_no_reply else UNSURE
    if moment == "idle" and host_spec.can_show_text_to_user and exists(f"{home}/noticed/{session_digest}"):
        return UNSURE
    age = _measure_checkpoint_age(f"{home}/checked/{session_digest}", now) if moment == "idle" else NEVER_CHECKED
    if age < MIN_CHECKPOINT_INTERVAL_MS:
        return NOTHING
    enabled, seconds, _ = read_hook_settings(list_settings_files(root, top, git, environment))
    if not enabled or age < seconds * 1000:
        return NOTHING
    if moment == "end":
        _announce_end(home, digest(git or root), session_digest)
    return WORK_LEFT


def _find_reminder(
    home: str,
    project_id: str,
    session_digest: str,
    payload: dict[str, Any],
    now: int,
    place: tuple[str, str, str, Mapping[bytes, bytes]],
) -> int | str:
    """Return the line about a failed command (hooks/failure.py), or NOTHING. ``place`` are arguments of ``list_settings_files``."""
    if not exists(f"{home}/{SOLVED_FOLDER}/{project_id}"):
        return NOTHING
    from mind_skills.hooks.failure import claim, find_hits, read_failure

    if not (hits := find_hits(home, project_id, session_digest, *read_failure(payload))):
        return NOTHING
    if exists(f"{home}/paused"):
        return UNSURE
    require_private_folder(home)
    enabled, _, has_reminders = read_hook_settings(list_settings_files(*place))
    return (claim(home, session_digest, hits, now) if enabled and has_reminders else "") or NOTHING


def _has_nothing_pending(home: str, project_id: str, session_digest: str) -> bool:
    """Return whether a session start has no offer to deliver or release, and no other session to wait for."""
    return not (
        exists(f"{home}/ready/{project_id}")
        or exists(f"{home}/offered/{session_digest}")
        or has_entries(f"{home}/unanswered/{project_id}")
        or has_entries(f"{home}/ending/{project_id}")
    )


def _may_show_user_message(home: str, project_id: str, environment: Mapping[bytes, bytes]) -> bool:
    """Return whether there may be a message for the user (plugin/hook.py), and a user to see it."""
    if environment.get(b"CLAUDE_CODE_ENTRYPOINT", b"").startswith(b"sdk"):
        return False
    data = environment.get(b"CLAUDE_PLUGIN_DATA", b"").decode()
    if environment.get(b"MIND_SKILLS_NO_ENVIRONMENT"):  # same rule as plugin/environment/
        data = ""
    is_first_run = bool(data) and not (exists(f"{data}/venv") or exists(f"{data}/environment"))
    return is_first_run or has_entries(f"{home}/receipts/{project_id}")


def _measure_checkpoint_age(path: str, now: int) -> int:
    """Return the milliseconds since the session's last checkpoint, or ``NEVER_CHECKED`` if unknown."""
    try:
        descriptor = system.open(path, system.O_RDONLY | system.O_CLOEXEC)
    except FileNotFoundError:
        return NEVER_CHECKED
    last = system.read(descriptor, 64).decode()
    system.close(descriptor)
    return now - int(last) if last.isdecimal() and now >= int(last) else NEVER_CHECKED


def _announce_end(home: str, project_id: str, session_digest: str) -> None:
    """Write the ``ending`` marker like session_state.py. Raises UnsureError unless the state folder is private, OSError
    without the folder.
    """
    require_private_folder(home)
    flags = system.O_WRONLY | system.O_CREAT | system.O_TRUNC | system.O_NOFOLLOW | system.O_CLOEXEC
    system.close(system.open(f"{home}/ending/{project_id}/{session_digest}", flags, 0o600))


def digest(text: str) -> str:
    """Return the same digest as ``digest_text`` in store/project.py."""
    from _blake2 import blake2b

    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def find_state_folder(environment: Mapping[bytes, bytes]) -> str:
    """Locate the state folder like store/home.py. Raises UnsureError, KeyError, ValueError, OSError."""
    if sys.platform != "linux" or sys.getfilesystemencoding() != "utf-8":
        raise UnsureError
    if configured := environment.get(b"MIND_SKILLS_HOME", b"").decode():
        return _require_outside_work_trees(configured, environment)
    base = environment.get(b"XDG_STATE_HOME", b"").decode()
    if base[:1] == "/":
        return _require_outside_work_trees(base, environment) + "/mind-skills"
    return require_plain_path(environment[b"HOME"].decode()) + "/.local/state/mind-skills"


def _require_outside_work_trees(path: str, environment: Mapping[bytes, bytes]) -> str:
    """Return ``path``, which need not exist, if it has no link and is in no work tree but the home's. Raises
    UnsureError, OSError.
    """
    prefix, user_home = "", environment.get(b"HOME", b"").decode()
    for part in require_plain_path(path).split("/")[1:]:
        prefix += "/" + part
        entry = stat_entry(prefix)
        if entry is not None and (
            entry.st_mode & TYPE_MASK != FOLDER or (prefix != user_home and exists(prefix + "/.git"))
        ):
            raise UnsureError
    return path


def find_project(folder: str, user_home: bytes | None) -> tuple[str, str, str]:
    """Return the project's folder, work tree and common git folder ("" outside a repository), searching upwards if
    ``user_home`` is given. Raises UnsureError, OSError.
    """
    start = _require_unlinked(folder)
    home_stat = None if user_home is None else system.stat(user_home)
    root = start if home_stat is None else ""
    current = start
    while current:
        git = stat_entry(current + "/.git")
        if git is not None:
            kind = git.st_mode & TYPE_MASK
            return root or current, current, current + "/.git" if kind == FOLDER else _find_common_git_folder(current)
        if not root and home_stat is not None and _has_project_marker(current, home_stat):
            root = current
        current = current.rpartition("/")[0]
    if exists("/.git") or (not root and exists("/.claude")):
        raise UnsureError
    return root or start, "", ""


def _find_common_git_folder(top: str) -> str:
    """Return the git folder of the main checkout of a worktree. Raises UnsureError unless both refer to each other."""
    keyword, _, git_folder = read_small_file(f"{top}/.git").decode().rstrip("\n").partition(": ")
    common = git_folder.rpartition("/worktrees/")[0]
    if keyword != "gitdir" or common.rpartition("/")[2] != ".git":
        raise UnsureError  # a submodule or an unknown layout
    git_folder = _require_unlinked(git_folder)
    if (
        read_small_file(f"{git_folder}/gitdir") != f"{top}/.git\n".encode()
        or read_small_file(f"{git_folder}/commondir") != b"../..\n"
    ):
        raise UnsureError
    return common


def _require_unlinked(path: str) -> str:
    """Return ``path`` if it is a folder reached without a symbolic link. Raises UnsureError, OSError."""
    prefix = ""
    for part in require_plain_path(path).split("/")[1:]:
        prefix += "/" + part
        if system.lstat(prefix).st_mode & TYPE_MASK != FOLDER:
            raise UnsureError
    return path


def _has_project_marker(folder: str, user_home: system.stat_result) -> bool:
    """Return whether a ``.claude`` folder marks this folder as a project; the one in the user's home does not count."""
    entry = stat_entry(folder + "/.claude")
    if entry is None:
        return False
    folder_stat = system.stat(folder)
    if entry.st_mode & TYPE_MASK == SYMLINK:
        raise UnsureError
    is_home = (folder_stat.st_dev, folder_stat.st_ino) == (user_home.st_dev, user_home.st_ino)
    return entry.st_mode & TYPE_MASK == FOLDER and not is_home


def list_settings_files(root: str, top: str, git: str, environment: Mapping[bytes, bytes]) -> list[str]:
    """List a project's settings files like settings/lenient.py, the user's last. Raises UnsureError, KeyError,
    ValueError, OSError.
    """
    folders = [root]
    while folders[-1] != (top or root):
        folders.append(folders[-1].rpartition("/")[0])
    if git and git != f"{top}/.git":
        folders.append(git[: -len("/.git")])
    paths = [f"{folder}/.claude/{SETTINGS_NAME}" for folder in dict.fromkeys(folders)]
    if configured := environment.get(b"MIND_SKILLS_CONFIG", b"").decode():
        _require_outside_work_trees(configured.rpartition("/")[0], environment)
        return [*paths, configured]
    base = environment.get(b"XDG_CONFIG_HOME", b"").decode()
    if base[:1] == "/":
        _require_outside_work_trees(base, environment)
    else:
        base = environment[b"HOME"].decode() + "/.config"
    return [*paths, f"{base}/mind-skills/{SETTINGS_NAME}"]


def read_hook_settings(files: list[str]) -> tuple[bool, int, bool]:
    """Return whether ``files`` enable mind-skills, the seconds between checkpoints, and whether they enable reminders.
    Plain lines and ``[projects."..."]`` headers only, as tomllib is slow. Raises UnsureError for any other content,
    OSError.
    """
    *project_files, user_file = files
    tables = _read_tables(user_file)
    defaults = tables.get(b"", {})
    are_on = {name: defaults.get(name) != b"false" for name in (b"enabled", b"reminders")}
    seconds = _parse_idle_seconds(defaults) or _DEFAULT_IDLE_SECONDS
    for path in project_files:
        project_tables = _read_tables(path)
        if len(project_tables) > 1:
            raise UnsureError
        are_on |= {name: False for name in are_on if project_tables[b""].get(name) == b"false"}
        seconds = max(seconds, _parse_idle_seconds(project_tables[b""]))
    for path in reversed(project_files):
        user_table = tables.get(path[: -len(f"/.claude/{SETTINGS_NAME}")].encode(), {})
        are_on |= {name: user_table[name] == b"true" for name in are_on if name in user_table}
        seconds = _parse_idle_seconds(user_table) or seconds
    return are_on[b"enabled"], seconds, are_on[b"reminders"]


def _read_tables(path: str) -> dict[bytes, dict[bytes, bytes]]:
    """Parse a settings file of plain lines into its top-level table (key ``b""``) and one table per project folder."""
    table: dict[bytes, bytes] = {}
    tables = {b"": table}
    for line in read_small_file(path).split(b"\n"):
        text = line.partition(b"#")[0].strip(b" \t")
        if text.startswith(_PROJECT_HEADER) and text.endswith(b'"]'):
            folder = text[len(_PROJECT_HEADER) : -2]
            if folder in tables or b'"' in folder or b"\\" in folder:
                raise UnsureError
            table = tables[folder] = {}
            continue
        key, equals, value = (part.strip(b" \t") for part in text.partition(b"="))
        if not (key or equals or value):
            continue
        if key in table or not _is_plain_setting(key, value):
            raise UnsureError
        table[key] = value
    return tables


def _parse_idle_seconds(table: dict[bytes, bytes]) -> int:
    seconds = int(table.get(b"idle_seconds", b"0"))
    return seconds if 10 <= seconds <= 3600 else 0


def _is_plain_setting(key: bytes, value: bytes) -> bool:
    if key in (b"enabled", b"reminders"):
        return value in (b"true", b"false")
    return key == b"idle_seconds" and value.isdigit() and value[:1] != b"0" and len(value) < 9


def read_small_file(path: str) -> bytes:
    """Read a small file of printable ASCII; "" without one. Raises UnsureError for any other file, OSError."""
    if stat_entry(path) is None:
        return b""
    descriptor = system.open(path, system.O_RDONLY | system.O_NOFOLLOW | system.O_NONBLOCK | system.O_CLOEXEC)
    try:
        if system.fstat(descriptor).st_mode & TYPE_MASK != REGULAR_FILE:
            raise UnsureError
        content = system.read(descriptor, MAX_SMALL_FILE_BYTES + 1)
    finally:
        system.close(descriptor)
    if len(content) > MAX_SMALL_FILE_BYTES or content.translate(None, _PRINTABLE):
        raise UnsureError
    return content


def require_plain_path(path: str) -> str:
    """Return ``path`` if it is absolute and normalised, and not the root folder. Raises UnsureError otherwise."""
    if path[:1] != "/" or path == "/" or "\0" in path:
        raise UnsureError
    if any(part in ("", ".", "..") for part in path.split("/")[1:]):
        raise UnsureError
    return path


def require_private_folder(folder: str) -> None:
    """Raise UnsureError or OSError unless ``folder`` belongs to this user and nobody else can access it."""
    entry = system.stat(folder)
    if entry.st_uid != system.geteuid() or entry.st_mode & (TYPE_MASK | 0o077) != FOLDER:
        raise UnsureError


def exists(path: str) -> bool:
    """Return whether ``path`` exists. Raises OSError if that cannot be determined."""
    return stat_entry(path) is not None


def stat_entry(path: str) -> system.stat_result | None:
    """Return the lstat result of ``path``, or None if it does not exist. Raises OSError."""
    try:
        return system.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def has_entries(folder: str) -> bool:
    """Return whether ``folder`` exists and is not empty. Raises OSError if that cannot be determined."""
    try:
        return bool(system.listdir(folder))
    except FileNotFoundError:
        return False
