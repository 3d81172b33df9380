"""Parser for story files: short hand-written sessions, which the converters next to it turn into logs of any host.

Those in fixtures/false_friends come in pairs, one pair for each class of false friend. A file starts with a description of the
class. `== fires` starts the story in which something is learned, followed by the expected result (`error_fix: symptom 1,
change 3, verification 4`, with step numbers); `== silent` starts the story without a learning. A step is `kind: what` or
`kind how: what`; its body follows, indented by four spaces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.testkit.paths import ROOT

FOLDER = ROOT / "fixtures" / "false_friends"
_STEP = re.compile(r"(user|agent|thinks|run|read|search|edit|write|web|task|mcp|stopped)(?: ([\w/]+))?:(?: (.*))?\Z")
_EXPECTED = re.compile(r"(problem_solution|error_fix|deep_investigation|non_obvious): (.+)\Z")


@dataclass(frozen=True, slots=True)
class Step:
    """``how`` is an exit code, the name of an MCP tool, or one of refused, cancelled, mismatch, missing, failed."""

    kind: str
    how: str
    what: str
    body: str

    @property
    def code(self) -> int:
        return int(self.how) if self.how.isdigit() else 0

    @property
    def removed(self) -> str:
        return "\n".join(row[1:] for row in self.body.split("\n") if row.startswith("-"))

    @property
    def added(self) -> str:
        return "\n".join(row[1:] for row in self.body.split("\n") if row.startswith("+"))


Expected = tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
"""Candidates, best first: the kind, and the role and step of each part of the evidence."""


@dataclass(frozen=True, slots=True)
class Story:
    name: str
    steps: tuple[Step, ...]
    expected: Expected = ()


def read_stories(folder: Path = FOLDER) -> list[Story]:
    """Return the stories of every file in ``folder``, sorted by file name."""
    return [story for path in sorted(folder.glob("*.story")) for story in _read_stories_of_file(path)]


def _read_stories_of_file(path: Path) -> list[Story]:
    _, *sections = re.split(r"^== ", path.read_text("utf-8"), flags=re.MULTILINE)
    return [_parse_story(path.stem, section) for section in sections]


def _parse_story(name: str, section: str) -> Story:
    which, *rows = section.rstrip().split("\n")
    steps: list[Step] = []
    expected: list[tuple[str, tuple[tuple[str, int], ...]]] = []
    for row in rows:
        if row.startswith("    ") or not row:
            if steps:
                last = steps[-1]
                steps[-1] = Step(last.kind, last.how, last.what, f"{last.body}{row[4:]}\n")
        elif found := _EXPECTED.match(row):
            parts = (part.split() for part in found[2].split(", "))
            expected.append((found[1], tuple((role, int(step)) for role, step in parts)))
        else:
            step = _STEP.match(row)
            assert step, f"{name}: {row!r} is not a step"
            steps.append(Step(step[1], step[2] or "", (step[3] or "").replace("\\n", "\n"), ""))
    trimmed = (Step(step.kind, step.how, step.what, step.body.strip("\n")) for step in steps)
    return Story(f"{name}-{which}", tuple(trimmed), tuple(expected))
