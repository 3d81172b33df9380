"""A SKILL.md on disk: read as bounded text, and taken apart into frontmatter and body without a YAML library.

Only regular files are opened, and nothing is waited for. The frontmatter is read tolerantly, to find and to compare
skills: the texts of ``name`` and ``description`` in any of the styles that YAML writes them in. Whether it is good YAML is
the lint's question (tasks/skill_files.py), which has a parser; hooks have none.
"""

from __future__ import annotations

import os
import re
import stat
from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_later

FILE_NAME = "SKILL.md"
SKILL_SIZE = 64 * 1024
"""Bytes of a SKILL.md that are looked at; the format's own advice is 5,000 tokens."""


def read_text(path: str) -> str:
    """The text of a regular file, at most ``SKILL_SIZE`` bytes of it; empty where there is none. Never waits."""
    return (read_bytes(path, SKILL_SIZE) or b"").decode("utf-8", "replace")


def read_bytes(path: str, most: int) -> bytes | None:
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


_FIRST = compile_later(r"\A---[ \t]*(?:\n|\Z)")
_LAST = compile_later(r"^---[ \t]*(?:\n|\Z)", re.MULTILINE)
_BLOCK = compile_later(r"[|>][+-]?\d?[ \t]*(?:#.*)?\Z")
_COMMENT = compile_later(r"[ \t]#.*\Z")


class Parts(NamedTuple):
    """A SKILL.md taken apart. ``body_line`` is the 1-based line on which the body begins.

    ``problem`` is empty, ``none`` (it does not begin with ``---``) or ``open`` (there is no second one); then all is body.
    """

    front: str
    body: str
    body_line: int
    problem: str


def split(text: str) -> Parts:
    """Take a SKILL.md apart, whatever its line ends; a byte order mark is passed over. Never raises."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    first = _FIRST.match(text)
    if first is None:
        return Parts("", text, 1, "none")
    last = _LAST.search(text, first.end())
    if last is None:
        return Parts("", text, 1, "open")
    front = text[first.end() : last.start()]
    return Parts(front, text[last.end() :], front.count("\n") + 3, "")


def read_scalar(front: str, key: str) -> str:
    """The text of a key at the top level of a frontmatter, on one line; empty where there is none. Never raises."""
    lines = front.split("\n")
    for number, line in enumerate(lines):
        if not line.startswith(key):
            continue
        after = line[len(key) :].lstrip()
        if after.startswith(":") and (len(after) == 1 or after[1] in " \t"):
            return _text(after[1:].strip(), _continued(lines[number + 1 :]))
    return ""


def _continued(lines: list[str]) -> list[str]:
    """The lines that belong to the key before them: those that are indented, and blank ones between."""
    found: list[str] = []
    for line in lines:
        if line.strip() and line[:1] not in " \t":
            break
        found.append(line.strip())
    return found


def _text(first: str, more: list[str]) -> str:
    if _BLOCK.match(first):
        return " ".join(filter(None, more))
    whole = " ".join(filter(None, [first, *more]))
    if whole[:1] in "\"'" and whole:
        quote = whole[0]
        end = whole.rfind(quote)
        inside = whole[1:end] if end > 0 else whole[1:]
        return inside.replace("''", "'") if quote == "'" else inside.replace('\\"', '"').replace("\\n", " ")
    return _COMMENT.sub("", whole).strip()
