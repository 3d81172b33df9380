"""Finds the files of Codex threads: the rollouts of forks, subagents and edited prompts, and those that were archived or compressed.

A rollout is ``sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl``. Codex moves that of an archived thread to ``archived_sessions``, and
compresses old ones to ``.jsonl.zst`` if that is enabled. When the user edits a prompt, Codex (observed with 0.153) begins another
rollout of the same thread, with an id of its own in its name, whose header refers to the part of the previous one that remains valid.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from mind_skills.observations.codec import as_integer, as_object, as_string, parse_json, parse_time
from mind_skills.observations.open_file import COMPRESSED_SUFFIX, open_log_file
from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_DAYS = 7
"""Maximum number of folders of other days that are searched. Sessions rarely last longer."""
MAX_HEADER_BYTES = 4 * 1024 * 1024
"""Maximum number of bytes of the first line that are read. The line contains the model's instructions."""
ARCHIVE = "archived_sessions"
SUFFIXES = (".jsonl", f".jsonl{COMPRESSED_SUFFIX}")
_SESSION_ID = compile_lazily(r"[0-9a-fA-F-]{8,64}")
_NAME = compile_lazily(r"rollout-((\d{4})-(\d\d)-(\d\d)T[\d-]{8})-([0-9a-fA-F-]{8,64})\.jsonl")


class Header(NamedTuple):
    """The fields of a rollout's first line that tell how it is related to other rollouts; empty, 0 or None if absent."""

    thread_id: str = ""
    at: int | None = None
    """The time of the header, in UTC milliseconds."""
    is_subagent: bool = False
    parent_id: str = ""
    """The thread that started this subagent."""
    is_service: bool = False
    """Whether the client itself started this subagent, such as one for a review or a compaction, for no call of a parent."""
    agent_path: str = ""
    """The name that the parent gave the task of this subagent."""
    forked_from: str = ""
    start_ordinal: int | None = None
    """The number of the first record that is the subagent's own."""
    base_id: str = ""
    """The id of the rollout that precedes this one, and the number of its first record that does not."""
    base_end: int = 0


def parse_header(meta: object, at: int | None) -> Header:
    """Parse the payload of a ``session_meta`` record; ``at`` is the time of the record, in UTC milliseconds."""
    fields = as_object(meta)
    # ``thread_source`` does not count: it is also "subagent" in a thread that an agent created and the user then continued.
    source = as_object(fields.get("source"))
    kind = source.get("subagent")
    spawn = as_object(as_object(kind).get("thread_spawn"))
    base = as_object(fields.get("history_base"))
    return Header(
        as_string(fields.get("id")) or as_string(fields.get("session_id")),
        parse_time(fields.get("timestamp")) or at,
        "subagent" in source,
        as_string(spawn.get("parent_thread_id")),
        bool(kind) and "thread_spawn" not in as_object(kind),
        as_string(spawn.get("agent_path")),
        as_string(fields.get("forked_from_id")),
        as_integer(fields.get("subagent_history_start_ordinal")),
        as_string(base.get("thread_id")),
        as_integer(base.get("end_ordinal_exclusive")) or 0,
    )


def read_header(path: Path) -> Header:
    """Read the header of a rollout; it is empty if the file cannot be read."""
    try:
        status = path.stat()
    except OSError:
        return Header()
    return _read_header(str(path), status.st_mtime_ns, status.st_size)


@lru_cache(4096)
def _read_header(path: str, _mtime: int, _size: int) -> Header:
    try:
        with open_log_file(path) as file:
            record = as_object(parse_json(file.readline(MAX_HEADER_BYTES)))
    except (OSError, ValueError):
        return Header()
    return parse_header(record.get("payload"), parse_time(record.get("timestamp")))


def get_rollout_id(path: Path) -> str:
    """Return the id in a rollout's name; empty if the name has another form."""
    match = _NAME.match(path.name)
    return match[5] if match else ""


def find_log(log: Path, session_id: str, *, later: bool) -> Path | None:
    """Find the rollout with an id in its name, from the day of ``log`` or a later (or earlier) day, or archived.

    Returns None if there is none. Raises OSError.
    """
    for folder in _list_folders(log, later=later):
        for suffix in SUFFIXES:
            for path in sorted(folder.glob(f"rollout-*-{session_id}{suffix}")):
                if path != log:
                    return path
    return None


