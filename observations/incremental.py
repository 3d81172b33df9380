"""Reads a growing log incrementally: with a saved state, the cost of a read is proportional to what is new.

The saved state contains the last observations, redacted and truncated as always, and the reader's state at the offset up to which
the log was read. It depends only on the bytes before that offset, so a lost or outdated state only costs the time of
reading more of the log again. If the log was replaced, or if a module or setting that affects the state was changed, the entire log
is read again. A log that is a single document is always read in full.
"""

from __future__ import annotations

import marshal
import os
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from mind_skills.errors import LogError
from mind_skills.observations import sources
from mind_skills.observations.logfile import PROOF_BYTES, RewrittenError, compute_checksum, make_mark
from mind_skills.observations.model import (
    PART_CONTEXT,
    PART_STRIDE,
    LoadedSkill,
    LogWarning,
    Mark,
    Observation,
    Progress,
    State,
)
from mind_skills.observations.open_file import open_log_file
from mind_skills.observations.read import HEAD_BYTES, detect_format, is_database_session, open_log
from mind_skills.redaction.personal import is_personal_redaction_enabled
from mind_skills.store.light_dataclasses import dataclass, field

MAX_OBSERVATIONS, MAX_CHARACTERS = 600, 1_000_000
"""Maximum number of saved observations, and of characters in their texts, changes, commands and errors. Of 236
sessions, none had more than 2,000 observations, and half had fewer than 100; a megabyte of log holds about 160."""
MAX_STATE_BYTES = 32 << 20
"""Maximum number of bytes of a saved state that are read. A larger state is rejected, because the checksum of a part does not match."""
_MAGIC = b"mind-skills read so far 1\n"
_HEADER_FIELDS = ("session_id", "host", "project", "started", "ended", "end_reason", "lines")
"""The fields of a session's header that are saved, in addition to its skills and warnings."""
_MAX_SNAPSHOTS = PART_CONTEXT // PART_STRIDE + 2
_OBSERVATION_FIELDS = tuple(Observation.__slots__)  # pyright: ignore[reportAttributeAccessIssue]

_TEXT_FIELDS = ("text", "command", "change", "error", "error_signature", "signature", "target")
"""Fields that may contain a value that the session has shown to be a secret since they were read."""

CallerData = dict[str, Any]
"""Data that the caller saves for the next read. It may only contain types that marshal supports."""


class _Snapshot(NamedTuple):
    """The data for resuming at a mark. ``last_observations`` are the last of ``observation_count``, at most ``MAX_OBSERVATIONS``."""

    mark: Mark
    state: State
    header: dict[str, Any]
    observation_count: int
    last_observations: list[Observation]


@dataclass(slots=True)
class SavedState:
    """The saved state of a log that was read up to ``mark``.

    ``file_id`` (device and inode) and ``head_checksum`` (of the first bytes) identify the file; they are empty for a session in a
    database. ``header`` contains fields of the session, and ``state`` is the reader's state. ``observations`` begin at line
    ``first_line``, which is 1 if all of them are saved.
    """

    format: str
    file_id: str
    head_checksum: str
    mark: Mark
    header: dict[str, Any]
    state: State
    first_line: int
    observations: list[Observation]
    caller_data: CallerData = field(default_factory=dict[str, Any])

    def dump(self) -> bytes:
        """Serialise the state for ``load_state``."""
        rows = [
            tuple([getattr(observation, name) for name in _OBSERVATION_FIELDS]) for observation in self.observations
        ]
        mark = (self.mark.line, self.mark.offset, self.mark.proof)
        identity = (fingerprint_code(), self.format, self.file_id, self.head_checksum)
        data = marshal.dumps((*identity, mark, self.header, self.state, self.first_line, rows, self.caller_data))
        return b"%s%08x\n%s" % (_MAGIC, zlib.crc32(data), data)


