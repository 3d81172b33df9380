"""Labels: what readers found worth learning in a session, one JSON object per line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError

from mind_skills.errors import MindSkillsError


class Learning(BaseModel):
    """One labelled learning. Lines are 1-based, in the unit of the log format; both ends are inclusive."""

    title: str = ""
    kind: str = ""
    start_line: int
    end_line: int
    key_phrases: list[str] = Field(default_factory=list[str])
    """A candidate names the learning if its text contains any of these phrases."""


class Remark(BaseModel):
    """A reader's note on something that is not a learning, possibly with its lines."""

    start_line: int | None = None
    end_line: int | None = None


class Correction(BaseModel):
    """A lasting rule stated by the user: its line, and its text in the message."""

    line: int | None = None
    text: str = ""


class Label(BaseModel):
    """The label of one session. Without learnings or disputed learnings, the session tests whether the detector is silent."""

    session_file: str
    length: int
    """Number of lines of the session, in the unit of the log format."""
    learnings: list[Learning] = Field(default_factory=list[Learning])
    disputed: list[Learning] = Field(default_factory=list[Learning])
    """Learnings that only one of two readers marked; they count neither way."""
    borderline: list[Remark] = Field(default_factory=list[Remark])
    """Remarks on what is almost a learning. A candidate that hits no learning but is inside a remark's lines counts as useful."""
    corrections: list[Correction] | None = None
    """Lasting rules stated by the user; None if nobody looked for them."""
    source_repo: str = ""
    format: str = ""

    @property
    def correction_lines(self) -> list[int] | None:
        """The lines of the corrections that have one, or None if nobody looked for corrections."""
        return None if self.corrections is None else [each.line for each in self.corrections if each.line is not None]

    @property
    def borderline_ranges(self) -> list[Learning]:
        """The borderline remarks that have lines, as ranges."""
        return [
            Learning(start_line=each.start_line, end_line=each.end_line)
            for each in self.borderline
            if each.start_line and each.end_line
        ]

    @property
    def source(self) -> str:
        """The repository of the session: from the label, else from a name like OWNER__REPO__SESSION.

        A session with any other name is a source of its own.
        """
        return self.source_repo or "/".join(self.name.split("__")[:2])

    @property
    def name(self) -> str:
        """The last part of the session's path, which identifies it wherever it is stored."""
        return self.session_file.replace("\\", "/").rsplit("/", 1)[-1]

    @property
    def is_silent(self) -> bool:
        """Whether nothing should be raised in the session."""
        return not self.learnings and not self.disputed


@dataclass(slots=True)
class Labels:
    """The labels of a file in order, and descriptions of skipped lines."""

    labels: list[Label] = field(default_factory=list[Label])
    problems: list[str] = field(default_factory=list[str])


def load_labels(path: Path) -> Labels:
    """Read a file of labels. Invalid lines are reported as problems and skipped.

    Raises:
        MindSkillsError: there is no such file, it contains no label, or it labels one session twice.
    """
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except FileNotFoundError as failure:
        hint = "Pass a file with one JSON object per line, with the keys session_file, length and learnings."
        raise MindSkillsError("no_labels", f"No such file: {path}", hint) from failure
    loaded = Labels()
    for line_number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            _add_line(loaded, line_number, line)
    if not loaded.labels:
        hint = loaded.problems[0] if loaded.problems else "The file is empty."
        raise MindSkillsError("no_labels", f"No labels in {path}.", hint)
    _require_unique_names(loaded.labels)
    return loaded


def _add_line(loaded: Labels, line_number: int, line: str) -> None:
    try:
        loaded.labels.append(Label.model_validate(json.loads(line)))
    except ValidationError as failure:
        first = failure.errors()[0]
        location = ".".join(str(part) for part in first["loc"]) or "the line"
        loaded.problems.append(f"Labels, line {line_number} is skipped: {location}: {first['msg']}.")
    except (ValueError, RecursionError) as failure:
        loaded.problems.append(f"Labels, line {line_number} is skipped: not valid JSON: {failure}.")


def _require_unique_names(labels: Sequence[Label]) -> None:
    paths: dict[str, str] = {}
    for label in labels:
        if label.name in paths:
            message = f"Two labels are for a session named {label.name}: {paths[label.name]} and {label.session_file}."
            hint = "Labels identify a session by the last part of its path: rename one session and its label."
            raise MindSkillsError("ambiguous", message, hint)
        paths[label.name] = label.session_file
