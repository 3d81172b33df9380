"""A log that grows, read on: what was read of it before is kept, so that a look costs what is new.

What is kept is what a look at the beginning of the log gives: its last observations, redacted and bounded as they are
everywhere, and what its reader knows at the place up to which it was read (marks.py). It follows from the bytes before that
place alone. So it may be lost, or be older than the last look: then more is read again, and nothing is told otherwise. Where
the log is another one, or a module of ours that made it, all is read again. Formats that are one document are always read whole.
"""

from __future__ import annotations

import marshal
import os
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mind_skills.errors import LogError
from mind_skills.observations.logfile import RewrittenError
from mind_skills.observations.marks import PART_CONTEXT, PART_STRIDE, PROOF, Mark, Progress, State, checksum, place
from mind_skills.observations.model import Caution, LoadedSkill, Observation
from mind_skills.observations.opening import opened
from mind_skills.observations.read import HEAD, choose, open_log, within_a_database
from mind_skills.redaction.personal import wanted

MOST, CHARACTERS = 600, 1_000_000
"""Observations that are kept at most, and characters of their texts. Of 236 sessions none had more than 2,000, half had less
than 100; a megabyte of a log holds about 160."""
LARGEST = 32 << 20
"""Bytes of what is kept: nothing of ours is longer."""
VERSION = 1
_MAGIC = b"mind-skills read so far %d\n" % VERSION
_PLAIN = ("session_id", "host", "project", "started", "ended", "end_reason", "lines")
"""The header of a session, but for its lists."""
_PLACES = PART_CONTEXT // PART_STRIDE + 2
_FIELDS = tuple(Observation.__slots__)  # pyright: ignore[reportAttributeAccessIssue]

Memo = dict[str, Any]
"""What who judges a log wants to know again at the next look; of what marshal can write."""


@dataclass(slots=True)
class Kept:
    """What was read of a log up to ``mark``: see the module.

    ``file`` and ``head`` say which file it is, ``header`` is what the session says of itself, ``state`` what the reader knows.
    ``observations`` begin at line ``since``: 1 where all are kept.
    """

    format: str
    file: str
    head: str
    mark: Mark
    header: dict[str, Any]
    state: State
    since: int
    observations: list[Observation]
    memo: Memo = field(default_factory=dict[str, Any])

    def dump(self) -> bytes:
        """All of it, for ``load``."""
        rows = [tuple([getattr(each, name) for name in _FIELDS]) for each in self.observations]
        mark = (self.mark.line, self.mark.offset, self.mark.proof)
        whole = (
            made_by(),
            self.format,
            self.file,
            self.head,
            mark,
            self.header,
            self.state,
            self.since,
            rows,
            self.memo,
        )
        data = marshal.dumps(whole)
        return b"%s%08x\n%s" % (_MAGIC, zlib.crc32(data), data)


def load(data: bytes) -> Kept | None:
    """What ``dump`` wrote; None for anything else, and for what other modules than these made."""
    head = len(_MAGIC) + 9
    if not data.startswith(_MAGIC) or data[len(_MAGIC) : head] != b"%08x\n" % zlib.crc32(data[head:]):
        return None
    try:
        by, form, file, head, mark, header, state, since, rows, memo = marshal.loads(data[head:])  # noqa: S302 -- it is as we wrote it
        if by != made_by():
            return None
        return Kept(form, file, head, Mark(*mark), header, state, since, [Observation(*row) for row in rows], memo)
    except (ValueError, TypeError, EOFError):
        return None  # whoever made the checksum fit


def made_by() -> str:
    """The modules that read, clean and redact, and whether personal data is taken out: another one may read otherwise."""
    if not _made_by:
        here = os.path.dirname(os.path.abspath(__file__))
        parts: list[str] = []
        root = os.path.dirname(here)
        for folder in (
            here,
            os.path.join(here, "readers"),
            os.path.join(root, "redaction"),
            os.path.join(root, "hosts"),
        ):
            with os.scandir(folder) as entries:
                stats = [(each.name, each.stat()) for each in entries if each.is_file()]
            parts += sorted(f"{name} {found.st_size} {found.st_mtime_ns}" for name, found in stats)
        _made_by.append(f"{zlib.crc32(' '.join(parts).encode('utf-8', 'surrogateescape')):08x}")
    return f"{_made_by[0]} {marshal.version} {int(wanted())}"


_made_by: list[str] = []


