"""Labels: what readers found worth learning in a session, one JSON object per line; and the logs and owners of labelled sessions."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, Field, ValidationError

from mind_skills.errors import MindSkillsError
from mind_skills.observations.find_logs import Log, find_logs
from mind_skills.observations.readers import opencode_db
from mind_skills.output.text import format_path


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
    outcome: str = ""
    """How the session ended, as a reader judged it; empty if nobody did."""

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


INVENTORY = "inventory.csv"


class Corpus(NamedTuple):
    """Logs by label name, label names without a log, and descriptions of unreadable files."""

    logs: dict[str, Log]
    missing: list[str]
    problems: list[str]


def locate_logs(folder: Path, labels: Sequence[Label]) -> Corpus:
    """Find the logs of the labelled sessions in ``folder`` and below. Files that no label names are not opened.

    Raises:
        MindSkillsError: there is no such folder, two files match one label, or no label has a log.
    """
    if not folder.is_dir():
        raise MindSkillsError(
            "no_corpus", f"No such folder: {folder}", "Pass the folder that contains the sessions to --corpus."
        )
    names = {label.name for label in labels}
    file_names = {opencode_db.split_path(Path(name))[0].name for name in names}
    paths = [Path(parent, file) for parent, _, files in os.walk(folder) for file in files if file in file_names]
    located = find_logs(str(path) for path in sorted(paths))
    logs: dict[str, Log] = {}
    for log in located.logs:
        if log.path.name in logs:
            message = f"Two sessions are named {log.path.name}: {logs[log.path.name].path} and {log.path}."
            hint = "Labels identify a session by the last part of its path: move one of the files elsewhere."
            raise MindSkillsError("ambiguous", message, hint)
        if log.path.name in names:
            logs[log.path.name] = log
    problems = [f"{format_path(str(path))}: {failure}; {failure.hint}." for path, failure in located.errors]
    missing = [label.name for label in labels if label.name not in logs]
    if not logs:
        message = f"None of the {len(labels)} labelled sessions is in {folder}."
        raise MindSkillsError(
            "no_sessions",
            message,
            problems[0] if problems else f"Pass the folder that contains {missing[0]} to --corpus.",
        )
    return Corpus(logs, missing, problems)


def find_owners(labels: Sequence[Label], folders: Sequence[Path]) -> dict[str, str]:
    """Return the owner of each labelled session by session name: the owner part of the repository, in lower case.

    The repository comes from the first inventory.csv in ``folders`` (columns file, source_repo), else from the label.
    """
    path = next((folder / INVENTORY for folder in folders if (folder / INVENTORY).is_file()), None)
    sources: dict[str, str] = {}
    if path is not None:
        with path.open(encoding="utf-8-sig", newline="", errors="replace") as file:
            rows = [(row.get("file") or "", row.get("source_repo") or "") for row in csv.DictReader(file)]
        sources = {name.replace("\\", "/").rsplit("/", 1)[-1]: source for name, source in rows if source}
    return {label.name: sources.get(label.name, label.source).partition("/")[0].lower() for label in labels}
