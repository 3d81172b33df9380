"""A skill's files for the lint: read once, bounded, never waited for; what cannot be read is a flaw of the skill.

PyYAML finds what is wrong with a frontmatter, with its line. What hosts read differently, or their validator refuses, is a
flaw of its own. Scalars stay text, because hosts disagree about what ``on`` or ``1.0`` is.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import yaml

from mind_skills.learning.skills.discovery import Skill
from mind_skills.learning.skills.files import FILE_NAME, read_bytes, split
from mind_skills.learning.skills.lint import OURS, SAFETY, SPEC, Document, Flaw, Value
from mind_skills.output.text import path_text

LARGEST = 1024 * 1024
"""Bytes of a SKILL.md; fifty times the advice of the format."""
BESIDE, BESIDE_SIZE, DEEP = 100, 256 * 1024, 5
"""Files beside a SKILL.md that are looked at, bytes of each, and levels of folders."""
LARGEST_FRONT = 32 * 1024
"""Characters of a frontmatter; what the format allows for takes two thousand."""
DEEP_FRONT = 20
"""Levels of nesting; a frontmatter has two."""
_PROBLEMS = {
    "none": ("frontmatter-missing", "it does not begin with a frontmatter"),
    "open": ("frontmatter-open", "its frontmatter has no end"),
}


def read_document(path: str, others: tuple[Skill, ...]) -> tuple[Document | None, list[Flaw]]:
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
    text, flaws = _decode(data)
    if not text.strip():
        hint = "Begin with the frontmatter: ---, name, description, ---."
        return None, [*flaws, Flaw("empty", "error", "it is empty", hint, SPEC)]
    parts, found = split(text), None
    if parts.problem:
        code, said = _PROBLEMS[parts.problem]
        hint = "Put a line of three hyphens before and after `name: ...` and `description: ...`, on top of the file."
        flaws.append(Flaw(code, "error", said, hint, SPEC, 1))
    else:
        found, wrong = parse_frontmatter(parts.front)
        flaws += wrong
    folder = os.path.dirname(path)
    siblings, more = _read_siblings(folder)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    doc = Document(path, os.path.basename(folder), text, found, parts.body, parts.body_line, siblings, others)
    return doc, [*flaws, *more]


def _decode(data: bytes) -> tuple[str, list[Flaw]]:
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


def _read_siblings(folder: str) -> tuple[dict[str, str], list[Flaw]]:
    """The texts of the other files, by their names below the folder; and links that lead out of it."""
    texts: dict[str, str] = {}
    flaws: list[Flaw] = []
    inside = os.path.realpath(folder)
    for number, path in enumerate(_list_files(folder, DEEP)):
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


def _list_files(folder: str, deep: int) -> Iterator[str]:
    """Every file and link below a folder but its SKILL.md, in order of name; links are not followed."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        return  # gone, or closed to us: what can be read is looked at
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if deep and entry.name != ".git":
                yield from _list_files(entry.path, deep - 1)
        elif entry.name != FILE_NAME or deep < DEEP:
            yield entry.path


def parse_frontmatter(front: str, first: int = 2) -> tuple[dict[str, Value] | None, list[Flaw]]:
    """The fields of a frontmatter whose first line has the number ``first``, and what is wrong with it as YAML.

    None where it is no table, or where it could mean more than it says. Never raises.
    """
    if len(front) > LARGEST_FRONT:
        hint = "Only what a host needs to find the skill belongs there; the body has room."
        return None, [
            Flaw("frontmatter-large", "error", f"its frontmatter has {len(front)} characters", hint, SPEC, first)
        ]
    try:
        flaws = list(_list_refused(front, first))
        if any(flaw.code == "yaml-anchor" for flaw in flaws):
            return None, flaws  # a few lines of them can stand for a million
        node: Any = yaml.compose(front, Loader=yaml.BaseLoader)
        if not isinstance(node, yaml.MappingNode):
            hint = "Write `name: ...` and `description: ...`, one a line."
            return None, [Flaw("frontmatter-form", "error", "its frontmatter is no table", hint, SPEC, first)]
        return _read_table(node, first, flaws), flaws
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = first + (mark.line if mark else 0)
        said = f"its frontmatter is no YAML: {error.problem or error.context or 'it cannot be parsed'}"
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        line, said = first, f"its frontmatter is no YAML: {' '.join(str(error).split())[:120]}"
    hint = 'Put quotes around a text that holds ": " or " #", or that begins with a sign.'
    return None, [Flaw("yaml", "error", ascii(said)[1:-1], hint, SPEC, line)]


def _list_refused(front: str, first: int) -> Iterator[Flaw]:
    """The parts of YAML that the validator of Agent Skills refuses: each kind once, where it stands first."""
    seen: set[str] = set()
    depth = 0
    event: Any
    for event in yaml.parse(front, Loader=yaml.BaseLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEP_FRONT:
            raise RecursionError("it is nested too deeply")
        for code, said, hint in _refusals(event):
            if code not in seen:
                seen.add(code)
                yield Flaw(code, "error", f"its frontmatter {said}", hint, SPEC, first + event.start_mark.line)


def _refusals(event: Any) -> Iterator[tuple[str, str, str]]:
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
        yield "yaml-anchor", "has anchors", "Write the text out."
    if isinstance(event, yaml.CollectionStartEvent) and event.flow_style:
        hint = "Write one `key: text` a line, indented, instead of braces or brackets."
        yield "yaml-flow", "has braces or brackets, which the validator of Agent Skills refuses", hint
    if getattr(event, "tag", None):
        yield "yaml-tag", "has tags", "Leave out what begins with an exclamation mark, or quote it."


def _read_table(node: yaml.MappingNode, first: int, flaws: list[Flaw]) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for key, value in node.value:
        name = str(key.value) if isinstance(key, yaml.ScalarNode) else ""
        line = first + key.start_mark.line
        if not isinstance(key, yaml.ScalarNode):
            flaws.append(
                Flaw("yaml-key", "error", "a key of its frontmatter is no text", "Write `key: text`.", SPEC, line)
            )
        elif name in found:
            said = f"its frontmatter has the key {ascii(name)[1:-1][:60]} twice"
            flaws.append(Flaw("yaml-twice", "error", said, "Keep one of them.", SPEC, line))
        else:
            found[name] = _read_value(value, first, flaws)
    return found


def _read_value(node: yaml.Node, first: int, flaws: list[Flaw]) -> Value:
    if isinstance(node, yaml.MappingNode):
        return _read_table(node, first, flaws)
    if isinstance(node, yaml.SequenceNode):
        return [_read_value(item, first, flaws) for item in node.value]
    return str(node.value)
