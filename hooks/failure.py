"""The hook on a failing command: one line if the project has solved the same error, or has a skill for it; once per
session and episode (``reminded/<session>/``), or left silent for comparison. Usually costs a few system calls; on
the hot path.
"""

from __future__ import annotations

from mind_skills.store.error_index import (
    MUTED,
    SKILL,
    ErrorIndex,
    Record,
    digest_codes,
    get_index_path,
    list_command_words,
    list_keys,
)

try:
    import posix as system
except ImportError:  # Windows
    import os as system  # type: ignore[no-redef,unused-ignore]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FOLDER = "reminded"
"""Folder in the state folder, with a folder per session."""
SHOWN, SILENT = "shown", "silent"
MAX_REMINDERS = 10
"""Maximum number of reminders in a session; a session with more is not helped by them."""


class Hit:
    """A solved error that occurs in an output: its key in the file, that of the error, the record, and what runs mind-skills."""

    __slots__ = ("command", "error_key", "key", "record")

    def __init__(self, key: str, error_key: str, record: Record, command: str) -> None:
        self.key, self.error_key, self.record, self.command = key, error_key, record, command

    @property
    def line(self) -> str:
        return self.record.describe(self.command)


def read_failure(payload: dict[str, Any]) -> tuple[str, str]:
    """Return command and output of a failed call; empty if the user interrupted it, or if it is not a command's."""
    call: dict[str, Any] = payload["tool_input"] if isinstance(payload.get("tool_input"), dict) else payload
    command, output = call.get("command"), payload.get("error")
    if isinstance(command, str) and isinstance(output, str) and payload.get("is_interrupt") is not True:
        return command, output
    return "", ""


def find_hits(home: str, project_id: str, session_digest: str, command: str | None, output: str) -> list[Hit]:
    """Return the project's solved errors in an output, best first, except the session's own. The programs of
    ``command`` must be those that failed then; None is a question, which muted errors answer too. Raises OSError, ValueError.
    """
    if command == "" or not output:
        return []
    words = None if command is None else list_command_words(command)
    try:
        index = ErrorIndex(get_index_path(home, project_id))
    except FileNotFoundError:
        return []
    try:
        own = bytes.fromhex(session_digest)[:4]  # nothing, outside a session
        found: list[Hit] = []
        for key, error_key, line in list_keys(output, words):
            for codes, session, offset in index.find(key):
                if session == own or codes != digest_codes(line.strip()) or (words is not None and offset & MUTED):
                    continue
                record = index.read_record(offset)
                if words is None or words.issuperset(record.program.encode().split()):
                    found.append(Hit(key.hex(), error_key.hex(), record, index.read_command()))
                    break
        return sorted(found, key=lambda hit: hit.record.kind != SKILL)
    finally:
        index.close()


def claim(home: str, session_digest: str, hits: list[Hit], now: int, silent_share: float = 0.0) -> str:
    """Return the line about the first hit, once a session; "" if it was told, or is in the ``silent_share``. ``now`` is
    UTC ms. Raises OSError.
    """
    folder = f"{home}/{FOLDER}/{session_digest}"
    names = dict.fromkeys([hit.record.name for hit in hits])
    reminded = _list_names(folder)
    if len(reminded) >= MAX_REMINDERS or any(name in reminded for name in names):
        return ""
    for path in (f"{home}/{FOLDER}", folder):
        _make_folder(path)
    lot = int(hits[0].key[:8], 16) ^ int(session_digest[:8], 16)
    is_silent = lot % 1_000 < silent_share * 1_000
    for name in names:
        keys = " ".join([hit.error_key for hit in hits if hit.record.name == name])
        text = f"{SILENT if is_silent or name != hits[0].record.name else SHOWN} {now} {hits[0].record.kind} {keys}"
        try:
            descriptor = system.open(f"{folder}/{name}", system.O_WRONLY | system.O_CREAT | system.O_EXCL, 0o600)
        except FileExistsError:
            return ""  # a parallel call has just reported it
        system.write(descriptor, text.encode())
        system.close(descriptor)
    return "" if is_silent else hits[0].line


def read_claims(home: str, session_digest: str) -> list[tuple[str, bool, bool, int, list[str]]]:
    """Return (name, is it a skill, was it shown, time in UTC ms, keys) of what was claimed for a session. Raises OSError."""
    folder = f"{home}/{FOLDER}/{session_digest}"
    claims: list[tuple[str, bool, bool, int, list[str]]] = []
    for name in sorted(_list_names(folder)):
        with open(f"{folder}/{name}", encoding="utf-8", errors="replace") as file:
            shown, at, kind, *keys = [*file.read(1 << 12).split(), "", "", ""][:64]
        if at.isdecimal() and len(at) < 20:
            claims.append((name, kind == SKILL, shown == SHOWN, int(at), [key for key in keys if key]))
    return claims


def _make_folder(path: str) -> None:
    try:
        system.mkdir(path, 0o700)
    except FileExistsError:
        return  # the usual case


def _list_names(folder: str) -> list[str]:
    try:
        return system.listdir(folder)
    except FileNotFoundError:
        return []
