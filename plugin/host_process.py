"""Finds the process of a host that does not report it: the hook's nearest ancestor that is neither a shell nor a launcher."""

from __future__ import annotations

try:
    import posix as system  # without os, which most hooks never import
except ImportError:  # Windows
    import os as system  # type: ignore[no-redef,unused-ignore]

_INTERMEDIATE_NAMES = frozenset(
    "sh ash bash dash zsh fish ksh mksh busybox env nice setsid timeout uv uvx hook.sh".split()
)
"""Names of short-lived programs between a host and its hook, as the system reports them."""
_MAX_STEPS = 5
_MAX_ANCESTORS = 64


def find_host_process(expected_name: str = "") -> int:
    """Return the id of the host's process; 0 if it cannot be determined reliably, as on a system without /proc.

    If the process has another name than ``expected_name``, and that is not empty, return 0 as well.

    A wrong id would be worse than none: a session whose recorded process is a shell would soon count as dead.
    """
    pid = system.getppid() if system.__name__ == "posix" else 0
    for _ in range(_MAX_STEPS):
        name, parent = _read_stat(pid)
        if name not in _INTERMEDIATE_NAMES:
            is_host = name and expected_name in ("", name) and pid > 1 and not _outlives_sessions(pid)
            return pid if is_host else 0
        pid = parent
    return 0


def list_ancestors() -> list[int]:
    """List the ids of the processes above this one, nearest first, without the first of the system; [] without /proc."""
    ancestors: list[int] = []
    pid = system.getppid() if system.__name__ == "posix" else 0
    while pid > 1 and len(ancestors) < _MAX_ANCESTORS:
        name, parent = _read_stat(pid)
        if not name:
            break
        ancestors.append(pid)
        pid = parent
    return ancestors


def _outlives_sessions(pid: int) -> bool:
    """Return whether the process may outlive its sessions: Codex runs one server for all terminals and editors."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return b"app-server" in file.read(1 << 12).split(b"\0")
    except OSError:
        return True


def _read_stat(pid: int) -> tuple[str, int]:
    """Return the name and the parent's id of a process; empty and 0 if they cannot be read.

    ``/proc/PID/stat`` contains ``pid (name) state parent ...`` (proc_pid_stat(5)).
    """
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            head, _, tail = file.read(1 << 10).decode("utf-8", "replace").rpartition(")")
    except OSError:
        return "", 0
    rest = tail.split()
    return head.partition("(")[2], int(rest[1]) if len(rest) > 1 and rest[1].isdecimal() else 0
