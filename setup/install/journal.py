"""Record of what an installation changed, stored in the state folder so that the changes can be undone byte for byte.

``install/journal.json`` describes the edit to each file; a backup of the original file is stored next to the journal.
One lock serialises concurrent installs and uninstalls.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from types import TracebackType
from typing import Any, Self

from mind_skills.setup.install import files
from mind_skills.store.atomic import Folder
from mind_skills.store.home import (
    CREATED_FOLDERS_FILE,
    FILE_MODE,
    ensure_folder,
    get_settings_path,
    list_created_folders,
    list_missing_folders,
)
from mind_skills.store.processes import lock_descriptor

FOLDER, FILE_NAME, BACKUP_SUFFIX = "install", "journal.json", ".before"
MAX_JOURNAL_BYTES = 4 * 1024 * 1024


@dataclass(slots=True)
class Entry:
    """The edit to one file of ``host``. ``before`` and ``after`` are digests of its content, or empty for no file.

    ``mode`` is its mode before the edit, ``at`` the time of the edit in UTC milliseconds. ``pieces`` and ``made`` are the
    ``pieces`` and ``created_paths`` of a json_edit.MergeResult. ``replaced`` is the digest of the content that this edit
    replaced: ``before``, or the result of an older installation.
    """

    host: str
    before: str
    after: str
    mode: int
    at: int
    pieces: list[str] = field(default_factory=list[str])
    made: list[str] = field(default_factory=list[str])
    replaced: str = ""


def compute_digest(content: bytes | None) -> str:
    """Return the SHA-256 digest of ``content``, or an empty string if there is no file."""
    if content is None:
        return ""
    from hashlib import sha256  # loads OpenSSL, which a command that only lists installations does not need

    return sha256(content).hexdigest()


class Journal:
    """The journal. Use it in a ``with`` block, which holds the lock for installing and uninstalling.

    ``entries`` maps ``Target.key`` to the edit; ``folders`` lists the folders that an installation created, for their
    removal. Both are written by ``save``, which ``forget`` and ``roll_back`` call. Raises StoreError, OSError.
    """

    def __init__(self, home: str) -> None:
        """``home`` is the state folder."""
        self.home = home
        self.entries: dict[str, Entry] = {}
        self.folders: list[str] = []
        self._folder = os.path.join(home, FOLDER)
        self._lock = -1

    @classmethod
    def open_read_only(cls, home: str) -> Self:
        """Read the journal without locking it or creating anything. It must not be saved."""
        journal = cls(home)
        if os.path.isdir(journal._folder):
            with files.ignore_removal(journal._folder):
                journal._read(repair=False)
        return journal

    def __enter__(self) -> Self:
        self._lock = _open_lock()
        try:
            missing = list_missing_folders(self._folder)[::-1]
            ensure_folder(self.home)
            ensure_folder(self._folder)
            self._read()
        except BaseException:
            os.close(self._lock)
            raise
        self.folders += [path for path in missing if path not in self.folders]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if not self.entries:
                self._remove_journal()
        finally:
            os.close(self._lock)

    def _read(self, *, repair: bool = True) -> None:
        with Folder(self._folder) as folder:
            if repair:
                folder.remove_temporary_files()
            data = folder.read(FILE_NAME, MAX_JOURNAL_BYTES)
            if data is None:
                return
            try:
                document: Any = json.loads(data)
                self.entries = {str(key): Entry(**entry) for key, entry in document["files"].items()}
                self.folders = [str(path) for path in document["folders"]]
            except (ValueError, TypeError, KeyError, AttributeError):
                # Do not overwrite the damaged file; our entries in hosts' files can also be recognised by their content.
                self.entries = {}
                if repair:
                    folder.set_aside(FILE_NAME, "corrupt")

    def save(self) -> None:
        """Write the journal atomically."""
        document = {
            "version": 1,
            "folders": self.folders,
            "files": {key: asdict(entry) for key, entry in sorted(self.entries.items())},
        }
        with Folder(self._folder) as folder:
            folder.write(FILE_NAME, json.dumps(document, indent=2).encode())

    def list_keys(self, host: str) -> list[str]:
        """List the keys of the files of a host that contain an installation; a key is a path, perhaps with a suffix."""
        return [key for key, entry in sorted(self.entries.items()) if entry.host == host]

    def write_backup(self, key: str, content: bytes | None) -> None:
        """Store ``content``, a file's content before the installation, as its backup; None removes the backup."""
        with Folder(self._folder) as folder:
            if content is None:
                folder.remove(_make_backup_name(key))
            else:
                folder.write(_make_backup_name(key), content)

    def read_backup(self, key: str) -> bytes | None:
        """Return the backup of the file under ``key``; None if it is missing or does not match the digest in the entry."""
        content: bytes | None = None
        with files.ignore_removal(self._folder), Folder(self._folder) as folder:
            content = folder.read(_make_backup_name(key), files.MAX_BYTES)
        return content if compute_digest(content) == self.entries[key].before else None

    def find_backup(self, key: str) -> str:
        """Return the path of the backup of the file under ``key``."""
        return os.path.join(self._folder, _make_backup_name(key))

    def forget(self, key: str) -> None:
        """Record that the installation in the file under ``key`` has been undone."""
        self.entries.pop(key, None)
        self.write_backup(key, None)
        self._remove_folders()
        self.save()

    def roll_back(self, key: str, previous: Entry | None) -> None:
        """Restore the journal after a failed installation in the file under ``key``. Raises StoreError."""
        if previous is not None:
            self.entries[key] = previous
        else:
            self.entries.pop(key, None)
            self.write_backup(key, None)
        self._remove_folders()
        if self.entries:
            self.save()

    def _remove_folders(self) -> None:
        """Remove our folders that are empty again; ``_remove_journal`` removes those that contain the journal."""
        own = os.path.join(self._folder, "")
        for path in sorted(self.folders, key=len, reverse=True):
            if not own.startswith(os.path.join(path, "")) and remove_empty_folder(path):
                self.folders.remove(path)

    def _remove_journal(self) -> None:
        """Remove the journal, because nothing is installed any more.

        It is preserved if it lists folders that must be removed together with other data in the state folder.
        """
        with Folder(self._folder) as folder:
            for name in os.listdir(self._folder):
                if name.endswith(BACKUP_SUFFIX):  # left by a process that was killed before it wrote the entry
                    folder.remove(name)
        others = set(os.listdir(self.home)) - {FOLDER, CREATED_FOLDERS_FILE}
        if self.folders and others:
            self.save()
            return
        if not others:
            created = list_created_folders(self.home)
            created_with_home = [*created, self.home] if created else []  # then the state folder is ours as well
            self.folders += [path for path in created_with_home if path not in self.folders]
            has_settings_folder = any(not self.home.startswith(os.path.join(path, "")) for path in created)
            if not (has_settings_folder and os.path.lexists(get_settings_path())):  # otherwise a purge needs the list
                with Folder(self.home) as folder:
                    folder.remove(CREATED_FOLDERS_FILE)
        with Folder(self._folder) as folder:
            folder.remove(FILE_NAME)
        for path in sorted({*self.folders, self._folder}, key=len, reverse=True):
            remove_empty_folder(path)


