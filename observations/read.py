"""Opens logs. Their format is detected from their content, or from ``?session=`` in the path of a session in a database.

Each format has a module in readers/. How a format is recognised is in this module, because a log must not be taken for one of another
format, and because the readers of other formats need not be imported for that.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from mind_skills.errors import LogError
from mind_skills.observations.known_files import remember_files
from mind_skills.observations.logfile import skip_comments
from mind_skills.observations.model import Observation, Progress, Session
from mind_skills.observations.open_file import (
    COMPRESSED_SUFFIX,
    SQLITE_MAGIC,
    ZSTD_HINT,
    ZSTD_MAGIC,
    can_decompress,
    open_log_file,
)
from mind_skills.observations.secret_values import note_secrets
from mind_skills.redaction.lazy_pattern import compile_lazily

HEAD_BYTES = 64 * 1024
"""Number of bytes at the beginning of a file from which its format is detected."""
LOCKED_HINT = "wait until that program has finished, or close it"
_BLANKS = b"\xef\xbb\xbf \r\n\t\x00"
_GZIP_MAGIC = b"\x1f\x8b"
_OPENCODE_INFO = compile_lazily(rb'\{\s*"(?:info|messages)"\s*:')
_OPENCODE_KEY = compile_lazily(rb'"(?:projectID|sessionID|messageID|slug)"\s*:|"ses_')
_OPENCODE_KEY_HINTS = (b'"projectID"', b'"sessionID"', b'"messageID"', b'"slug"', b'"ses_')
"""Every match of ``_OPENCODE_KEY`` contains one of these, which are found much faster."""
_CODEX_TYPE = compile_lazily(
    rb'"type"\s*:\s*"(?:session_meta|response_item|event_msg|turn_context|world_state|compacted)"'
)
_CODEX_BARE_ITEM = compile_lazily(
    rb'\{[^\n]*"instructions"[^\n]*\}\s*\n\s*\{[^\n]*"(?:record_type|type)"\s*:\s*"(?:state|message|reasoning)"'
)
_TRAJECTORY, _TRAJECTORY_KEY = compile_lazily(rb'"trajectory"\s*:\s*\['), compile_lazily(rb'"trajectory"\s*:')
_SWE_AGENT_STEP = compile_lazily(rb'"(?:action|observation|thought|response)"\s*:')
_MINI_KEY = compile_lazily(rb'"(?:mini_version|instance_cost)"\s*:')
_MINI_KEY_HINTS = (b'"mini_version"', b'"instance_cost"')
"""Every match of ``_MINI_KEY`` contains one of these, which are found a hundred times as fast."""
_MINI_MESSAGES = compile_lazily(rb'"(?:messages|info)"\s*:')
_ANTIGRAVITY_STEP = compile_lazily(rb'\{"step_index":\d{1,9},"source":"')
_CLAUDE_CODE_KEY = compile_lazily(rb'"(?:sessionId|parentUuid|leafUuid|isSidechain|file-history-snapshot)"')


class OpenLog(NamedTuple):
    """An open log. The session's header is filled while ``observations`` is consumed."""

    session: Session
    observations: Iterator[Observation]


def _is_opencode_database(head: bytes) -> bool:
    return head.startswith(SQLITE_MAGIC)


def _is_opencode_export(head: bytes) -> bool:
    text = head.lstrip(_BLANKS)
    return (
        bool(_OPENCODE_INFO.match(text))
        and any(map(text.__contains__, _OPENCODE_KEY_HINTS))
        and bool(_OPENCODE_KEY.search(text))
    )


def _is_codex(head: bytes) -> bool:
    text = head.lstrip(_BLANKS)
    if not text.startswith(b"{"):
        return False
    if b'"payload"' in text and _CODEX_TYPE.search(text):
        return True
    return b'"instructions"' in text and bool(_CODEX_BARE_ITEM.match(text))


def _is_gemini(head: bytes) -> bool:
    text = head.lstrip(_BLANKS)
    return text.startswith(b"{") and b'"projectHash"' in text and b'"sessionId"' in text


def _is_swe_agent(head: bytes) -> bool:
    text = head.lstrip(_BLANKS)
    if not text.startswith(b"{") or b"}\n{" in text or b'"trajectory"' not in text:
        return False
    match = _TRAJECTORY.search(text)
    return match is not None and (
        bool(_SWE_AGENT_STEP.search(text, match.end())) or b'"environment"' in text[: match.start()]
    )


def _is_mini_swe_agent(head: bytes) -> bool:
    text = head.lstrip(_BLANKS)
    return (
        text.startswith(b"{")
        and b"}\n{" not in text  # JSONL is another format; this search is the fastest
        and (
            b"mini-swe-agent" in text or (any(map(text.__contains__, _MINI_KEY_HINTS)) and bool(_MINI_KEY.search(text)))
        )
        and bool(_MINI_MESSAGES.search(text))
        and not _TRAJECTORY_KEY.search(text)
    )


def _is_antigravity(head: bytes) -> bool:
    return bool(_ANTIGRAVITY_STEP.match(head.lstrip(_BLANKS)))


def _is_claude_code(head: bytes) -> bool:
    text = head.lstrip(_BLANKS)
    return text.startswith(b"{") and bool(_CLAUDE_CODE_KEY.search(text)) and b'"payload"' not in text[:400]


