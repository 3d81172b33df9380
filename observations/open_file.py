"""Opens log files. Separate from the readers, so that `mind-skills status`, which opens OpenCode's database, need not import them."""

from __future__ import annotations

import errno
import os
import stat
from typing import BinaryIO

SQLITE_MAGIC = b"SQLite format 3\x00"
"""The first bytes of every SQLite database."""


def open_log_file(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a regular file for reading, without blocking: a hook payload may name any path as a log.

    Pipes, terminals and devices are rejected. A file that reports a size of 0 is treated as empty, because some files in ``/proc``
    do so and never end.
    Raises OSError.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode) and status.st_size:
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
    return open(os.devnull, "rb")
