"""A skill's files for the lint: read once, bounded, never waited for; what cannot be read is a flaw of the skill."""

from __future__ import annotations

import os
from collections.abc import Iterator

from mind_skills.learning.skills.discovery import Skill
from mind_skills.learning.skills.document import OURS, SAFETY, SPEC, Document, Flaw
from mind_skills.learning.skills.files import FILE_NAME, read_bytes, split
from mind_skills.output.text import path_text
from mind_skills.tasks.skill_yaml import fields

LARGEST = 1024 * 1024
"""Bytes of a SKILL.md; fifty times the advice of the format."""
BESIDE, BESIDE_SIZE, DEEP = 100, 256 * 1024, 5
"""Files beside a SKILL.md that are looked at, bytes of each, and levels of folders."""
_PROBLEMS = {
    "none": ("frontmatter-missing", "it does not begin with a frontmatter"),
    "open": ("frontmatter-open", "its frontmatter has no end"),
}


def document(path: str, others: tuple[Skill, ...]) -> tuple[Document | None, list[Flaw]]:
    """The skill whose SKILL.md is at ``path``, None where it cannot be read; and what is wrong with the file as such.

    ``path`` is absolute. Never raises.
    """
    data = read_bytes(path, LARGEST + 1)
    if data is None:
        hint = "Put a plain file in its place, that you may read."
        return None, [Flaw("unreadable", "error", "it is no file that can be read", hint, OURS)]
    if len(data) > LARGEST:
        hint = "An agent reads all of it. Move what is seldom needed into references/."
        return None, [Flaw("too-large", "error", f"it is larger than {LARGEST} bytes", hint, OURS)]
    if b"\0" in data:
        return None, [Flaw("binary", "error", "it is no text", "Save it as UTF-8 text.", SPEC)]
    text, flaws = _decoded(data)
    if not text.strip():
        hint = "Begin with the frontmatter: ---, name, description, ---."
        return None, [*flaws, Flaw("empty", "error", "it is empty", hint, SPEC)]
    parts, found = split(text), None
    if parts.problem:
        code, said = _PROBLEMS[parts.problem]
        hint = "Put a line of three hyphens before and after `name: ...` and `description: ...`, on top of the file."
        flaws.append(Flaw(code, "error", said, hint, SPEC, 1))
    else:
        found, wrong = fields(parts.front)
        flaws += wrong
    folder = os.path.dirname(path)
    beside, more = _beside(folder)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    doc = Document(path, os.path.basename(folder), text, found, parts.body, parts.body_line, beside, others)
    return doc, [*flaws, *more]


def _decoded(data: bytes) -> tuple[str, list[Flaw]]:
    flaws: list[Flaw] = []
    if data.startswith(b"\xef\xbb\xbf"):
        hint = "Save it without: what comes first must be three hyphens."
        flaws.append(Flaw("byte-order-mark", "error", "it begins with a byte order mark", hint, SPEC, 1))
    try:
        return data.decode(), flaws
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        flaws.append(Flaw("encoding", "error", "it is not UTF-8", "Save it as UTF-8 text.", SPEC, line))
        return data.decode("utf-8", "replace"), flaws


def _beside(folder: str) -> tuple[dict[str, str], list[Flaw]]:
    """The texts of the other files, by their names below the folder; and links that lead out of it."""
    texts: dict[str, str] = {}
    flaws: list[Flaw] = []
    inside = os.path.realpath(folder)
    for number, path in enumerate(_files(folder, DEEP)):
        name = path_text(os.path.relpath(path, folder))
        if number == BESIDE:
            hint = "What an agent is to use should be little enough to be looked at."
            said = f"more than {BESIDE} files stand beside it; the rest was not looked at"
            flaws.append(Flaw("many-files", "warning", said, hint, OURS))
            break
        if os.path.islink(path):  # one that stays inside leads to what is looked at anyway
            if os.path.commonpath([inside, os.path.realpath(path)]) != inside:
                hint = "Put the file itself there: where a link leads is not part of the skill, and may change."
                flaws.append(
                    Flaw("link-outside", "error", f"{ascii(name)[1:-1]} leads out of its folder", hint, SAFETY)
                )
            continue
        data = read_bytes(path, BESIDE_SIZE)
        if data and b"\0" not in data:
            texts[name] = data.decode("utf-8", "replace")
    return texts, flaws


def _files(folder: str, deep: int) -> Iterator[str]:
    """Every file and link below a folder but its SKILL.md, in order of name; links are not followed."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        return  # gone, or closed to us: what can be read is looked at
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if deep and entry.name != ".git":
                yield from _files(entry.path, deep - 1)
        elif entry.name != FILE_NAME or deep < DEEP:
            yield entry.path
