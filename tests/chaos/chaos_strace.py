"""System calls of one run, counted, and the same run again with one of them going wrong: strace's ``inject``.

A run is deterministic enough for this: the n-th call of a kind in one is the n-th in the next. Where it is not, the point
that was meant is not reached, and the run counts as one in which nothing went wrong; ``Ran.hit`` says which it was.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

PROGRAM = "strace"
CALLS = {
    "write": ("write", "writev", "pwrite64", "pwritev"),
    "open": ("open", "openat"),
    "rename": ("rename", "renameat", "renameat2"),
    "fsync": ("fsync", "fdatasync"),
    "unlink": ("unlink", "unlinkat", "rmdir"),
    "other": (
        "mkdir",
        "mkdirat",
        "ftruncate",
        "fchmod",
        "fchmodat",
        "chmod",
        "link",
        "linkat",
        "symlink",
        "fchown",
        "chown",
    ),
}
"""The rows of the table, and the system calls that each stands for."""
KINDS = {call: kind for kind, calls in CALLS.items() for call in calls}
KILL = "SIGKILL"
ERRORS = {
    "write": ("ENOSPC", "EIO"),
    "rename": ("ENOSPC", "EIO", "EROFS"),
    "fsync": ("EIO", "ENOSPC"),
    "unlink": ("EIO", "EROFS"),
    "other": ("ENOSPC", "EIO", "EROFS"),
}
"""Those that the system can answer with (the manual pages of the calls): a write to an open file is never told EROFS or
EMFILE. An open can run out of file descriptors; one that only reads is told neither ENOSPC nor EROFS."""
LASTING = {"ENOSPC": ("write", "other", "rename"), "EROFS": ("rename", "unlink", "other")}
"""What a full disk and one that has become read-only go on answering to whatever comes after. (Opens are left out: strace
cannot tell those that only read.)"""
_FOLDER = re.compile(r"AT_FDCWD<[^>]*>")
"""Where the process is, which says nothing about the file."""
DOORS = ("/plugin/__pycache__/cli.", "/plugin/cli.py")
"""The first file of ours that a command opens. Before it the interpreter has nobody to tell what went wrong."""
_LINE = re.compile(r"^(?:\d+ +)?(\w+)\((.*)$")


@dataclass(frozen=True, slots=True)
class Call:
    """One system call: ``number`` counts those of its name in this process, ``ours`` is whether it is in our folder."""

    name: str
    number: int
    ours: bool
    errors: tuple[str, ...]
    """What the system can answer."""
    loaded: bool = True
    """Whether our own program was being read already, and not the interpreter's beginning."""


@dataclass(frozen=True, slots=True)
class Point:
    """Where something goes wrong: ``what`` is SIGKILL or an errno, at each of ``when``, (name, number), and with
    ``lasting`` at all that follow. ``kind`` is its row in the table.
    """

    kind: str
    what: str
    when: tuple[tuple[str, int], ...]
    lasting: bool = False
    loaded: bool = True
    """As a call's."""

    def __str__(self) -> str:
        places = ", ".join(f"{name} {number}{'+' if self.lasting else ''}" for name, number in self.when[:3])
        return f"{self.what} at {places}{', ...' if len(self.when) > 3 else ''}"

    def arguments(self) -> list[str]:
        """What strace is told."""
        plus = "+" if self.lasting else ""
        word = f"signal={self.what}" if self.what == KILL else f"error={self.what}"
        return [f"--inject={name}:{word}:when={number}{plus}" for name, number in self.when]


@dataclass(slots=True)
class Ran:
    """What a run came to. ``hit`` says whether anything was made to go wrong in it; ``calls`` is filled by ``counted``."""

    code: int
    out: bytes
    err: bytes
    hit: bool = False
    strangers: bool = False
    """Whether what was hit is no file of ours, but the interpreter's own, say."""
    calls: list[Call] = field(default_factory=list[Call])


def missing() -> str:
    """Why nothing can be injected here, empty where it can."""
    if shutil.which(PROGRAM) is None:
        return f"{PROGRAM} is not installed (Debian and Ubuntu: apt-get install strace)"
    for more, code in (
        (["--seccomp-bpf", "--inject=openat:error=EIO:when=999"], 0),
        (["--inject=openat:signal=SIGKILL"], -9),
    ):
        line = [PROGRAM, "-f", *more, "-o", os.devnull, "true"]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        if done.returncode != code:
            return f"{PROGRAM} does not work here: {(done.stderr or 'it failed').strip()[:200]}"
    return ""


