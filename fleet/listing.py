"""Lists the logs that the SOURCE arguments of a scan name, and divides them into batches: tasks of the scan, and
Parquet parts.
"""

from __future__ import annotations

import importlib
import os
import stat
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import lru_cache
from glob import glob
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from mind_skills.errors import MindSkillsError
from mind_skills.observations.find_logs import SUFFIXES

OBJECT_SCHEMES = ("s3", "gs", "gcs")
STDIN = "-"
_WILDCARDS = "*?["
_SUBAGENTS = "subagents"


class Companion(NamedTuple):
    """The log of a Claude Code subagent in object storage, which the reader expects next to its session's log."""

    uri: str
    size: int


class Entry(NamedTuple):
    """One file of a scan. ``uri`` is an absolute path or an object's address, ``size`` is in bytes, ``mtime_ns`` in ns since the epoch."""

    uri: str
    size: int
    mtime_ns: int
    is_named: bool = False
    """Whether the user named this file, or a glob that matches it on this machine. Other files may belong to other programs."""
    companions: tuple[Companion, ...] = ()
    scans: int = 0
    """How many scans could not read it."""

    @property
    def is_object(self) -> bool:
        """Whether the file has to be downloaded before it can be read."""
        return is_object(self.uri)

    @property
    def bytes_to_read(self) -> int:
        """The size of the file and its companions."""
        return self.size + sum(each.size for each in self.companions)


def is_object(source: str) -> bool:
    """Return whether ``source`` is an address in object storage."""
    return urlsplit(source).scheme in OBJECT_SCHEMES


def list_entries(sources: Iterable[str], stdin: Iterable[str] = ()) -> list[Entry]:
    """Return the files that ``sources`` name, each once; `-` stands for ``stdin``, whose missing files get the size 0.
    Raises MindSkillsError.
    """
    found: dict[str, Entry] = {}
    for source in sources:
        listed = _list_stdin(stdin) if source == STDIN else _list_source(source)
        for entry in listed:
            found.setdefault(entry.uri if entry.is_object else os.path.realpath(entry.uri), entry)
    return list(found.values())


def split_names(text: bytes, *, null: bool) -> Iterator[str]:
    """Return the names in a list: one per line or, with ``null``, each ended by a zero byte, so that it may contain line breaks."""
    return (os.fsdecode(name) for name in (text.split(b"\0") if null else text.splitlines()))


def _list_stdin(names: Iterable[str]) -> Iterator[Entry]:
    for name in names:
        if name:
            try:
                yield from _list_source(name)
            except MindSkillsError as error:
                if error.code != "not_found":
                    raise
                yield Entry(name if is_object(name) else os.path.abspath(_get_local_path(name)), 0, 0, is_named=True)


def _list_source(source: str) -> Iterator[Entry]:
    if is_object(source):
        return _list_objects(source)
    path = os.path.abspath(_get_local_path(source))
    if os.path.isdir(path):
        return _walk(path)
    if os.path.lexists(path):
        return iter([_stat_entry(path, is_named=True)])
    matches = sorted(glob(path, recursive=True)) if any(character in path for character in _WILDCARDS) else []
    if not matches:
        raise MindSkillsError("not_found", f"{source} does not exist", "Check the spelling.")
    return (entry for match in matches for entry in _list_source(match))


def _get_local_path(source: str) -> str:
    if not source.startswith("file://"):
        return os.path.expanduser(source)
    parts = urlsplit(source)
    if parts.netloc not in ("", "localhost"):
        raise MindSkillsError("usage", f"{source} is on another machine", "Use file:///PATH.")
    return unquote(parts.path)


def _walk(folder: str) -> Iterator[Entry]:
    def fail(error: OSError) -> None:
        reason = f"{error.filename}: {error.strerror}"
        raise MindSkillsError("unreadable", reason, "Check the folder's permissions.") from error

    for parent, folders, files in os.walk(folder, onerror=fail):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(parent, name)
            if name.endswith(SUFFIXES) and not _is_subagent(path, os.path.exists):
                entry = _stat_entry(path)
                if entry.mtime_ns:
                    yield entry


def _stat_entry(path: str, *, is_named: bool = False) -> Entry:
    """Return the entry of a file, with size and time 0 if it is not regular or has vanished."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return Entry(path, 0, 0, is_named)
    except OSError:
        return Entry(path, 0, 1, is_named)
    is_file = stat.S_ISREG(status.st_mode)
    return Entry(path, status.st_size if is_file else 0, status.st_mtime_ns if is_file else 0, is_named)


def _is_subagent(path: str, exists: Any) -> bool:
    """Return whether this is the log of a Claude Code subagent that is read together with its session's log, which exists."""
    parent = PurePosixPath(path.replace(os.sep, "/")).parent
    return parent.name == _SUBAGENTS and bool(exists(f"{parent.parent}.jsonl"))


# -- object storage --------------------------------------------------------------------------------------------------------


def open_storage(uri: str) -> tuple[Any, str]:
    """Return the pyarrow file system and path of an address. Raises MindSkillsError, also for one with a password,
    which logs would show.
    """
    parts = urlsplit(uri)
    if parts.password is not None:
        raise MindSkillsError(
            "usage",
            "an address must not contain a password",
            "Set the provider's environment variables instead, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
        )
    system, bucket = _open_bucket(parts._replace(path="", fragment="").geturl())
    return system, (bucket.rstrip("/") + unquote(parts.path)).rstrip("/")


