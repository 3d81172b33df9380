"""Which process runs a session, for hosts that do not say: the nearest of our ancestors that is no shell."""

from __future__ import annotations

try:
    import posix as system  # without os, which most hooks end before they would need
except ImportError:  # Windows
    import os as system  # type: ignore[no-redef,unused-ignore]

_BETWEEN = frozenset("sh ash bash dash zsh fish ksh mksh busybox env nice setsid timeout uv uvx hook.sh".split())
"""What may stand between a host and its hook, by the name that the system keeps; it lives no longer than the hook."""
_STEPS = 5


def find_host_process() -> int:
    """The id of the host's process, 0 where that cannot be known for sure, as on a system without /proc.

    To take a shell for the host would be worse than not to know: the session would seem to be dead at once.
    """
    pid = system.getppid() if system.__name__ == "posix" else 0
    for _ in range(_STEPS):
        name, above = _read_stat(pid)
        if name not in _BETWEEN:
            return pid if name and pid > 1 and not _outlives_sessions(pid) else 0
        pid = above
    return 0


def _outlives_sessions(pid: int) -> bool:
    """Whether the process outlives its sessions: Codex keeps a server for the terminals and editors of a user."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return b"app-server" in file.read(1 << 12).split(b"\0")
    except OSError:
        return True


def _read_stat(pid: int) -> tuple[str, int]:
    """Name and parent of a process, from ``/proc/PID/stat``: ``pid (name) state parent ...`` (proc_pid_stat(5))."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            head, _, tail = file.read(1 << 10).decode("utf-8", "replace").rpartition(")")
    except OSError:
        return "", 0
    rest = tail.split()
    return head.partition("(")[2], int(rest[1]) if len(rest) > 1 and rest[1].isdecimal() else 0