def run(
    line: list[str], given: bytes, environment: dict[str, str], cwd: Path, root: Path, point: Point | None = None
) -> Ran:
    """Run a program to its end, without strace where there is no ``point``; what is under ``root`` is ours."""
    if point is None:
        return execute(line, given, environment, cwd)
    names = ",".join(name for name, _ in point.when)
    with tempfile.NamedTemporaryFile() as said:
        # Where a filter in the kernel picks the calls, no signal is delivered with them (strace 6.1).
        fast = [] if point.what == KILL else ["--seccomp-bpf"]
        before = [
            PROGRAM,
            "-f",
            "-q",
            "-y",
            "-s",
            "0",
            *fast,
            "-o",
            said.name,
            "-e",
            f"trace={names}",
            *point.arguments(),
        ]
        ran = execute([*before, "--", *line], given, environment, cwd)
        lines = Path(said.name).read_text(errors="replace").splitlines()
    refused = [text for text in lines if "(INJECTED)" in text]
    ran.hit = bool(refused) or any("killed by SIGKILL" in text for text in lines)
    ran.strangers = bool(refused) and not any(str(root) in _FOLDER.sub("", text) for text in refused)
    return ran


def counted(line: list[str], given: bytes, environment: dict[str, str], cwd: Path, root: Path) -> Ran:
    """Run it with nothing going wrong, and count its calls; those with a path under ``root`` are ours."""
    with tempfile.NamedTemporaryFile() as said:
        before = [PROGRAM, "-f", "-qq", "-y", "--seccomp-bpf", "-s", "0", "-o", said.name]
        ran = execute([*before, "-e", f"trace={','.join(KINDS)}", "--", *line], given, environment, cwd)
        lines = Path(said.name).read_text(errors="replace").splitlines()
    seen: dict[tuple[str, str], int] = {}
    loaded = False
    for text in lines:
        found = _LINE.match(text)
        if found is None:
            continue
        process = text.split(" ", 1)[0]
        name, rest = found[1], found[2]
        number = seen[process, name] = seen.get((process, name), 0) + 1
        ran.calls.append(Call(name, number, str(root) in _FOLDER.sub("", rest), _errors(name, rest), loaded))
        loaded = loaded or any(door in rest and "ENOENT" not in rest for door in DOORS)
    return ran


def _errors(name: str, rest: str) -> tuple[str, ...]:
    kind = KINDS[name]
    if kind != "open":
        return ERRORS[kind]
    writes = any(flag in rest for flag in ("O_WRONLY", "O_RDWR", "O_CREAT"))
    return ("EMFILE", "EIO", *(["EROFS"] if writes else []), *(["ENOSPC"] if "O_CREAT" in rest else []))


def execute(line: list[str], given: bytes, environment: dict[str, str], cwd: Path) -> Ran:
    done = subprocess.run(line, input=given, capture_output=True, env=environment, cwd=cwd, timeout=120, check=False)
    return Ran(done.returncode, done.stdout, done.stderr)


def points(calls: list[Call]) -> list[Point]:
    """Everything that can go wrong in a run with these calls.

    SIGKILL before each call of ours that changes something: nothing on the disk changes between two of those, so these are
    all the states that a kill can leave. Each errno at each call of ours, EMFILE and EIO at each other open; and a disk
    that is full, or read-only, from each call of ours on.
    """
    found: list[Point] = []
    for place, call in enumerate(calls):
        kind, when = KINDS[call.name], ((call.name, call.number),)
        if not call.ours:
            if kind == "open":
                found += [Point(kind, error, when, loaded=call.loaded) for error in ("EMFILE", "EIO")]
            continue
        found.append(Point(kind, KILL, when))
        found += [Point(kind, error, when) for error in call.errors]
        found += [
            Point(kind, error, _from(calls, place, kinds), lasting=True)
            for error, kinds in LASTING.items()
            if kind in kinds
        ]
    return found


def _from(calls: list[Call], place: int, kinds: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """The first call of each name from this place on."""
    first: dict[str, int] = {}
    for call in calls[place:]:
        if call.ours and KINDS[call.name] in kinds:
            first.setdefault(call.name, call.number)
    return tuple(first.items())
