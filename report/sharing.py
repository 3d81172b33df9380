"""A report that can be shown to others: no names of projects, no paths, no ids of sessions.

Texts are broken at blanks, and what has a slash or a backslash in it is taken for a path: `and/or` goes as well, since what is
shown to others cannot be taken back. Names of projects, and of the files that a learning names, go wherever they stand in a
text; one of less than four characters only where it is a word of its own, or half of all texts would go with it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import TypeVar

from mind_skills.output.document import Document, members
from mind_skills.report.document import GroupReport, LearningReport, PageReport

D = TypeVar("D", bound=Document)
PATH, NAME = "[path]", "[name]"
_SHORT = 4
_FIXED = frozenset("id candidate kind state confidence role outcome verdict day program host taint version".split())
"""Members that come from us and not from a project."""
_EMPTIED = frozenset({"session", "path"})
_EDGES = "`'\"()[]{}<>,.;:!?"


def redact_for_sharing(report: PageReport, names: Iterable[str], roots: Iterable[str]) -> PageReport:
    """The same report without what names a project, a path or a session. Projects are numbered."""
    labels = {group.name: f"project {number}" for number, group in enumerate(report.projects, 1)}
    shown = [report.project, *(each.project for each in report.learnings), *(each.project for each in report.skills)]
    for name in dict.fromkeys([*shown, *(each.project for each in report.proof.skills)]):
        labels.setdefault(name, f"project {len(labels) + 1}")
    labels[""] = ""
    hide = _Hiding({*names, *map(os.path.basename, roots)}, labels)
    projects = [
        GroupReport.of({name: getattr(group, name) for name in members(GroupReport)} | {"name": labels[group.name]})
        for group in report.projects
    ]
    return hide.document(report).but(projects=projects, hosts=report.hosts)


class _Hiding:
    """What is to be hidden in one report."""

    def __init__(self, names: Iterable[str], labels: dict[str, str]) -> None:
        self._labels = labels
        self._names = _pattern(names)

    def document(self, found: D, files: re.Pattern[str] | None = None) -> D:
        if isinstance(found, LearningReport):
            files = _pattern(os.path.basename(path) for path in found.files)
        return type(found).of({name: self._member(name, getattr(found, name), files) for name in members(type(found))})

    def _member(self, name: str, value: object, files: re.Pattern[str] | None) -> object:
        if isinstance(value, Document):
            return self.document(value, files)
        if isinstance(value, list):
            found = [self._member(name, each, files) for each in value]  # pyright: ignore[reportUnknownVariableType]
            return [] if name == "files" else found
        if not isinstance(value, str) or name in _FIXED:
            return value
        if name in _EMPTIED or (name == "skill" and value):
            return ""
        return self._labels[value] if name == "project" else self._text(value, files)

    def _text(self, text: str, files: re.Pattern[str] | None) -> str:
        text = "".join(map(_without_path, re.split(r"(\s+)", text)))
        for pattern in (files, self._names):
            if pattern is not None:
                text = pattern.sub(NAME, text)
        return text


def _without_path(word: str) -> str:
    core = word.strip(_EDGES)
    return word.replace(core, PATH) if "/" in core or "\\" in core else word


def _pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    """Any of these names; None where there are none."""
    found = sorted({name for name in names if name}, key=lambda name: (-len(name), name))
    if not found:
        return None
    edges = [re.escape(name) if len(name) >= _SHORT else rf"(?<!\w){re.escape(name)}(?!\w)" for name in found]
    return re.compile("|".join(edges), re.IGNORECASE)