class Format(NamedTuple):
    """A format of logs: its module in readers/, its host, and a function that recognises it by the first bytes of a file."""

    module: str
    host: str
    sniff: Callable[[bytes], bool]


FORMATS = {
    "opencode-db": Format("opencode_db", "opencode", _is_opencode_database),
    "opencode-export": Format("opencode", "opencode", _is_opencode_export),
    "codex-rollout": Format("codex", "codex", _is_codex),
    "gemini": Format("gemini", "gemini", _is_gemini),
    "swe-agent-traj": Format("swe_agent", "swe-agent", _is_swe_agent),
    "mini-swe-traj": Format("mini_swe_agent", "mini-swe-agent", _is_mini_swe_agent),
    "antigravity": Format("antigravity", "antigravity", _is_antigravity),
    "claude-code": Format("claude_code", "claude-code", _is_claude_code),
}
"""Formats in the order in which they are tried. Claude Code's is the last, because its keys, such as ``sessionId``, also occur in
the logs of other hosts."""


def detect_format(path: Path) -> str:
    """Detect the format of a file from its first 64 KiB. A path that names a session in a database is not opened.

    Raises LogError if the file cannot be opened, is empty or damaged, or has an unknown format.
    """
    if is_database_session(path):
        return "opencode-db"
    try:
        with open_log_file(path) as handle:
            head = handle.read(HEAD_BYTES)
    except OSError as error:
        raise _build_error(error) from error
    if not head.strip(_BLANKS) and b"\0" in head:
        raise LogError(
            "broken", "there are only NUL bytes where a log begins", "a crash or power loss may have damaged the file"
        )
    if not head.strip(_BLANKS):
        raise LogError("empty", "the file is empty", "if the session has just started, try again later")
    if head.startswith(ZSTD_MAGIC) and path.name.endswith(COMPRESSED_SUFFIX) and not can_decompress():
        raise LogError("compressed", "the file is compressed with zstd, and no module for that is installed", ZSTD_HINT)
    if head.startswith((ZSTD_MAGIC, _GZIP_MAGIC)):
        advice = "decompress it first, for example with `zstd -d` or `gzip -d`"
        raise LogError("unknown_format", "the file is compressed", advice)
    for start in (head, skip_comments(head)):
        for name in FORMATS if start else ():
            if FORMATS[name].sniff(start):
                return name
    raise LogError(
        "unknown_format",
        "not a session log of a known host",
        "if it is one, name its format with --format: it could not be detected from the beginning of the file",
    )


def stat_log(path: Path) -> tuple[int, int]:
    """Return a log's size in bytes and its mtime in ns; for a session in a database, the number of its parts and the last change in ns.

    Raises OSError; FileNotFoundError if there is no log yet.
    """
    if is_database_session(path):
        from mind_skills.observations.readers import opencode_db

        return opencode_db.get_extent(path)
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns


def is_database_session(path: Path) -> bool:
    """Return whether the path names a session in a database, as in ``opencode.db?session=ID``."""
    return "?session=" in path.name and not path.exists()


def open_log(path: Path, format_name: str | None = None, progress: Progress | None = None) -> OpenLog:
    """Open a log. Until ``observations`` is consumed, only the head of the log is read, if at all.

    With ``progress``, reading starts at its mark, and ``progress`` is updated (observations/incremental.py).

    Raises:
        LogError: the format is unknown, or see ``detect_format``. While ``observations`` is consumed: the log cannot be read.
        RewrittenError: while ``observations`` is consumed: the log is not the one that ``progress`` belongs to.
    """
    name = format_name or detect_format(path)
    if name not in FORMATS:
        raise LogError("unknown_format", f"there is no format {name!r}", f"use one of {', '.join(FORMATS)}")
    session = Session(path=str(path), format=name, host=FORMATS[name].host, progress=progress)
    reader = import_module(f"mind_skills.observations.readers.{FORMATS[name].module}")
    observations = remember_files(_convert_errors(reader.read(path, session)), session.known_files)
    return OpenLog(session, note_secrets(observations, session.secrets))


def read_session(path: Path, format_name: str | None = None) -> Session:
    """Read an entire log into memory. For a log that may be too large for that, use ``open_log``. Raises LogError."""
    log = open_log(path, format_name)
    log.session.observations.extend(log.observations)
    return log.session


def _convert_errors(observations: Iterator[Observation]) -> Iterator[Observation]:
    try:
        yield from observations
    except OSError as error:
        raise _build_error(error) from error


def _build_error(error: OSError) -> LogError:
    if error.errno == errno.EBUSY:
        return LogError("locked", error.strerror or str(error), LOCKED_HINT)
    hints = {
        "IsADirectoryError": "name the files in the folder, or use `mind-skills replay FOLDER`",
        "FileNotFoundError": "check the path; the file may have been removed while it was being read",
        "PermissionError": "check the owner and permissions of the file",
    }
    code = {"IsADirectoryError": "directory", "FileNotFoundError": "not_found", "PermissionError": "no_permission"}
    name = type(error).__name__
    return LogError(
        code.get(name, "unreadable"), error.strerror or str(error), hints.get(name, "check the file and its disk")
    )
