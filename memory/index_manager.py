"""Manages the current index: opens it, keeps it up to date with the records, and rebuilds it when necessary."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TypeVar

from mind_skills.errors.records import UnusableIndexError
from mind_skills.memory.features import LAYOUT_VERSION, compute_fingerprint
from mind_skills.memory.index import PREFIX, SUFFIX, Index, delete_index
from mind_skills.memory.records import MAX_QUERY_RECORDS, Records
from mind_skills.store.home import ensure_folder
from mind_skills.store.lock import Lock

Result = TypeVar("Result")
RecordCallback = Callable[[], None]
Progress = Callable[[int], AbstractContextManager[RecordCallback]]
"""Takes the number of records to index; returns a context manager that yields a callback to call after each."""

FOLDER_NAME = "memory"
"""Name of the folder of the index in the state folder."""
INDEX_NOTE = "index"
"""Name of the note in the state database that contains the current index's file name and its fingerprint (features.py)."""
MAX_BACKGROUND_RECORDS = 200_000
"""Maximum number of records that a hook's background process indexes: it has five minutes; 100,000 took 41 s of CPU."""
MAX_ATTEMPTS = 3
"""Maximum number of attempts to open an index that is damaged or that other processes delete."""
_NON_CORRUPTION_CODES = (5, 6, 8, 9, 10, 13, 14)
"""SQLite's codes for errors other than a damaged file: busy, locked, read-only, interrupted, I/O, full, cannot open."""


def do_nothing() -> None:
    """Do nothing: the default callback after a record."""


@contextmanager
def report_no_progress(record_count: int) -> Generator[RecordCallback]:
    """Report nothing: the default ``Progress``."""
    yield do_nothing