class Following:
    """A log that is read on. Take ``observations`` to their end, then ask for what is to be ``kept``.

    ``session`` is the header, which fills meanwhile; ``since`` the line at which the observations begin, of which
    ``kept_before`` were made by earlier looks.
    """

    def __init__(self, path: Path, kept: Kept | None = None) -> None:
        """``kept`` is what an earlier look at this path kept; where it does not fit, all is read.

        Raises:
            LogError: see observations/read.py; also while ``observations`` are taken.
        """
        self._path = path
        self._file = _identity(path)
        try:
            self._open(kept if kept is not None and _fits(path, self._file, kept) else None)
        except RewrittenError:
            self._open(None)

    def _open(self, before: Kept | None) -> None:
        self._before = before
        self.kept_before: list[Observation] = before.observations if before else []
        self.since = before.since if before else 1
        self.memo: Memo = before.memo if before else {}
        self._taken = len(self.kept_before)
        self._last: deque[Observation] = deque(self.kept_before, maxlen=MOST)
        self._places: deque[tuple[Mark, State, dict[str, Any], int, list[Observation]]] = deque(maxlen=_PLACES)
        self._tell: Callable[[], State] = dict[str, object]
        mark, state = (before.mark, before.state) if before else (None, None)
        progress = Progress(self._begun, self._settled, mark, state)
        log = open_log(self._path, before.format if before else None, progress)
        self.session = log.session
        self._new = self._all_new(log.observations)
        self._first = next(self._new, None)  # by then the reader has taken in what was kept

    def _all_new(self, made: Iterator[Observation]) -> Iterator[Observation]:
        for each in made:
            self._taken += 1
            self._last.append(each)
            yield each

    @property
    def observations(self) -> Iterator[Observation]:
        """All that are kept, and then the new ones."""
        yield from self.kept_before
        if self._first is not None:
            yield self._first
        yield from self._new

    def kept(self) -> Kept | None:
        """What the next look needs; None where all has to be read again."""
        places = list(self._places)
        if within_a_database(self._path):
            places = [each for each in places if each[0].offset <= places[-1][0].offset - PART_CONTEXT]
        if not places:
            return self._before
        mark, state, header, taken, last = places[-1]
        last, cut = _bounded(last, taken)
        since = last[0].line if cut and last else mark.line if cut else self.since
        head = _head(self._path, mark)
        return Kept(self.session.format, self._file, head, mark, header, state, since, last, self.memo)

    def _begun(self, tell: Callable[[], State]) -> None:
        self._tell = tell
        if self._before is not None:
            header = self._before.header
            for name in _PLAIN:
                setattr(self.session, name, header[name])
            self.session.skills = [LoadedSkill(*each) for each in header["skills"]]
            self.session.warnings = [Caution(*each) for each in header["warnings"]]

    def _settled(self, mark: Mark) -> None:
        session = self.session
        header: dict[str, Any] = {name: getattr(session, name) for name in _PLAIN}
        header["skills"] = [(each.path, each.line, each.at) for each in session.skills]
        header["warnings"] = [(each.line, each.message) for each in session.warnings]
        self._places.append((mark, self._tell(), header, self._taken, list(self._last)))


def _bounded(observations: list[Observation], taken: int) -> tuple[list[Observation], bool]:
    """The last of ``taken`` observations, as many as may be kept, their texts clean; and whether any was left out now.

    Where some are, they begin with a request of the user, if there is one in their first half: no episode is cut in two.
    """
    size, begin = 0, len(observations)
    while begin and size <= CHARACTERS:
        begin -= 1
        each = observations[begin]
        size += len(each.text) + len(each.change) + len(each.command) + len(each.error)
    if size > CHARACTERS:
        begin += 1
    if not begin and taken == len(observations):
        return observations, False
    rest = observations[begin:]
    requests = (at for at in range(len(rest) // 2) if _request(rest[at]))
    return rest[next(requests, 0) :], True


def _request(observation: Observation) -> bool:
    return observation.kind == "user" and observation.agent == "main" and bool(observation.text)


def _identity(path: Path) -> str:
    if within_a_database(path):
        return ""
    try:
        found = os.stat(path)
    except OSError:
        return "gone"  # whoever opens it says what is wrong with it
    return f"{found.st_dev} {found.st_ino}"


def _head(path: Path, mark: Mark) -> str:
    """A checksum of the beginning of the file. Raises OSError."""
    if within_a_database(path):
        return ""
    with opened(path) as handle:
        return checksum(handle, 0, min(PROOF, mark.offset))


def _fits(path: Path, file: str, kept: Kept) -> bool:
    """Whether the log is the one that was read, as far as its bytes at the beginning and before the mark can tell."""
    if kept.file != file:
        return False
    if within_a_database(path):
        from mind_skills.observations.readers.opencode_db import holds

        return holds(path, kept.mark)
    try:
        with opened(path) as handle:
            head = checksum(handle, 0, min(PROOF, kept.mark.offset))
            same = (head, place(handle, kept.mark.offset, kept.mark.line)) == (kept.head, kept.mark)
        # Of what was shorter than what a format is chosen by, more is there now to choose by.
        return same and (kept.mark.offset >= HEAD or choose(path) == kept.format)
    except (OSError, LogError):
        return False
