"""A target: a function of bytes that returns where every promise was kept and raises where one was broken."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

ROOM = "MIND_SKILLS_FUZZ_ROOM"
LONGEST = 32 * 1024
"""Bytes of one input."""
SECONDS = 2.0
"""Of CPU time, for one input: what takes longer than this for 32 kB hangs a hook for 300 kB. Most inputs take some ms."""


@dataclass(frozen=True, slots=True)
class Target:
    """``covers`` are the modules and folders that it is measured by, ``words`` fragments that mutation puts in."""

    name: str
    check: Callable[[bytes], None]
    seeds: Callable[[], Iterable[bytes]]
    covers: tuple[str, ...]
    words: tuple[str, ...] = ()


class BrokenPromiseError(AssertionError):
    """What came back is not what the target promises."""


class TooSlowError(BaseException):
    """The CPU time of one input is used up; no ``except Exception`` may swallow it."""


def promise(kept: object, what: str) -> None:
    """Raise BrokenPromiseError unless ``kept``."""
    if not kept:
        raise BrokenPromiseError(what)


def chosen(data: bytes, ways: int) -> int:
    """One of ``ways``, the same for the same bytes: what is too dear, or too much, for every input."""
    return zlib.crc32(data) % ways


def _enough(signum: int, frame: FrameType | None) -> None:
    raise TooSlowError(f"more than {SECONDS} s of CPU time")


@contextmanager
def bounded(seconds: float = SECONDS) -> Iterator[None]:
    """End what runs longer than ``seconds`` of CPU time with TooSlowError; a loaded machine makes nothing slower."""
    before = signal.signal(signal.SIGPROF, _enough)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def furnished(room: Path) -> dict[str, str]:
    """The folders of a user in ``room``, made, and the variables by which our code finds them instead of the real ones."""
    for name in ("home", "state", "project/.git", "project/.claude", "settings"):
        (room / name).mkdir(parents=True, exist_ok=True)
    return {
        ROOM: str(room),
        "HOME": str(room / "home"),
        "MIND_SKILLS_HOME": str(room / "state"),
        "MIND_SKILLS_CONFIG": str(room / "settings/mind-skills.toml"),
    }


def room() -> Path:
    """The folder in which a target may write. Raises KeyError where nobody furnished one."""
    return Path(os.environ[ROOM])


@contextmanager
def somewhere() -> Iterator[Path]:
    """A folder in memory where there is such a place, and it is gone afterwards."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="mind-skills-fuzz-", dir=memory))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
