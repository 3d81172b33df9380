"""How a log is opened. Apart from what reads it, since `mind-skills status` looks into OpenCode's database, and reads no log."""

from __future__ import annotations

import errno
import os
import stat
from typing import BinaryIO


def opened(path: str | os.PathLike[str]) -> BinaryIO:
    """A log opened for reading, never waited for: whoever tells of a session may name anything as its log.

    A pipe, a terminal or a device is refused. So is a file of size 0 with something in it, as below ``/proc``, some of which
    are read without end: it is as empty as it says.

    Raises:
        OSError: it cannot be opened, or is no file.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    found = os.fstat(descriptor)
    if stat.S_ISREG(found.st_mode) and found.st_size:
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
    return open(os.devnull, "rb")
