"""The patch text that Codex and OpenCode call ``apply_patch``: files with added, removed and context lines."""

from __future__ import annotations

from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_later

MAX_LINES = 20_000
_FILE = compile_later(r"\*\*\* (Add|Update|Delete) File: (.+)|\*\*\* Move to: (.+)")


class Patch(NamedTuple):
    """``removed`` and ``added`` hold the lines without their mark, over all files; of a deleted one the line that deletes it."""

    files: tuple[str, ...]
    removed: str
    added: str
    only_new: bool
    """Every file in it is a new one."""


def parse_patch(text: str) -> Patch:
    """Read a patch, also one inside a shell command; what is no patch gives empty fields."""
    _, _, body = text.partition("*** Begin Patch")
    files: dict[str, None] = {}
    removed: list[str] = []
    added: list[str] = []
    verbs: set[str] = set()
    for line in body.split("\n")[:MAX_LINES]:
        if line.startswith("*** End Patch"):
            break
        named = _FILE.match(line)
        if named:
            verbs.add(named[1] or "Move")
            if named[1] == "Delete":  # the patch does not say what stood in it
                removed.append(line.strip())
            files[(named[2] or named[3]).strip()] = None
        elif line.startswith("-"):
            removed.append(line[1:])
        elif line.startswith("+"):
            added.append(line[1:])
    return Patch(tuple(files), "\n".join(removed), "\n".join(added), verbs == {"Add"})