def load_state(data: bytes) -> SavedState | None:
    """Deserialise the output of ``dump``; None if it is damaged, or if the result of ``fingerprint_code`` has changed since.

    Raises OSError as ``fingerprint_code`` does.
    """
    body = data[len(_MAGIC) + 9 :]
    if not data.startswith(_MAGIC) or data[len(_MAGIC) : len(_MAGIC) + 9] != b"%08x\n" % zlib.crc32(body):
        return None
    try:
        fields = marshal.loads(body)  # noqa: S302 -- the checksum shows that we wrote it
        fingerprint, format_name, file_id, head, mark, header, state, first_line, rows, caller_data = fields
        if fingerprint != fingerprint_code():
            return None
        observations = [Observation(*row) for row in rows]
        return SavedState(format_name, file_id, head, Mark(*mark), header, state, first_line, observations, caller_data)
    except (ValueError, TypeError, EOFError):
        return None  # the checksum is valid, but another version or program wrote the data


def fingerprint_code() -> str:
    """Return a fingerprint of the modules that read and redact logs, of marshal's version, and of the personal-data setting.

    A module is identified by its name, size and modification time. Raises OSError.
    """
    if not _code_fingerprint:
        root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        file_stats: list[str] = []
        for folder in ("observations", "observations/readers", "redaction", "hosts"):
            with os.scandir(os.path.join(root, folder)) as entries:
                stats = [(entry.name, entry.stat()) for entry in entries if entry.is_file()]
            file_stats += sorted(f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in stats)
        _code_fingerprint.append(f"{zlib.crc32(' '.join(file_stats).encode('utf-8', 'surrogateescape')):08x}")
    return f"{_code_fingerprint[0]} {marshal.version} {int(is_personal_redaction_enabled())}"


_code_fingerprint: list[str] = []


class IncrementalRead:
    """An incremental read of a log. Exhaust ``observations``, then save the result of ``build_state()``.

    ``session`` is the header, which is filled during the read. ``observations`` begin at line ``first_line``; the first of them are
    ``saved_observations``, from earlier reads.
    """

    def __init__(self, path: Path, saved: SavedState | None = None) -> None:
        """Open a log. ``saved`` is the state that was saved for this path; it is ignored if the log has been replaced.

        Raises LogError as ``open_log`` does, also while ``observations`` is consumed.
        """
        self._path = path
        self._file_id = _get_file_id(path)
        try:
            self._open(saved if saved is not None and _is_same_log(path, self._file_id, saved) else None)
        except RewrittenError:
            self._open(None)

    def _open(self, previous: SavedState | None) -> None:
        self._previous = previous
        self.saved_observations: list[Observation] = previous.observations if previous else []
        self.first_line = previous.first_line if previous else 1
        self.caller_data: CallerData = previous.caller_data if previous else {}
        self._observation_count = len(self.saved_observations)
        self._last_observations: deque[Observation] = deque(self.saved_observations, maxlen=MAX_OBSERVATIONS)
        self._taint = sources.find_taint(self.saved_observations)
        self._snapshots: deque[_Snapshot] = deque(maxlen=_MAX_SNAPSHOTS)
        self._dump_reader_state: Callable[[], State] = dict[str, object]
        mark, state = (previous.mark, previous.state) if previous else (None, {})
        progress = Progress(self._restore_header, self._add_snapshot, mark, state, self.saved_observations)
        log = open_log(self._path, previous.format if previous else None, progress)
        self.session = log.session
        self._new_observations = self._record_new(log.observations)
        self._first_new = next(self._new_observations, None)  # makes the reader restore its state

    def _record_new(self, observations: Iterator[Observation]) -> Iterator[Observation]:
        for observation in observations:
            self._observation_count += 1
            self._last_observations.append(observation)
            if observation.source in sources.UNTRUSTED_SOURCES:
                self._taint |= sources.find_taint((observation,))
            yield observation

    @property
    def observations(self) -> Iterator[Observation]:
        """Yield the saved observations, then the new ones."""
        yield from self.saved_observations
        if self._first_new is not None:
            yield self._first_new
        yield from self._new_observations

    def build_state(self) -> SavedState | None:
        """Return the state for the next read, or None if the next read has to start from the beginning. Raises OSError."""
        snapshots = list(self._snapshots)
        if is_database_session(self._path):
            max_offset = snapshots[-1].mark.offset - PART_CONTEXT if snapshots else 0
            snapshots = [snapshot for snapshot in snapshots if snapshot.mark.offset <= max_offset]
        if not snapshots:
            return self._previous
        mark, state, header, observation_count, last_observations = snapshots[-1]
        observations, is_incomplete = _take_last(last_observations, observation_count)
        first_line = self.first_line
        if is_incomplete:
            first_line = observations[0].line if observations else mark.line
            header = {**header, "earlier_taint": header["taint"]}
        head = _checksum_head(self._path, mark)
        for observation in observations:
            for name in _TEXT_FIELDS:
                text: str = getattr(observation, name)
                if text and (hidden := self.session.secrets.hide_values(text)) != text:
                    setattr(observation, name, hidden)
        return SavedState(
            self.session.format, self._file_id, head, mark, header, state, first_line, observations, self.caller_data
        )

    def _restore_header(self, dump_state: Callable[[], State]) -> None:
        self._dump_reader_state = dump_state
        if self._previous is not None:
            header = self._previous.header
            for name in _HEADER_FIELDS:
                setattr(self.session, name, header[name])
            self.session.secrets.restore(header["secrets"])
            self.session.known_files.restore(header["known_files"])
            self.session.earlier_taint = tuple(header["earlier_taint"])
            self._taint.update(header["earlier_taint"])
            self.session.skills = [LoadedSkill(*fields) for fields in header["skills"]]
            self.session.warnings = [LogWarning(*fields) for fields in header["warnings"]]

    def _add_snapshot(self, mark: Mark) -> None:
        session = self.session
        header: dict[str, Any] = {name: getattr(session, name) for name in _HEADER_FIELDS}
        header["secrets"] = session.secrets.dump()
        header["known_files"] = session.known_files.dump()
        header["earlier_taint"], header["taint"] = sorted(session.earlier_taint), sorted(self._taint)
        header["skills"] = [(skill.path, skill.line, skill.at) for skill in session.skills]
        header["warnings"] = [(warning.line, warning.message) for warning in session.warnings]
        last_observations = list(self._last_observations)
        self._snapshots.append(
            _Snapshot(mark, self._dump_reader_state(), header, self._observation_count, last_observations)
        )


