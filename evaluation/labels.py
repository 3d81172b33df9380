"""Labels: what people found worth keeping in a session, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError

from mind_skills.errors import MindSkillsError


class Learning(BaseModel):
    """One labelled learning. Lines are 1-based, in the unit of the log's format, both ends included."""

    title: str = ""
    kind: str = ""
    start_line: int
    end_line: int
    key_phrases: list[str] = Field(default_factory=list[str])
    """Any of these in a candidate's text says that it names the learning."""


class Remark(BaseModel):
    """What a reader noted beside the learnings: some have lines."""

    start_line: int | None = None
    end_line: int | None = None


class Correction(BaseModel):
    """A lasting rule that the user stated, where, and in which words of the message."""

    line: int | None = None
    text: str = ""


class Label(BaseModel):
    """What is known of one session. One with neither learnings nor disputed ones is a test of silence."""

    session_file: str
    length: int
    """Lines of the session, in the same unit."""
    learnings: list[Learning] = Field(default_factory=list[Learning])
    disputed: list[Learning] = Field(default_factory=list[Learning])
    """What only one of two readers marked: it counts neither way."""
    borderline: list[Remark] = Field(default_factory=list[Remark])
    """What a reader found worth a remark and no learning: a wrong candidate inside is useful all the same."""
    corrections: list[Correction] | None = None
    """Lasting rules that the user stated; None where nobody looked for them."""
    source_repo: str = ""
    format: str = ""

    @property
    def rules(self) -> list[int] | None:
        """The lines of the corrections that have one."""
        return None if self.corrections is None else [each.line for each in self.corrections if each.line is not None]

    @property
    def remarked(self) -> list[Learning]:
        """The borderline ranges. A remark without lines marks no place."""
        return [
            Learning(start_line=each.start_line, end_line=each.end_line)
            for each in self.borderline
            if each.start_line and each.end_line
        ]

    @property
    def source(self) -> str:
        """The repository that the session comes from: as the label says, else by a name like OWNER__REPO__SESSION.

        A session with another name is a source of its own.
        """
        return self.source_repo or "/".join(self.name.split("__")[:2])

    @property
    def name(self) -> str:
        """What a session is recognised by, wherever it is kept: the last part of its path."""
        return self.session_file.replace("\\", "/").rsplit("/", 1)[-1]

    @property
    def silent(self) -> bool:
        """Whether nothing at all should be raised in it."""
        return not self.learnings and not self.disputed


@dataclass(slots=True)
class Labels:
    """The labels of a file, in its order, and what had to be passed over, in sentences."""

    labels: list[Label] = field(default_factory=list[Label])
    problems: list[str] = field(default_factory=list[str])


def load(path: Path) -> Labels:
    """Read a file of labels. A line that is none is a problem, not the end.

    Raises:
        MindSkillsError: there is no such file, it holds no label, or it labels one session twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except FileNotFoundError as failure:
        hint = "It holds one JSON object a line: session_file, length, learnings."
        raise MindSkillsError("no_labels", f"No such file: {path}", hint) from failure
    found = Labels()
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            _take(found, number, line)
    if not found.labels:
        first = found.problems[0] if found.problems else "It is empty."
        raise MindSkillsError("no_labels", f"Not one label in {path}.", first)
    _each_once(found.labels)
    return found


def _take(found: Labels, number: int, line: str) -> None:
    try:
        found.labels.append(Label.model_validate(json.loads(line)))
    except ValidationError as failure:
        first = failure.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the line"
        found.problems.append(f"Labels, line {number} is passed over: {where}: {first['msg']}.")
    except (ValueError, RecursionError) as failure:
        found.problems.append(f"Labels, line {number} is passed over: not JSON: {failure}.")


def _each_once(labels: Sequence[Label]) -> None:
    seen: dict[str, str] = {}
    for label in labels:
        if label.name in seen:
            message = f"Two labels are for a session called {label.name}: {seen[label.name]} and {label.session_file}."
            hint = "Sessions are recognised by the last part of their path: rename one, and its label."
            raise MindSkillsError("ambiguous", message, hint)
        seen[label.name] = label.session_file