def _make_backup_name(key: str) -> str:
    """Return the name of a backup: the last part of the key, with a prefix that identifies the whole key."""
    return f"{compute_digest(os.fsencode(key))[:8]}-{os.path.basename(key)}{BACKUP_SUFFIX}"


def remove_empty_folder(path: str) -> bool:
    """Remove a folder if it is empty; return whether it no longer exists."""
    try:
        os.rmdir(path)
    except FileNotFoundError:
        return True
    except OSError:
        return False  # not empty, or not ours to remove
    return True


def _open_lock() -> int:
    """Return a descriptor that holds this user's lock.

    The lock is on the user's home folder itself, since a separate lock file would be left behind or deleted while in
    use. If that folder cannot be locked (Windows, some network file systems), a file in the temporary folder is used.
    """
    home = os.path.expanduser("~")
    if os.name == "posix":
        descriptor = os.open(home if os.path.isdir(home) else "/", os.O_RDONLY)
        try:
            lock_descriptor(descriptor)
        except OSError:
            os.close(descriptor)
        else:
            return descriptor
    descriptor = _open_temporary_lock()
    lock_descriptor(descriptor)
    return descriptor


def _open_temporary_lock() -> int:
    import tempfile

    name = f"mind-skills-{os.getuid() if os.name == 'posix' else ''}.lock"
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    return os.open(os.path.join(tempfile.gettempdir(), name), flags, FILE_MODE)
