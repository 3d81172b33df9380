"""Which index is in use, and that it has followed the records: opened, brought up to date, built anew where need be."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TypeVar

from mind_skills.errors.records import UnusableIndexError
from mind_skills.memory.features import LAYOUT, fingerprint
from mind_skills.memory.index import PREFIX, SUFFIX, Index, delete_index
from mind_skills.memory.records import AT_ONCE, Records
from mind_skills.store.home import ensure
from mind_skills.store.lock import Lock

Answer = TypeVar("Answer")
Step = Callable[[], None]
Progress = Callable[[int], AbstractContextManager[Step]]
"""Is told how many records are put into an index while a question waits, and gives what is called after each."""

FOLDER = "memory"
"""Where in the state folder it is."""
STATE = "index"
"""The note in the state database: the name of the file in use, and what it was built with."""
BEHIND = 200_000
"""Records that a process behind a hook puts into a new index: it may live for five minutes, and 100,000 took 41 s of CPU."""
TRIES = 3
"""How often an index is opened that others take away or that proves damaged."""
_OUTSIDE = (5, 6, 8, 9, 10, 13, 14)
"""Codes of SQLite that say nothing about the file: busy, locked, read-only, interrupted, I/O, full, cannot open."""


def count_nothing() -> None:
    """A step that nobody counts."""


@contextmanager
def show_nothing(records: int) -> Generator[Step]:
    """The progress of what nobody watches."""
    yield count_nothing


class IndexFollower:
    """The index of a state folder, as one process uses it. Use as a context manager, or close it."""

    def __init__(self, home: str, records: Records, progress: Progress = show_nothing) -> None:
        """``progress`` is for what is built while a question waits."""
        self.folder = Path(home) / FOLDER
        self.older = False
        """Whether the index that was asked last is of an older lexicon."""
        self._records = records
        self._progress = progress
        self._index: Index | None = None
        self._noted = ""
        """The note that the index was opened by, or was to be."""

    def close(self) -> None:
        """Close the file; harmless when repeated."""
        if self._index is not None:
            self._index.close()
            self._index = None

    def ask(self, work: Callable[[Index], Answer]) -> Answer:
        """What ``work`` makes of the index, which has followed every change; one that proves damaged is built anew.

        Raises UnusableIndexError where that is not to be had, StoreError.
        """
        for left in reversed(range(TRIES)):
            try:
                return self._catch_up().read(work)
            except sqlite3.Error as error:
                self.close()
                # Where the note is another one, a process has put a new index in the place of this one, and deleted it.
                replaced = self._records.state(STATE) != self._noted
                if left == 0 or (not replaced and _code(error) in _OUTSIDE):
                    raise _named(error, self.folder) from error
            if not replaced:
                self.rebuild(instead_of=self._noted)
        raise AssertionError("the last try returns or raises")

    def rebuild(self, step: Step | None = None, *, instead_of: str | None = None) -> int:
        """Build a new index and put it in the place of the one in use; says how many records it holds.

        Until then, and where it fails or is interrupted, the old one stays. Two at once wait for each other. With
        ``instead_of`` nothing happens where another process has done so already. Raises UnusableIndexError, StoreError.
        """
        ensure(self.folder)
        with Lock(str(self.folder / "index.lock")):
            before = self._records.state(STATE)
            if instead_of is not None and before != instead_of:
                self.close()
                return self._records.count()
            self._sweep(before)
            path = self.folder / f"{PREFIX}{secrets.token_hex(6)}{SUFFIX}"
            try:
                with nullcontext(step) if step else self._progress(self._records.count()) as each:
                    count = self._build(path, each)
            except sqlite3.Error as error:
                raise _named(error, self.folder) from error
            self.close()
            self._records.note(STATE, f"{path.name} {fingerprint()}")
            self._sweep(self._records.state(STATE))
        return count

    def refresh(self) -> bool:
        """Do in time what a question would wait for, or has to do without: the index follows, or is built anew where its
        lexicon is an older one. Says whether it was. Does nothing where nobody has asked yet, for the few records that a
        question puts there itself, and for more than ``BEHIND``. Raises UnusableIndexError, StoreError.
        """
        noted = self._records.state(STATE)
        if not noted or not AT_ONCE < self._records.count() <= BEHIND:
            return False
        self.ask(Index.version)
        if self.older:
            self.rebuild(instead_of=noted)
        return self._records.state(STATE) != noted

    def renew(self) -> None:
        """Have no index that holds what the records do not hold any more: built anew, or for more than ``BEHIND`` taken away,
        so that the next question builds it. Does nothing where there is none. Raises UnusableIndexError, StoreError.
        """
        noted = self._records.state(STATE)
        if not noted:
            return
        if self._records.count() <= BEHIND:
            self.rebuild()
            return
        with Lock(str(self.folder / "index.lock")):
            self._records.note(STATE, "")
            self._sweep("")

    def _build(self, path: Path, step: Step) -> int:
        try:
            index = Index(path, make=True)
            try:
                version = self._records.version()  # what changes while it is built is followed afterwards
                return index.follow(self._records.numbered(), (), version, step)
            finally:
                index.close()
        except BaseException:
            delete_index(path)
            raise

    def _catch_up(self) -> Index:
        index = self._index = self._index or self._open_noted()
        known = index.version()
        version = self._records.version()
        # The state database is an older one than it was, since somebody has put a copy back; or a much newer one.
        if known > version or not self._records.remembers_removals(known):
            self.rebuild(instead_of=self._records.state(STATE))
            return self._catch_up()
        if known < version:
            changes = self._records.changes(known)
            with self._progress(changes.count) as step:
                index.follow(changes.changed, changes.removed, changes.version, step)
        return index

    def _open_noted(self) -> Index:
        for _ in range(TRIES):
            noted = self._noted = self._records.state(STATE)
            name, _, built_with = noted.partition(" ")
            path = self.folder / name
            self.older = built_with != fingerprint()
            if _is_index_name(name) and path.is_file() and (not self.older or self._is_good_enough(built_with)):
                return Index(path)
            self.rebuild(instead_of=noted)
        raise UnusableIndexError(f"the index in {self.folder} is taken away again and again", "Try again.")

    def _is_good_enough(self, built_with: str) -> bool:
        """Whether an index of an older lexicon answers: it is of the same form, and another would take long."""
        return built_with.partition("-")[0] == str(LAYOUT) and self._records.count() > AT_ONCE

    def _sweep(self, noted: str) -> None:
        """Delete the files of indexes that are not in use: of older ones, and of builds that were killed."""
        used = noted.partition(" ")[0]
        for path in self.folder.glob(f"{PREFIX}*{SUFFIX}"):
            if path.name != used and not path.is_dir():
                delete_index(path)


def _is_index_name(name: str) -> bool:
    return name.startswith(PREFIX) and name.endswith(SUFFIX) and Path(name).name == name


def _code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def _named(error: sqlite3.Error, folder: Path) -> UnusableIndexError:
    hint = "Check that the folder can be written and the disk has room; then: mind-skills memory rebuild"
    return UnusableIndexError(f"the index in {folder}: {error}", hint)