class IndexManager:
    """The index of a state folder, as used by one process; call ``close`` when done."""

    def __init__(self, home: str, records: Records, progress: Progress = report_no_progress) -> None:
        """``progress`` reports the indexing of records during a query, or during a rebuild that is given no ``step``."""
        self.folder = Path(home) / FOLDER_NAME
        self.has_old_lexicon = False
        """Whether the index of the last query was built with another lexicon."""
        self._records = records
        self._progress = progress
        self._index: Index | None = None
        self._opened_note = ""
        """The content of the note in the state database when the index was last opened."""

    def close(self) -> None:
        """Close the index, if it is open."""
        if self._index is not None:
            self._index.close()
            self._index = None

    def query(self, work: Callable[[Index], Result]) -> Result:
        """Run ``work`` on the index and return its result. An outdated index is updated first, a damaged one rebuilt.

        Raises UnusableIndexError if there is no usable index, or another StoreError.
        """
        for attempts_left in reversed(range(MAX_ATTEMPTS)):
            try:
                return self._open_updated().read(work)
            except sqlite3.Error as error:
                self.close()
                # A changed note means that another process replaced this index and deleted its file.
                replaced = self._records.read_note(INDEX_NOTE) != self._opened_note
                if attempts_left == 0 or (not replaced and _get_error_code(error) in _NON_CORRUPTION_CODES):
                    raise _wrap_error(error, self.folder) from error
            if not replaced:
                self.rebuild(expected_note=self._opened_note)
        raise AssertionError("unreachable: the last attempt returns or raises")

    def rebuild(self, step: RecordCallback | None = None, *, expected_note: str | None = None) -> int:
        """Build a new index, replace the current one with it, and return its number of records.

        The current index stays in use until the new one is complete, and also if the build fails or is interrupted. Concurrent
        rebuilds run one after the other. With ``expected_note``, nothing is built if the note has changed, because another
        process has then replaced the index.
        Raises UnusableIndexError, StoreError.
        """
        ensure_folder(self.folder)
        with Lock(str(self.folder / "index.lock")):
            note = self._records.read_note(INDEX_NOTE)
            if expected_note is not None and note != expected_note:
                self.close()
                return self._records.count()
            self._delete_other_indexes(note)
            path = self.folder / f"{PREFIX}{secrets.token_hex(6)}{SUFFIX}"
            try:
                with nullcontext(step) if step else self._progress(self._records.count()) as on_record:
                    count = self._build_index(path, on_record)
            except sqlite3.Error as error:
                raise _wrap_error(error, self.folder) from error
            self.close()
            self._records.write_note(INDEX_NOTE, f"{path.name} {compute_fingerprint()}")
            self._delete_other_indexes(self._records.read_note(INDEX_NOTE))
        return count

    def refresh(self) -> bool:
        """Update the index, or rebuild it if its lexicon is outdated, so that the next query need not do so.

        Returns whether the index was replaced. Does nothing if there is no index, if there are so few records that a query
        can index them, or if there are more than ``MAX_BACKGROUND_RECORDS``. Raises UnusableIndexError, StoreError.
        """
        note = self._records.read_note(INDEX_NOTE)
        if not note or not MAX_QUERY_RECORDS < self._records.count() <= MAX_BACKGROUND_RECORDS:
            return False
        self.query(Index.read_version)
        if self.has_old_lexicon:
            self.rebuild(expected_note=note)
        return self._records.read_note(INDEX_NOTE) != note

    def purge_removed(self) -> None:
        """Purge the texts of removed records from the index, by rebuilding it.

        If there are more than ``MAX_BACKGROUND_RECORDS`` records, the index is deleted instead, and the next query builds a
        new one. Does nothing if there is no index. Raises UnusableIndexError, StoreError.
        """
        note = self._records.read_note(INDEX_NOTE)
        if not note:
            return
        if self._records.count() <= MAX_BACKGROUND_RECORDS:
            self.rebuild()
            return
        with Lock(str(self.folder / "index.lock")):
            self._records.write_note(INDEX_NOTE, "")
            self._delete_other_indexes("")

    def _build_index(self, path: Path, step: RecordCallback) -> int:
        try:
            index = Index(path, create=True)
            try:
                version = self._records.read_version()  # changes during the build are applied afterwards
                return index.apply_changes(self._records.iterate_numbered(), (), version, step)
            finally:
                index.close()
        except BaseException:
            delete_index(path)
            raise

    def _open_updated(self) -> Index:
        index = self._index = self._index or self._open_current()
        index_version = index.read_version()
        version = self._records.read_version()
        # Either the state database is an older copy than the index, or it has discarded removals that the index lacks.
        if index_version > version or not self._records.has_all_removals(index_version):
            self.rebuild(expected_note=self._records.read_note(INDEX_NOTE))
            return self._open_updated()
        if index_version < version:
            changes = self._records.collect_changes(index_version)
            with self._progress(changes.count) as step:
                index.apply_changes(changes.changed, changes.removed, changes.version, step)
        return index

    def _open_current(self) -> Index:
        for _ in range(MAX_ATTEMPTS):
            note = self._opened_note = self._records.read_note(INDEX_NOTE)
            name, _, fingerprint = note.partition(" ")
            path = self.folder / name
            self.has_old_lexicon = fingerprint != compute_fingerprint()
            is_usable = not self.has_old_lexicon or self._can_defer_rebuild(fingerprint)
            if is_usable and _is_index_name(name) and path.is_file():
                return Index(path)
            self.rebuild(expected_note=note)
        raise UnusableIndexError(f"the index in {self.folder} keeps being deleted", "Try again.")

    def _can_defer_rebuild(self, fingerprint: str) -> bool:
        """Return whether an index with another lexicon can be used for now: its format is current, and a rebuild would take long."""
        return fingerprint.partition("-")[0] == str(LAYOUT_VERSION) and self._records.count() > MAX_QUERY_RECORDS

    def _delete_other_indexes(self, note: str) -> None:
        """Delete the files of all indexes except the one in ``note``: old indexes, and those whose build was killed."""
        current_name = note.partition(" ")[0]
        for path in self.folder.glob(f"{PREFIX}*{SUFFIX}"):
            if path.name != current_name and not path.is_dir():
                delete_index(path)


def _is_index_name(name: str) -> bool:
    return name.startswith(PREFIX) and name.endswith(SUFFIX) and Path(name).name == name


def _get_error_code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def _wrap_error(error: sqlite3.Error, folder: Path) -> UnusableIndexError:
    hint = "Check that the folder can be written and the disk has free space. Then run: mind-skills memory rebuild"
    return UnusableIndexError(f"the index in {folder} cannot be used: {error}", hint)
