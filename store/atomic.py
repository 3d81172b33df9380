"""Atomic writes and safe reads in folders that others may have prepared with links and pipes. A folder is opened once,
without following links; all else is relative to its descriptor, where the system supports this.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time

from mind_skills.errors import RefusedPathError, UnwritablePathError
from mind_skills.store.home import FILE_MODE
from mind_skills.store.processes import lock_descriptor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from types import TracebackType
    from typing import Self

_HAS_DIR_FD = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_CLOEXEC = getattr(os, "O_CLOEXEC", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_NONBLOCK = getattr(os, "O_NONBLOCK", 0)
_HEX = "0123456789abcdef"
_HEAD_BYTES = 1_000
"""Number of bytes at the beginning of one of our files in which its mark is searched."""
_NO_LOCKS = frozenset({errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOLCK, errno.ENOSYS, errno.EINVAL, errno.EBADF})
"""Error numbers of file systems without locks, or without locks on folders: some network shares, some FUSE systems."""


class Folder:
    """An open folder, for ``with``. Raises RefusedPathError for a link or no folder, UnwritablePathError if it cannot
    be opened or (``make``) created. Its parents may be links: they belong to the user.
    """

    def __init__(self, path: str | os.PathLike[str], *, make: bool = False) -> None:
        """``make`` creates the folder, but not its parents, if it does not exist."""
        self.path = os.fspath(path)
        self._descriptor: int | None = None
        with _converting(self.path):
            if make and not os.path.lexists(self.path):
                _create_folder(self.path)
            status = os.lstat(self.path)
            if not stat.S_ISDIR(status.st_mode):
                kind = "a symbolic link" if stat.S_ISLNK(status.st_mode) else "not a folder"
                raise RefusedPathError(f"{self.path} is {kind}", "Replace it with a real folder.")
            if _HAS_DIR_FD:
                self._descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | _NOFOLLOW | _CLOEXEC)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the folder. Idempotent."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def lock(self, timeout: float) -> None:
        """Lock the folder against other callers until it is closed, if that is supported. Raises UnwritablePathError
        after ``timeout`` seconds.
        """
        if self._descriptor is None:
            return
        deadline = time.monotonic() + timeout
        try:
            while not lock_descriptor(self._descriptor, wait=False):
                if time.monotonic() > deadline:
                    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
                time.sleep(0.01)
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise _convert_error(error, self.path) from error

    def _locate(self, name: str) -> str:
        return name if self._descriptor is not None else os.path.join(self.path, name)

    def stat_entry(self, name: str) -> os.stat_result | None:
        """Return the ``lstat`` result of an entry, or None if there is no such entry."""
        try:
            return os.stat(self._locate(name), dir_fd=self._descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def _stat_regular(self, name: str) -> os.stat_result | None:
        status = self.stat_entry(name)
        if status is not None and not stat.S_ISREG(status.st_mode):
            kind = "a symbolic link" if stat.S_ISLNK(status.st_mode) else "not a regular file"
            raise RefusedPathError(
                f"{os.path.join(self.path, name)} is {kind}", "Remove it, or replace it with a regular file."
            )
        return status

    def read(self, name: str, limit: int) -> bytes | None:
        """Return the content of a regular file, at most ``limit`` + 1 bytes, or None. Raises RefusedPathError,
        UnwritablePathError.
        """
        with _converting(os.path.join(self.path, name)):
            try:
                if self._stat_regular(name) is None:
                    return None
                flags = os.O_RDONLY | _NOFOLLOW | _CLOEXEC | _BINARY | _NONBLOCK
                descriptor = os.open(self._locate(name), flags, dir_fd=self._descriptor)
            except FileNotFoundError:
                return None
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise RefusedPathError(f"{os.path.join(self.path, name)} is not a regular file")
            return file.read(limit + 1)

    def write(self, name: str, data: bytes, mode: int = FILE_MODE) -> None:
        """Replace a file atomically, even in a power cut. Raises RefusedPathError unless it is regular, UnwritablePathError."""
        temporary = f"{name}.{os.urandom(6).hex()}.tmp"
        with _converting(os.path.join(self.path, name)):
            self._stat_regular(name)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _CLOEXEC | _BINARY
            descriptor = os.open(self._locate(temporary), flags, mode, dir_fd=self._descriptor)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    if os.name == "posix":
                        self._change_owner(file.fileno())
                        os.fchmod(file.fileno(), mode)
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(
                    self._locate(temporary),
                    self._locate(name),
                    src_dir_fd=self._descriptor,
                    dst_dir_fd=self._descriptor,
                )
            except BaseException:
                self._unlink(temporary)
                raise
            self._sync()

    def _change_owner(self, descriptor: int) -> None:
        """Give a file created by root to the owner of the folder, who could not read it otherwise."""
        if self._descriptor is not None and os.geteuid() == 0:
            folder = os.fstat(self._descriptor)
            if folder.st_uid != 0:
                os.fchown(descriptor, folder.st_uid, folder.st_gid)

    def remove(self, name: str) -> None:
        """Remove a regular file, if it exists. Raises RefusedPathError, UnwritablePathError, as ``write`` does."""
        with _converting(os.path.join(self.path, name)):
            if self._stat_regular(name) is not None:
                self._unlink(name)
                self._sync()

    def remove_temporary_files(self, name: str = "") -> None:
        """Remove what interrupted writes of ``name`` (of any file, if empty) left; the caller holds the lock. Raises
        UnwritablePathError.
        """
        with _converting(os.path.join(self.path, name)):
            for entry in os.listdir(self.path if self._descriptor is None else self._descriptor):
                base, _, suffix = entry.removesuffix(".tmp").rpartition(".")
                is_temporary = entry.endswith(".tmp") and len(suffix) == 12 and not suffix.strip(_HEX)
                if base and base == (name or base) and is_temporary:
                    self._unlink(entry)

    def set_aside(self, name: str, suffix: str) -> str:
        """Rename ``name`` to the first free ``name.suffix-<n>``, and return that. Raises UnwritablePathError."""
        number = 1
        while self.stat_entry(f"{name}.{suffix}-{number}") is not None:
            number += 1
        new_name = f"{name}.{suffix}-{number}"
        with _converting(os.path.join(self.path, name)):
            self._rename(name, self, new_name)
            self._sync()
        return new_name

    def move(self, name: str, target_folder: Folder, new_name: str) -> None:
        """Move a subfolder to ``new_name`` in another folder; nothing is overwritten. Raises RefusedPathError,
        UnwritablePathError.
        """
        source, target = os.path.join(self.path, name), os.path.join(target_folder.path, new_name)
        with _converting(target):
            status = self.stat_entry(name)
            if status is None or not stat.S_ISDIR(status.st_mode):
                kind = "missing" if status is None else "not a real folder"
                raise RefusedPathError(f"{source} is {kind}", "Check the path: only a real folder can be moved.")
            # A folder created after this check is not lost: rename(2) replaces only an empty one.
            if target_folder.stat_entry(new_name) is not None:
                raise RefusedPathError(f"{target} already exists", "Move it away first.")
            self._rename(name, target_folder, new_name)
            target_folder._sync()
            self._sync()

    def _rename(self, name: str, folder: Folder, new_name: str) -> None:
        paths = self._locate(name), folder._locate(new_name)
        # Not os.replace: on Windows, a file created after the caller's check is not lost then.
        os.rename(*paths, src_dir_fd=self._descriptor, dst_dir_fd=folder._descriptor)

    def _unlink(self, name: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._locate(name), dir_fd=self._descriptor)

    def _sync(self) -> None:
        if self._descriptor is None:
            return
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            # Some network and overlay file systems cannot sync a folder; the rename itself has succeeded.
            if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):
                raise


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Replace the file at ``path`` atomically; its folder must exist and not be a link. See ``Folder.write``."""
    absolute: str = os.path.abspath(os.fspath(path))
    with Folder(os.path.dirname(absolute)) as folder:
        folder.write(os.path.basename(absolute), data)


