"""What an installation changed, kept in the state folder so that it can be taken back to the byte.

``install/journal.json`` says of each file that was edited how, and from what to what; beside it lies each file
as it was before. One lock for all who install and uninstall at the same time.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from types import TracebackType
from typing import Any, Self

from mind_skills.setup.install import files
from mind_skills.store.atomic import Folder
from mind_skills.store.home import FILE_MODE, MADE, ensure, made
from mind_skills.store.lock import lock_descriptor

FOLDER, NAME, KEPT = "install", "journal.json", ".before"
LIMIT = 4 * 1024 * 1024


@dataclass(slots=True)
class Entry:
    """What was done to one file of ``host``. ``before`` and ``after`` are digests, empty where there was no file.

    ``pieces`` and ``made`` are those of json_edit.merge, ``at`` is UTC milliseconds. ``replaced`` is the digest of what stood in
    the file until ``after`` did, which an older installation may have made of the same ``before``.
    """

    host: str
    before: str
    after: str
    mode: int
    at: int
    pieces: list[str] = field(default_factory=list[str])
    made: list[str] = field(default_factory=list[str])
    replaced: str = ""


def digest(content: bytes | None) -> str:
    """What tells one content from another; empty for no file."""
    if content is None:
        return ""
    from hashlib import sha256  # which loads OpenSSL, and who only asks what is installed needs no digest

    return sha256(content).hexdigest()


class Journal:
    """Open with ``with``: from there to its end this process is the only one that installs or uninstalls.

    ``entries`` are by path, ``folders`` are those that were made for an installation and are to go with it, the
    outermost first. Nothing is kept unless ``save`` is called. Raises StoreError, OSError.
    """

    def __init__(self, home: str) -> None:
        """``home`` is the state folder."""
        self.home = home
        self.entries: dict[str, Entry] = {}
        self.folders: list[str] = []
        self._folder = os.path.join(home, FOLDER)
        self._lock = -1

    @classmethod
    def peek(cls, home: str) -> Self:
        """The journal as it is, for who only looks: nothing is made, locked, or to be saved."""
        journal = cls(home)
        if os.path.isdir(journal._folder):
            journal._read(mend=False)
        return journal

    def __enter__(self) -> Self:
        self._lock = _locked()
        try:
            missing = files.list_missing_folders(self._folder)
            ensure(self.home)
            ensure(self._folder)
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
                self._vanish()
        finally:
            os.close(self._lock)

    def _read(self, *, mend: bool = True) -> None:
        with Folder(self._folder) as folder:
            if mend:
                folder.sweep()
            data = folder.read(NAME, LIMIT)
            if data is None:
                return
            try:
                form: Any = json.loads(data)
                self.entries = {str(path): Entry(**entry) for path, entry in form["files"].items()}
                self.folders = [str(path) for path in form["folders"]]
            except (ValueError, TypeError, KeyError, AttributeError):
                # Not overwritten: what was installed can still be recognised by what it is.
                self.entries = {}
                if mend:
                    folder.set_aside(NAME, "corrupt")

    def save(self) -> None:
        """Write it, in one step."""
        form = {
            "version": 1,
            "folders": self.folders,
            "files": {path: asdict(entry) for path, entry in sorted(self.entries.items())},
        }
        with Folder(self._folder) as folder:
            folder.write(NAME, json.dumps(form, indent=2).encode())

    def paths(self, host: str) -> list[str]:
        """The files of a host that hold an installation."""
        return [path for path, entry in sorted(self.entries.items()) if entry.host == host]

    def keep(self, path: str, content: bytes | None) -> None:
        """Keep a file as it was before the installation."""
        with Folder(self._folder) as folder:
            if content is None:
                folder.remove(_name(path))
            else:
                folder.write(_name(path), content)

    def kept(self, path: str) -> bytes | None:
        """What ``keep`` was given, if it is what the entry of ``path`` says; None where there is nothing of the kind."""
        with Folder(self._folder) as folder:
            content = folder.read(_name(path), files.LIMIT)
        return content if digest(content) == self.entries[path].before else None

    def backup(self, path: str) -> str:
        """Where ``keep`` puts it."""
        return os.path.join(self._folder, _name(path))

    def forget(self, path: str) -> None:
        """The installation in ``path`` has been taken back."""
        self.entries.pop(path, None)
        self.keep(path, None)
        self._remove_folders()
        self.save()

    def back(self, path: str, earlier: Entry | None) -> None:
        """An installation in ``path`` failed: the journal is again as it was before. Raises StoreError."""
        if earlier is not None:
            self.entries[path] = earlier
        else:
            self.entries.pop(path, None)
            self.keep(path, None)
        self._remove_folders()
        if self.entries:
            self.save()

    def _remove_folders(self) -> None:
        """Those of the folders that are empty again. The journal's own go last of all, in ``_vanish``."""
        own = os.path.join(self._folder, "")
        for path in sorted(self.folders, key=len, reverse=True):
            if not own.startswith(os.path.join(path, "")) and remove_empty(path):
                self.folders.remove(path)

    def _vanish(self) -> None:
        """No host is installed any more: leave nothing of the journal, unless there is a state that will go later."""
        with Folder(self._folder) as folder:
            for name in os.listdir(self._folder):
                if name.endswith(KEPT):  # of one that was killed before it was written down
                    folder.remove(name)
        others = set(os.listdir(self.home)) - {FOLDER, MADE}
        if self.folders and others:
            self.save()
            return
        if not others:
            self.folders += [path for path in made(self.home) if path not in self.folders]
            with Folder(self.home) as folder:
                folder.remove(MADE)
        with Folder(self._folder) as folder:
            folder.remove(NAME)
        for path in sorted({*self.folders, self._folder}, key=len, reverse=True):
            remove_empty(path)


def _name(path: str) -> str:
    """The name of a backup: that of the file, and enough of its folder to tell two of them apart."""
    return f"{digest(os.fsencode(path))[:8]}-{os.path.basename(path)}{KEPT}"


def remove_empty(path: str) -> bool:
    """Remove a folder unless something is in it; True if it is gone."""
    try:
        os.rmdir(path)
    except FileNotFoundError:
        return True
    except OSError:
        return False  # not empty, or not ours to remove: then it stays
    return True


def _locked() -> int:
    """A descriptor that holds the one lock of this user.

    On the home folder itself: a file made for the purpose would be left behind, or removed under somebody's feet.
    Where that cannot be locked (Windows, some network file systems) it is a file in the folder for temporary ones.
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
    descriptor = _temporary()
    lock_descriptor(descriptor)
    return descriptor


def _temporary() -> int:
    import tempfile

    name = f"mind-skills-{os.getuid() if os.name == 'posix' else ''}.lock"
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    return os.open(os.path.join(tempfile.gettempdir(), name), flags, FILE_MODE)
