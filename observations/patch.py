"""Parses the ``apply_patch`` patches of Codex and OpenCode: files with added, removed and context lines."""

from __future__ import annotations

from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_LINES = 20_000
"""Maximum number of lines of a patch that are parsed."""
_FILE_HEADER = compile_lazily(r"\*\*\* (Add|Update|Delete) File: (.+)|\*\*\* Move to: (.+)")


class Patch(NamedTuple):
    """A parsed patch.

    ``removed`` and ``added`` are the lines of all files, without their prefixes. A deleted file contributes its ``Delete File`` line.
    """

    files: tuple[str, ...]
    removed: str
    added: str
    has_only_new_files: bool
    """Whether every file in the patch is new."""


def parse_patch(text: str) -> Patch:
    """Parse a patch, which may be part of a shell command. If the text contains no patch, all fields are empty or False."""
    _, _, body = text.partition("*** Begin Patch")
    files: dict[str, None] = {}
    removed: list[str] = []
    added: list[str] = []
    verbs: set[str] = set()
    for line in body.split("\n")[:MAX_LINES]:
        if line.startswith("*** End Patch"):
            break
        header = _FILE_HEADER.match(line)
        if header:
            verbs.add(header[1] or "Move")
            if header[1] == "Delete":  # the patch does not include the content
                removed.append(line.strip())
            files[(header[2] or header[3]).strip()] = None
        elif line.startswith("-"):
            removed.append(line[1:])
        elif line.startswith("+"):
            added.append(line[1:])
    return Patch(tuple(files), "\n".join(removed), "\n".join(added), verbs == {"Add"})
