"""Opens log files. Separate from the readers, so that `mind-skills status`, which opens OpenCode's database, need not import them."""

from __future__ import annotations

import errno
import io
import os
import stat
from typing import Any, BinaryIO

SQLITE_MAGIC = b"SQLite format 3\x00"
"""The first bytes of every SQLite database."""
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
COMPRESSED_SUFFIX = ".zst"
"""The suffix of a log that its host has compressed with zstd. Such a log does not grow."""
MAX_NAMED = 3
"""Maximum number of compressed logs that are named."""
ZSTD_HINT = "install mind-skills with the extra `zstd`, or decompress the file with `zstd -d`"


def open_log_file(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a regular file for reading, without blocking: a hook payload may name any path as a log.

    Pipes, terminals and devices are rejected. A file that reports a size of 0 is treated as empty, because some files in ``/proc``
    do so and never end. A file that is compressed with zstd is decompressed while it is read, if a module for that is installed.
    Raises OSError.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode) and status.st_size:
        file = os.fdopen(descriptor, "rb")
        return _decompress(file) if os.fspath(path).endswith(COMPRESSED_SUFFIX) else file
    os.close(descriptor)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
    return open(os.devnull, "rb")


def describe_compressed(paths: list[str]) -> str:
    """Return a sentence about logs that cannot be read because they are compressed."""
    names = ", ".join(os.path.basename(path) for path in paths[:MAX_NAMED])
    more = f" and {len(paths) - MAX_NAMED} more" if len(paths) > MAX_NAMED else ""
    subject, them = (
        ("1 compressed log was", "it") if len(paths) == 1 else (f"{len(paths)} compressed logs were", "them")
    )
    return f"{subject} not read: {names}{more}. To read {them}, {ZSTD_HINT}."


def can_decompress() -> bool:
    """Return whether a module for zstd is installed."""
    return _open_zstd(io.BytesIO()) is not None


def _open_zstd(file: BinaryIO) -> tuple[Any, type[Exception]] | None:
    """Open a compressed file with the module of Python 3.14 or the package, and return the stream and the class of its errors.

    None if neither is installed.
    """
    try:
        zstd: Any = __import__("compression.zstd", fromlist=["open"])
        return zstd.open(file, "rb"), zstd.ZstdError
    except ImportError:
        pass
    try:
        package: Any = __import__("zstandard")
    except ImportError:
        return None
    return package.ZstdDecompressor().stream_reader(file, read_across_frames=True), package.ZstdError


def _decompress(file: io.BufferedReader) -> BinaryIO:
    opened = _open_zstd(file) if file.peek(len(ZSTD_MAGIC)).startswith(ZSTD_MAGIC) else None
    if opened is None:
        return file  # its first bytes tell that it is compressed
    return io.BufferedReader(_Decompressed(file, *opened))


class _Decompressed(io.RawIOBase):
    """A compressed file whose errors are OSErrors, as those of other files are."""

    def __init__(self, file: BinaryIO, stream: Any, error: type[Exception]) -> None:
        self._file, self._stream, self._error = file, stream, error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data: bytes = self._stream.read(len(buffer))
        except (self._error, EOFError) as error:
            raise OSError(errno.EIO, f"the compressed file is damaged: {error}") from error
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()
