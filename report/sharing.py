"""Redaction of a report for sharing: no project names, paths or session ids.

Texts are split at white space, and every word that contains a slash or backslash counts as a path, even `and/or`,
because what has been shared cannot be taken back. For the same reason whatever has a dot before a letter counts as the
name of a file, even `java.lang` (not versions, which have digits there). Names of projects, and of the files of a
learning, are removed anywhere in a text; names of fewer than four characters only as whole words, because they may be
part of other words.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import TypeVar, cast

from mind_skills.output.document import Document, get_members
from mind_skills.report.document import LearningReport, PageReport

D = TypeVar("D", bound=Document)
PATH, NAME = "[path]", "[name]"
_MIN_SUBSTRING_LENGTH = 4
_SAFE_MEMBERS = frozenset(
    "id candidate kind state confidence role outcome verdict day program host taint version".split()
)
"""Members whose values come from this program, not from a project."""
_REMOVED_MEMBERS = frozenset({"session", "path"})
_EMPTIED_MEMBERS = frozenset({"files", "last_complaints"})
"""Lists that are emptied. The lines of the hooks' log name sessions."""
_PUNCTUATION = "`'\"()[]{}<>,.;:!?"
_FILE_NAME = re.compile(r"[\w.+@~#%$-]*\.(?:[^\W\d]|7z)[\w+@~#%$-]*")


def redact_for_sharing(report: PageReport, names: Iterable[str], roots: Iterable[str]) -> PageReport:
    """Return the report without project names, paths or session ids. Projects are numbered."""
    labels = {group.name: f"project {number}" for number, group in enumerate(report.projects, 1)}
    for name in (
        report.project,
        *(each.project for each in report.learnings),
        *(each.project for each in report.skills),
        *(each.project for each in report.proof.skills),
    ):
        labels.setdefault(name, f"project {len(labels) + 1}")
    labels[""] = ""
    redactor = _Redactor({*names, *map(os.path.basename, roots)}, labels)
    projects = [group.replace(name=labels[group.name]) for group in report.projects]
    return redactor.redact_document(report).replace(projects=projects, hosts=report.hosts)


class _Redactor:
    def __init__(self, names: Iterable[str], labels: dict[str, str]) -> None:
        self._labels = labels
        self._names = _compile_names(names)

    def redact_document(self, document: D, files: re.Pattern[str] | None = None) -> D:
        """Return the redacted document. ``files`` matches the names of the files of the learning that contains it, if any."""
        if isinstance(document, LearningReport):
            files = _compile_names(os.path.basename(path) for path in document.files)
        return type(document).from_values(
            {name: self._redact_member(name, getattr(document, name), files) for name in get_members(type(document))}
        )

    def _redact_member(self, name: str, value: object, files: re.Pattern[str] | None) -> object:
        if isinstance(value, Document):
            return self.redact_document(value, files)
        if isinstance(value, list):
            if name in _EMPTIED_MEMBERS:
                return []
            return [self._redact_member(name, each, files) for each in cast("list[object]", value)]
        if not isinstance(value, str) or name in _SAFE_MEMBERS:
            return value
        if name in _REMOVED_MEMBERS or (name == "skill" and value):
            return ""
        return self._labels[value] if name == "project" else self._redact_text(value, files)

    def _redact_text(self, text: str, files: re.Pattern[str] | None) -> str:
        text = "".join(map(_replace_path, re.split(r"(\s+)", text)))
        for pattern in (files, _FILE_NAME, self._names):
            if pattern is not None:
                text = pattern.sub(NAME, text)
        return text


def _replace_path(word: str) -> str:
    core = word.strip(_PUNCTUATION)
    return word.replace(core, PATH) if "/" in core or "\\" in core else word


def _compile_names(names: Iterable[str]) -> re.Pattern[str] | None:
    """Compile a pattern that matches any of the names, whatever the case; None without names."""
    sorted_names = sorted({name for name in names if name}, key=lambda name: (-len(name), name))
    if not sorted_names:
        return None
    alternatives = [
        re.escape(name) if len(name) >= _MIN_SUBSTRING_LENGTH else rf"(?<!\w){re.escape(name)}(?!\w)"
        for name in sorted_names
    ]
    return re.compile("|".join(alternatives), re.IGNORECASE)
