"""What a process of the stack may do."""

import errno
import socket
import struct
import sys
from functools import cache
from pathlib import Path


@cache
def read_grants():
    data = Path(sys.argv[0]).resolve().with_name("cell.bin").read_bytes()
    return [(kind.decode(), low, more) for kind, low, more in struct.iter_unpack(">cHI", data[5:])]


def granted(wanted, value):
    return any(kind == wanted[0] and low <= value <= low + more for kind, low, more in read_grants())


class Socket(socket.socket):
    def bind(self, address):
        if self.family == socket.AF_INET and not granted("listen", address[1]):
            raise PermissionError(errno.EACCES, "Permission denied")
        super().bind(address)


def close():
    """From here on, the process is in the cell."""
    socket.socket = Socket
