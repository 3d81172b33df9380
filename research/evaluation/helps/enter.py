"""Runs one command in a run's own file system: ``python -I -S enter.py SPEC``, as process 1 of new namespaces.

SPEC is a JSON object that sandbox.py writes. Only what it lists is visible: the rest of the machine, with the hidden checks, is not.
Standard library only. When this process exits, the kernel ends all others of the namespace.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import socket
import struct
import sys
from typing import Any

READ_ONLY, NO_SUID, REMOUNT, BIND, RECURSIVE = 1, 2, 32, 4096, 16384
"""Flags of mount(2)."""
GET_FLAGS, SET_FLAGS, UP = 0x8913, 0x8914, 1
"""Requests of netdevice(7), and the flag of an interface that is up."""
DEVICES = ("null", "zero", "full", "random", "urandom")
FILES = {
    "passwd": "root:x:0:0:dev:/home/dev:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\n",
    "group": "root:x:0:\nnogroup:x:65534:\n",
    "hosts": "127.0.0.1 localhost\n::1 localhost\n",
    "hostname": "dev\n",
}
READY = b"ready"
"""What is written to the descriptor ``ready`` of a spec once the command can start."""
_LIBC = ctypes.CDLL(None, use_errno=True)


def main(spec: dict[str, Any]) -> int:
    """Build the file system, run the command, and return its exit code."""
    enter_root(spec["root"], spec["binds"])
    start_loopback()
    socket.sethostname("dev")
    os.write(spec["ready"], READY)
    os.close(spec["ready"])
    return run(spec["command"], spec["folder"], spec["environment"], wait_for_all=spec["wait_for_all"])


def enter_root(root: str, binds: list[list[Any]]) -> None:
    """Mount an empty file system at ``root``, fill it, and make it the root.

    ``binds`` are [source, target, is it writable]; without a source, an empty folder hides the target.
    """
    mount("tmpfs", root, "tmpfs", NO_SUID)
    for source, target, is_writable in binds:
        if source:
            bind(source, root + target, is_writable=is_writable)
        else:
            mount("tmpfs", root + target, "tmpfs", READ_ONLY)
    for link in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        if os.path.islink(f"/{link}"):
            os.symlink(os.readlink(f"/{link}"), f"{root}/{link}")
        elif os.path.isdir(f"/{link}"):
            bind(f"/{link}", f"{root}/{link}")
    for folder in ("dev", "dev/shm", "etc", "proc", "run", "var", "var/tmp"):
        os.makedirs(f"{root}/{folder}", exist_ok=True)
    for name in DEVICES:
        bind(f"/dev/{name}", f"{root}/dev/{name}", is_writable=True)
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{target}", f"{root}/dev/{name}")
    for name, text in FILES.items():
        with open(f"{root}/etc/{name}", "w", encoding="utf-8") as file:
            file.write(text)
    mount("proc", f"{root}/proc", "proc", NO_SUID)
    os.chroot(root)


def bind(source: str, target: str, *, is_writable: bool = False) -> None:
    """Make a file or folder visible at ``target``; not at all if it does not exist."""
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    elif os.path.exists(source):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "ab"):
            pass
    else:
        return
    mount(source, target, "", BIND | RECURSIVE)
    if not is_writable:
        mount("", target, "", BIND | REMOUNT | READ_ONLY)


def mount(source: str, target: str, kind: str, flags: int) -> None:
    """Mount ``source`` at ``target``. Raises OSError."""
    if _LIBC.mount(source.encode(), target.encode(), kind.encode(), flags, None):
        code = ctypes.get_errno()
        raise OSError(code, f"mount: {os.strerror(code)}", target)


def start_loopback() -> None:
    """Let processes of one command reach each other on 127.0.0.1, which is down in a new namespace."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = bytearray(struct.pack("16sH22x", b"lo", 0))
        fcntl.ioctl(control, GET_FLAGS, request)
        flags = struct.unpack_from("H", request, 16)[0]
        struct.pack_into("H", request, 16, flags | UP)
        fcntl.ioctl(control, SET_FLAGS, request)


def run(command: list[str], folder: str, environment: dict[str, str], *, wait_for_all: bool) -> int:
    """Run a command and return its exit code, 128 + N for signal N; with ``wait_for_all``, also wait for what it left running."""
    child = os.fork()
    if not child:
        try:
            os.setsid()
            os.chdir(folder)
            os.execvpe(command[0], command, environment)  # noqa: S606
        except OSError as error:
            os.write(2, f"{command[0]}: {error.strerror}\n".encode())
            os._exit(127)
    code = 0
    while True:
        try:
            ended, status = os.wait()
        except ChildProcessError:
            return code
        if ended == child:
            code = os.waitstatus_to_exitcode(status)
            code = 128 - code if code < 0 else code
            if not wait_for_all:
                return code


if __name__ == "__main__":
    status = main(json.loads(sys.argv[1]))
    os._exit(status)
