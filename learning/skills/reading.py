"""A skill's file as text: bounded, never waited for, and never anything but a regular file."""

from __future__ import annotations

import os
import stat

NAME = "SKILL.md"
SKILL_SIZE = 64 * 1024
"""Bytes of a SKILL.md that are looked at; the format's own advice is 5,000 tokens."""


def on_disk(path: str) -> str:
    """The text of a regular file, at most ``SKILL_SIZE`` bytes of it; empty where there is none. Never waits."""
    return (content(path, SKILL_SIZE) or b"").decode("utf-8", "replace")


def content(path: str, most: int) -> bytes | None:
    """The first ``most`` bytes of a regular file; None where there is none, or none that can be read. Never waits."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError):  # gone or out of reach; or a name that no file can have
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        data = b""
        while len(data) < most and (part := os.read(descriptor, most - len(data))):
            data += part
        return data
    except OSError:
        return None  # a disk or a network folder that gives up half-way
    finally:
        os.close(descriptor)