def replace_own_file(path: str | os.PathLike[str], data: bytes, mark: bytes, description: str) -> None:
    """Write a file that begins with ``mark`` at a path the user chose. Raises RefusedPathError if what exists is not
    such ``description``.
    """
    absolute: str = os.path.abspath(os.fspath(path))
    with Folder(os.path.dirname(absolute)) as folder:
        existing = folder.read(os.path.basename(absolute), _HEAD_BYTES)
        if existing and mark not in existing:
            hint = "Choose another name, or move the file away."
            raise RefusedPathError(f"{absolute} exists and is not {description}", hint)
        folder.write(os.path.basename(absolute), data)


def _create_folder(path: str) -> None:
    with contextlib.suppress(FileExistsError):
        os.mkdir(path)
        parent = os.lstat(os.path.dirname(path) or ".") if os.name == "posix" and os.geteuid() == 0 else None
        if parent is not None and parent.st_uid != 0:  # as in Folder._change_owner
            os.chown(path, parent.st_uid, parent.st_gid, follow_symlinks=False)


@contextlib.contextmanager
def _converting(path: str) -> Generator[None]:
    """Convert an OSError about ``path``."""
    try:
        yield
    except OSError as error:
        raise _convert_error(error, path) from error


def _convert_error(error: OSError, path: str) -> RefusedPathError | UnwritablePathError:
    if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EISDIR):
        return RefusedPathError(
            f"{path} is a symbolic link or of the wrong type", "Replace it with a regular file or folder."
        )
    return UnwritablePathError(f"{path}: {error.strerror or error}", "Check that the path exists and is writable.")