@lru_cache(maxsize=8)
def _open_bucket(uri: str) -> tuple[Any, str]:
    """Return the file system and the bucket. Cached, because opening a bucket takes longer than reading an object."""
    arrow: Any = importlib.import_module("pyarrow")
    storage: Any = importlib.import_module("pyarrow.fs")
    try:
        opened: tuple[Any, str] = storage.FileSystem.from_uri(uri)
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise MindSkillsError("storage", f"{uri} cannot be opened: {error}", _STORAGE_HINT) from error
    return opened


_STORAGE_HINT = "Check the address, the credentials in the environment and the network."


def _list_objects(source: str) -> Iterator[Entry]:
    arrow: Any = importlib.import_module("pyarrow")
    storage: Any = importlib.import_module("pyarrow.fs")
    system, pattern = open_storage(_escape_wildcards(source))
    segments = pattern.split("/")
    first_wildcard = next(
        (at for at, segment in enumerate(segments) if any(character in segment for character in _WILDCARDS)), None
    )
    base = pattern if first_wildcard is None else "/".join(segments[:first_wildcard])
    try:
        (info,) = system.get_file_info([base])
        if info.type == storage.FileType.NotFound:
            raise MindSkillsError("not_found", f"{source} does not exist", "Check the spelling.")
        is_named = info.type == storage.FileType.File
        infos = [info] if is_named else system.get_file_info(storage.FileSelector(base, recursive=True))
    except (arrow.ArrowException, OSError) as error:
        raise MindSkillsError("storage", f"{source} cannot be listed: {error}", _STORAGE_HINT) from error
    files = {each.path: each for each in infos if each.type == storage.FileType.File}
    selected = {path: each for path, each in files.items() if is_named or path.endswith(SUFFIXES)}
    if first_wildcard is not None:
        selected = {path: each for path, each in selected.items() if fnmatchcase(path, pattern)}
    companions: dict[str, list[Companion]] = {}
    for path in sorted(files):
        if path.endswith(SUFFIXES) and _is_subagent(path, files.__contains__):
            selected.pop(path, None)
            session = f"{PurePosixPath(path).parent.parent}.jsonl"
            companions.setdefault(session, []).append(Companion(_make_address(source, path), files[path].size or 0))
    return (
        Entry(
            _make_address(source, path), each.size or 0, each.mtime_ns or 1, is_named, tuple(companions.get(path, ()))
        )
        for path, each in sorted(selected.items())
    )


def _escape_wildcards(source: str) -> str:
    """Return ``source`` with `*`, `[`, `]` in its path percent-encoded. `?` is not a wildcard here, since it begins the query string."""
    parts = urlsplit(source)
    path = parts.path.replace("*", "%2A").replace("[", "%5B").replace("]", "%5D")
    return parts._replace(path=path).geturl()


def _make_address(source: str, path: str) -> str:
    """Return the address of the object at ``path`` (bucket/key) in the storage of ``source``, with the same options."""
    parts = urlsplit(source)
    bucket, _, key = path.partition("/")
    netloc = parts.netloc.rpartition("@")[0] + "@" + bucket if "@" in parts.netloc else bucket
    return parts._replace(netloc=netloc, path="/" + quote(key)).geturl()


# -- batches ---------------------------------------------------------------------------------------------------------------

MAX_BATCH_BYTES = 64_000_000
MAX_BATCH_LOGS = 100
"""A task costs the scheduler about 6 ms and 6.5 kB regardless of its work; reading a batch of this size takes seconds."""
MIN_BATCH_BYTES = 1_000_000
BATCHES_PER_WORKER = 8
"""A small scan has smaller batches, so that all workers finish at about the same time."""


class Batch(NamedTuple):
    """Logs that one task reads. ``name`` is a hash of their paths, sizes and times; ``size`` is in bytes."""

    name: str
    entries: tuple[Entry, ...]
    size: int


def make_batches(entries: Iterable[Entry], max_bytes: int = MAX_BATCH_BYTES) -> Iterator[Batch]:
    """Divide ``entries`` into batches, in order. A batch has at most 100 logs and ``max_bytes``, unless a single log is larger."""
    current: list[Entry] = []
    size = 0
    for entry in entries:
        if current and (size + entry.bytes_to_read > max_bytes or len(current) == MAX_BATCH_LOGS):
            yield Batch(_name_batch(current), tuple(current), size)
            current, size = [], 0
        current.append(entry)
        size += entry.bytes_to_read
    if current:
        yield Batch(_name_batch(current), tuple(current), size)


def choose_batch_bytes(total: int, workers: int) -> int:
    """Return the maximum size of a batch, in bytes, for ``total`` bytes on this number of ``workers``."""
    return max(MIN_BATCH_BYTES, min(MAX_BATCH_BYTES, total // max(1, workers * BATCHES_PER_WORKER)))


def _name_batch(entries: Iterable[Entry]) -> str:
    text = "\n".join(f"{entry.uri}\0{entry.size}\0{entry.mtime_ns}" for entry in entries)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