def _take_last(observations: list[Observation], total: int) -> tuple[list[Observation], bool]:
    """Return the last observations within ``MAX_CHARACTERS``, and whether any of the ``total`` observations is missing.

    As a side effect, the texts are cleaned. If an observation is missing and the first half of the list contains a user request, the
    list begins with that request, so that no episode is split.
    """
    size, begin = 0, len(observations)
    while begin and size <= MAX_CHARACTERS:
        begin -= 1
        observation = observations[begin]
        size += len(observation.text) + len(observation.change) + len(observation.command) + len(observation.error)
    if size > MAX_CHARACTERS:
        begin += 1
    if not begin and total == len(observations):
        return observations, False
    taken = observations[begin:]
    requests = (index for index in range(len(taken) // 2) if _is_user_request(taken[index]))
    return taken[next(requests, 0) :], True


def _is_user_request(observation: Observation) -> bool:
    return observation.kind == "user" and observation.agent == "main" and bool(observation.text)


def _get_file_id(path: Path) -> str:
    if is_database_session(path):
        return ""
    try:
        stat = os.stat(path)
    except OSError:
        return "missing"  # opening the file raises the error
    return f"{stat.st_dev} {stat.st_ino}"


def _checksum_head(path: Path, mark: Mark) -> str:
    """Compute a checksum of the beginning of the file; empty for a session in a database. Raises OSError."""
    if is_database_session(path):
        return ""
    with open_log_file(path) as handle:
        return compute_checksum(handle, 0, min(PROOF_BYTES, mark.offset))


def _is_same_log(path: Path, file_id: str, saved: SavedState) -> bool:
    """Return whether ``saved`` is from this log: the same file, with the same bytes at its start and before the mark."""
    if saved.file_id != file_id:
        return False
    if is_database_session(path):
        from mind_skills.observations.readers.opencode_db import has_message

        return has_message(path, saved.mark)
    try:
        with open_log_file(path) as handle:
            head = compute_checksum(handle, 0, min(PROOF_BYTES, saved.mark.offset))
            mark = make_mark(handle, saved.mark.offset, saved.mark.line)
        is_same = (head, mark) == (saved.head_checksum, saved.mark)
        # If the log was shorter than the head from which a format is detected, another format may be detected now.
        return is_same and (saved.mark.offset >= HEAD_BYTES or detect_format(path) == saved.format)
    except (OSError, LogError):
        return False