def find_moved_log(path: Path) -> Path | None:
    """Find a rollout that Codex has archived or compressed since it was at ``path``; None if there is none."""
    if not path.name.startswith("rollout-"):
        return None
    name = path.name.removesuffix(COMPRESSED_SUFFIX)
    folders = [path.parent]
    folders += [path.parents[3].with_name(ARCHIVE)] if len(path.parents) > 3 else []
    candidates = (folder / f"{name}{suffix}" for folder in folders for suffix in ("", COMPRESSED_SUFFIX))
    return next((candidate for candidate in candidates if candidate != path and candidate.is_file()), None)


def is_subagent_log(path: Path) -> bool:
    """Return whether this is the log of a subagent that is read together with its parent's log, because that log exists.

    So is the log of a subagent of the client, such as the one for a review: it is not a session, and is not read.
    """
    if not path.name.startswith("rollout-"):
        return False
    header = read_header(path)
    return header.is_service or (is_id(header.parent_id) and find_log(path, header.parent_id, later=False) is not None)


def is_id(text: str) -> bool:
    """Return whether a text has the form of an id, so that it can be part of a file name."""
    return bool(_SESSION_ID.fullmatch(text))


def list_children(log: Path, parent_id: str, agent_path: str) -> Iterator[str]:
    """Yield the ids of the subagents with a task's name that a thread started, the first one first."""
    for header in _list_later_headers(log):
        if (header.parent_id, header.agent_path) == (parent_id, agent_path):
            yield header.thread_id


def find_cut(log: Path, header: Header) -> int | None:
    """Return the number of the first record that the user took back by editing a prompt; None if there is none."""
    rollout_id = get_rollout_id(log)
    cuts = [
        later.base_end
        for later in _list_later_headers(log)
        if rollout_id and (later.thread_id, later.base_id) == (header.thread_id, rollout_id) and later.base_end
    ]
    return min(cuts, default=None)


def _list_later_headers(log: Path) -> Iterator[Header]:
    """Yield the headers of the rollouts that began after a rollout, within ``MAX_DAYS``, in order."""
    own = _NAME.match(log.name)
    if own is None:
        return
    for folder in _list_folders(log, later=True):
        try:
            names = _list_names(str(folder), folder.stat().st_mtime_ns)
        except OSError:  # it was removed meanwhile, or is another user's
            continue
        for name in names[bisect_left(names, f"rollout-{own[1]}") :]:
            if name != log.name:
                yield _read_once(os.path.join(folder, name))


@lru_cache(64)
def _list_names(folder: str, _changed_at: int) -> list[str]:
    """List the names of the rollouts in a folder, sorted. Cached until a file is added or removed. Raises OSError."""
    return sorted(name for name in os.listdir(folder) if name.endswith(SUFFIXES) and _NAME.match(name))


@lru_cache(8192)
def _read_once(path: str) -> Header:
    """Read the header of a rollout. Cached, because the first line of a file never changes."""
    return read_header(Path(path))


def _list_folders(log: Path, *, later: bool) -> Iterator[Path]:
    """Yield the folders in which the rollouts of related threads may be: that of ``log``, those of later or earlier days, the archive."""
    yield log.parent
    day = log.parent
    match = _NAME.match(log.name)
    if day.name == ARCHIVE and match is not None:
        day = day.with_name("sessions").joinpath(*match.groups()[1:4])
        if day.is_dir():
            yield day
    if len(day.parts) < 4 or not all(part.isdecimal() for part in day.parts[-3:]):
        return
    top = day.parents[2]
    days = _list_days(str(top), day.parent.stat().st_mtime_ns if day.parent.is_dir() else 0)
    index = bisect_left(days, str(day))
    others = days[index + (days[index : index + 1] == [str(day)]) :] if later else days[:index][::-1]
    yield from map(Path, others[:MAX_DAYS])
    archive = top.with_name(ARCHIVE)
    if archive != log.parent and archive.is_dir():
        yield archive


@lru_cache(16)
def _list_days(top: str, _changed_at: int) -> list[str]:
    """List the folders of all days, sorted. Cached until a day is added to the month of the log."""
    return sorted(str(folder) for folder in Path(top).glob("*/*/*"))
