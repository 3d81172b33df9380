"""What a disk may hold after a power cut: a run's system calls, replayed into a model of a file system.

What was written to a file is sure to be there once it was synced; before that, all of it, none of it, or half of the last
write may be. What was done to names (created, renamed, removed) is sure to be there once their folder was synced; before
that any of it may be there without the others. Memory that is mapped (SQLite's ``-shm``) is gone; SQLite makes it anew.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.chaos.chaos_strace import PROGRAM, execute

TRACED = "open,openat,creat,close,write,pwrite64,ftruncate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir"
DATA = ("all", "none", "half")
"""Of what was not synced: how much is there."""
_LINE = re.compile(r"^\d+ +(\w+)\((.*)\) += (-?\d+)")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
HERE = "AT_FDCWD"


@dataclass(eq=False, slots=True)
class Inode:
    """A file's content as it was last synced, and the writes since: (offset, bytes), or (size, None) for a new length."""

    synced: bytes = b""
    writes: list[tuple[int, bytes | None]] = field(default_factory=list[tuple[int, bytes | None]])

    def content(self, how: str) -> bytes:
        writes = {"all": self.writes, "none": [], "half": self.writes}[how]
        data = bytearray(self.synced)
        for number, (at, new) in enumerate(writes, 1):
            if new is None:
                del data[at:]
                data += bytes(at - len(data))
                continue
            piece = new[: len(new) // 2] if how == "half" and number == len(writes) else new
            data += bytes(max(0, at - len(data)))
            data[at : at + len(piece)] = piece
        return bytes(data)


@dataclass(slots=True)
class Change:
    """Of a name: it leads to this file now, or to none. One step may be of two (a rename)."""

    names: dict[str, Inode | None]


class Disk:
    """The files under ``root``, as calls change them."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.sure: dict[str, Inode] = {}
        self.now: dict[str, Inode] = {}
        self.unsure: list[Change] = []
        for path in root.rglob("*"):
            if path.is_file():
                self.sure[str(path)] = self.now[str(path)] = Inode(path.read_bytes())
        self.open: dict[int, tuple[str, Inode | None]] = {}
        self.ends: dict[int, int] = {}

    def call(self, name: str, rest: str, answer: int) -> bool:
        """Take in one call; True if something on the disk is different now."""
        if answer < 0:
            return False
        texts = [bytes.fromhex(found[1].replace("\\x", "")) for found in _TEXT.finditer(rest)]
        plain = _TEXT.sub("%", rest).split(", ")
        if name in ("open", "openat", "creat"):
            path = self._path(plain[0] if name == "openat" else HERE, texts[0])
            return self._opened(path, rest, answer)
        if name == "close":
            self.open.pop(int(plain[0]), None)
            return False
        if name in ("rename", "renameat", "renameat2"):
            folders = [plain[0], plain[2]] if name != "rename" else [HERE, HERE]
            return self._renamed(self._path(folders[0], texts[0]), self._path(folders[1], texts[1]))
        if name in ("unlink", "unlinkat"):
            return self._changed({self._path(plain[0] if name == "unlinkat" else HERE, texts[0]): None})
        if name in ("mkdir", "mkdirat", "rmdir"):
            return False  # a folder is there when anything in it is
        path, inode = self.open.get(int(plain[0]), ("", None))
        if not path.startswith(self.root):
            return False
        if name in ("fsync", "fdatasync"):
            return self._synced(path, inode)
        if inode is None or path.endswith("-shm"):
            return False
        if name == "ftruncate":
            inode.writes.append((int(plain[1]), None))
        elif name == "pwrite64":
            inode.writes.append((int(plain[-1]), texts[0]))
        else:
            end = self.ends.get(int(plain[0]), 0)
            inode.writes.append((end, texts[0]))
            self.ends[int(plain[0])] = end + len(texts[0])
        return True

    def _path(self, folder: str, name: bytes) -> str:
        path = Path(os.fsdecode(name))
        if folder == HERE or path.is_absolute():
            return str(path)
        # Descriptors of all processes are in one table: another one may have closed its own of this number.
        return str(Path(self.open.get(int(folder), ("", None))[0]) / path)

    def _opened(self, path: str, rest: str, answer: int) -> bool:
        inode = self.now.get(path)
        made = inode is None and "O_CREAT" in rest and path.startswith(self.root)
        if made:
            inode = Inode()
            self._changed({path: inode})
        if inode is not None and "O_TRUNC" in rest:
            inode.writes.append((0, None))
        self.open[answer] = (path, inode)
        self.ends[answer] = len(inode.content("all")) if inode is not None and "O_APPEND" in rest else 0
        return made

    def _renamed(self, old: str, new: str) -> bool:
        inside = {path: inode for path, inode in self.now.items() if path.startswith(f"{old}/")}
        if inside:  # a folder
            moved = {path.replace(old, new, 1): inode for path, inode in inside.items()}
            return self._changed({**dict.fromkeys(inside), **moved})
        return self._changed({old: None, new: self.now.get(old)})

    def _changed(self, names: dict[str, Inode | None]) -> bool:
        if not any(path.startswith(self.root) for path in names):
            return False
        self.unsure.append(Change(names))
        _apply(self.now, names)
        return True

    def _synced(self, path: str, inode: Inode | None) -> bool:
        if inode is not None:
            inode.synced, inode.writes = inode.content("all"), []
        else:
            done = [c for c in self.unsure if any(name.rpartition("/")[0] == path for name in c.names)]
            for change in done:
                _apply(self.sure, change.names)
            self.unsure = [c for c in self.unsure if c not in done]
        return True

    def states(self) -> Iterator[dict[str, bytes]]:
        """What may be there if the power goes now; path to content."""
        everything = range(len(self.unsure))
        choices = {tuple(everything), (), *((n,) for n in everything)}
        choices |= {tuple(n for n in everything if n != left) for left in everything}
        seen: set[int] = set()
        for chosen in sorted(choices, key=len, reverse=True):
            names = dict(self.sure)
            for number in chosen:
                _apply(names, self.unsure[number].names)
            for how in DATA:
                state = {path: inode.content(how) for path, inode in names.items() if not path.endswith("-shm")}
                mark = hash(frozenset(state.items()))
                if mark not in seen:
                    seen.add(mark)
                    yield state


def _apply(names: dict[str, Inode], change: dict[str, Inode | None]) -> None:
    for path, inode in change.items():
        if inode is None:
            names.pop(path, None)
        else:
            names[path] = inode


def recorded(line: list[str], given: bytes, environment: dict[str, str], cwd: Path) -> list[tuple[str, str, int]]:
    """The calls of a run: name, arguments, answer."""
    with tempfile.NamedTemporaryFile() as said:
        before = [
            PROGRAM,
            "-f",
            "-qq",
            "--seccomp-bpf",
            "-xx",
            "-s",
            str(1 << 24),
            "-o",
            said.name,
            "-e",
            f"trace={TRACED}",
        ]
        execute([*before, "--", *line], given, environment, cwd)
        found = [_LINE.match(text) for text in Path(said.name).read_text().splitlines()]
    return [(one[1], one[2], int(one[3])) for one in found if one]


def lay_out(root: Path, state: dict[str, bytes]) -> None:
    """Make the files under ``root`` be these, in the folders that are there."""
    for path in list(root.rglob("*")):
        if path.is_file() or path.is_symlink():
            path.unlink()
    for name, content in state.items():
        path = Path(name)
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True, mode=0o700)
        path.write_bytes(content)
        path.chmod(0o600)
