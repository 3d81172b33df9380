"""The task that Dask's workers run for each batch: read its logs in a child process, and return the bytes of a Parquet part."""

from __future__ import annotations

import atexit
import importlib
import io
import os
import tempfile
import threading
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from mind_skills.errors import LogError, MindSkillsError
from mind_skills.fleet.child import LogReader, Reader, Task, read_file
from mind_skills.fleet.folder import make_findings_version
from mind_skills.fleet.listing import Batch, Entry, open_storage
from mind_skills.fleet.rows import READ, SET_ASIDE, Row, is_passing, make_empty_row, make_schema
from mind_skills.output.document import to_json_types

MAX_OBJECT_BYTES = 4_000_000_000
"""An object larger than this, with its companions, is set aside: its temporary copy could fill the disk of a worker."""
FILES_AHEAD = 2
"""Number of files sent to the child in addition to the one that it is reading, so that it rarely waits for its parent."""
CHUNK_BYTES = 4_000_000
_readers: dict[int, LogReader] = {}
"""The reader of each thread of this worker, by thread id."""


class ScanOptions(NamedTuple):
    """Options of all batches: ``seconds`` per log, plus one for each megabyte, and ``memory`` in bytes."""

    key: bytes
    seconds: float
    memory: int
    with_titles: bool
    read: Reader = read_file


class SetAside(NamedTuple):
    """A file that could not be read, the code of the reason, and whether the next scan reads it again."""

    uri: str
    reason: str
    again: bool = False


class BatchResult(NamedTuple):
    """The Parquet ``part`` of a batch by ``worker``; ``logs`` and ``size`` (bytes) include what was set aside."""

    name: str
    part: bytes
    logs: int
    size: int
    sessions: int
    findings: int
    set_aside: tuple[SetAside, ...]
    worker: str = ""
    version: str = ""


def scan_batch(batch: Batch, options: ScanOptions) -> BatchResult:
    """Read all logs of a batch. A log that crashes, blocks or exhausts its child is set aside; the others are read."""
    rows: list[Row] = []
    set_aside: list[SetAside] = []
    sessions = findings = 0
    reader, versions = _get_reader(options.memory), {make_findings_version()}
    for entry, entry_rows in _read_entries(batch.entries, options, reader):
        versions |= {reader.version} - {""}
        for row in entry_rows:
            sessions += row["status"] == READ
            findings += len(row["findings"])
            if row["status"] == SET_ASIDE:
                set_aside.append(SetAside(entry.uri, row["reason"], is_passing(row["reason"], row["scans"])))
        rows += entry_rows
    counts = (len(batch.entries), batch.size, sessions, findings, tuple(set_aside))
    return BatchResult(batch.name, make_part(rows), *counts, _find_address(), " and ".join(sorted(versions)))


def _find_address() -> str:
    try:
        return str(importlib.import_module("distributed").get_worker().address)
    except ValueError:  # a test called it
        return ""


def make_part(rows: list[Row]) -> bytes:
    """Return the bytes of a Parquet file with these rows."""
    arrow: Any = importlib.import_module("pyarrow")
    parquet: Any = importlib.import_module("pyarrow.parquet")
    buffer = io.BytesIO()
    # File names and session ids may contain surrogates, which Parquet does not allow.
    table = arrow.Table.from_pylist(to_json_types(rows), schema=make_schema())
    parquet.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _read_entries(
    entries: tuple[Entry, ...], options: ScanOptions, reader: LogReader
) -> Iterator[tuple[Entry, list[Row]]]:
    """Yield each entry with its rows, in order. The next files are downloaded while one is read."""
    running: deque[_Reading] = deque()
    try:
        for entry in entries:
            running.append(_Reading(entry, options, reader))
            if len(running) > FILES_AHEAD:
                first = running.popleft()
                yield first.entry, first.finish()
        while running:
            first = running.popleft()
            yield first.entry, first.finish()
    except BaseException:
        reader.stop()
        raise
    finally:
        for reading in running:
            reading.clean_up()


class _Reading:
    """A file that the child is reading or will read, with the temporary copy if it is an object."""

    def __init__(self, entry: Entry, options: ScanOptions, reader: LogReader) -> None:
        self.entry, self.options, self.reader = entry, options, reader
        self.folder: tempfile.TemporaryDirectory[str] | None = None
        self.failure = ""
        self.path = entry.uri
        if entry.is_object:
            self._download()
        if not self.failure:
            seconds = options.seconds + entry.bytes_to_read / 1_000_000
            small_entry = entry._replace(companions=())  # a request must be small
            reader.send(options.read, Task(small_entry, self.path, seconds, options.key, options.with_titles))

    def finish(self) -> list[Row]:
        """Wait for the child and return its rows, or a row that says why the file is set aside."""
        try:
            return [self._set_aside(self.failure)] if self.failure else self.reader.receive()
        except LogError as failure:
            return [self._set_aside(failure.code)]
        finally:
            self.clean_up()

    def clean_up(self) -> None:
        """Remove the temporary copy."""
        if self.folder is not None:
            self.folder.cleanup()

    def _set_aside(self, reason: str) -> Row:
        options = self.options
        return make_empty_row(self.entry, options.key, SET_ASIDE, reason, with_titles=options.with_titles)

    def _download(self) -> None:
        if self.entry.bytes_to_read > MAX_OBJECT_BYTES:
            self.failure = "too_large"
            return
        arrow: Any = importlib.import_module("pyarrow")
        name = Path(self.entry.uri.partition("?")[0]).name
        try:
            self.folder = tempfile.TemporaryDirectory(prefix="mind-skills-fleet-")
            self.path = os.path.join(self.folder.name, name)
            _copy_object(self.entry.uri, self.path, self.entry.size)
            for companion in self.entry.companions:
                folder = os.path.join(os.path.splitext(self.path)[0], "subagents")
                os.makedirs(folder, exist_ok=True)
                target = os.path.join(folder, Path(companion.uri.partition("?")[0]).name)
                _copy_object(companion.uri, target, companion.size)
        except (arrow.ArrowException, OSError, MindSkillsError):
            self.failure = "storage"


def _copy_object(uri: str, path: str, size: int) -> None:
    """Download an object of ``size`` bytes. Raises OSError if it has another size than when it was listed."""
    system, key = open_storage(uri)
    copied = 0
    with system.open_input_stream(key, compression=None) as source, open(path, "wb") as target:
        while data := source.read(CHUNK_BYTES):
            copied += len(data)
            if copied > size:
                raise OSError(f"{uri} has grown")
            target.write(data)
    if copied < size:
        raise OSError(f"{uri} is shorter than when it was listed")


def _get_reader(memory: int) -> LogReader:
    """Return the reader of this thread, a new one if there is none with this limit of ``memory`` (bytes)."""
    thread = threading.get_ident()
    reader = _readers.get(thread)
    if reader is None or reader.memory != memory:
        if reader is not None:
            reader.stop()
        reader = _readers[thread] = LogReader(memory)
    return reader


def stop_readers() -> None:
    """End all children of this worker; its next batch starts new ones."""
    for reader in list(_readers.values()):
        reader.stop()


atexit.register(stop_readers)
