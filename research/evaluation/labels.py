"""Labels: what readers found worth learning in a session, one JSON object per line; and the logs and owners of labelled sessions."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from pydantic import BaseModel, Field, ValidationError, field_validator

from mind_skills.errors import MindSkillsError
from mind_skills.observations.find_logs import Log, find_logs
from mind_skills.observations.readers import opencode_db
from mind_skills.output.text import format_path

INVENTORY = "inventory.csv"


class Learning(BaseModel):
    """One labelled learning. Lines are 1-based, in the unit of the log format; both ends are inclusive."""

    start_line: int
    end_line: int
    key_phrases: list[str] = Field(default_factory=list[str])
    """A text names the learning if it contains any of these phrases."""


class Label(BaseModel):
    """The label of one session."""

    session_file: str
    learnings: list[Learning] = Field(default_factory=list[Learning])
    disputed: list[Learning] = Field(default_factory=list[Learning])
    """Learnings that only one of two readers marked; they count neither way."""
    borderline: list[Learning] = Field(default_factory=list[Learning])
    """What a reader noted as almost a learning; notes without lines are ignored."""
    source_repo: str = ""
    format: str = ""

    @field_validator("borderline", mode="before")
    @classmethod
    def _drop_unplaced(cls, notes: Any) -> Any:
        if not isinstance(notes, list):
            return notes
        listed: list[Any] = notes  # pyright: ignore[reportUnknownVariableType]
        places = [cast("dict[str, Any]", each) if isinstance(each, dict) else None for each in listed]
        return [
            each
            for each, place in zip(listed, places, strict=True)
            if place is None or (place.get("start_line") and place.get("end_line"))
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


class Labels(NamedTuple):
    """The labels of all files in order, and descriptions of skipped lines."""

    labels: list[Label]
    problems: list[str]


def load_labels(*paths: Path) -> Labels:
    """Read files of labels. Invalid lines are reported as problems and skipped.

    Raises:
        MindSkillsError: there is no such file, they contain no label, or they label one session twice.
    """
    loaded, paths_by_name = Labels([], []), dict[str, str]()
    for path in paths:
        try:
            lines = path.read_text(encoding="utf-8-sig", errors="replace").split("\n")
        except FileNotFoundError as failure:
            hint = "Pass a file with one JSON object per line, with the keys session_file and learnings."
            raise MindSkillsError("no_labels", f"No such file: {path}", hint) from failure
        for number, line in enumerate(lines, 1):
            try:
                loaded.labels.extend([Label.model_validate(json.loads(line))] if line.strip() else [])
            except ValidationError as failure:
                first = failure.errors()[0]
                location = ".".join(str(part) for part in first["loc"]) or "the line"
                loaded.problems.append(f"Labels, line {number} is skipped: {location}: {first['msg']}.")
            except (ValueError, RecursionError) as failure:
                loaded.problems.append(f"Labels, line {number} is skipped: not valid JSON: {failure}.")
    if not loaded.labels:
        hint = loaded.problems[0] if loaded.problems else "The file is empty."
        raise MindSkillsError("no_labels", f"No labels in {', '.join(map(str, paths))}.", hint)
    for label in loaded.labels:
        if label.name in paths_by_name:
            other = paths_by_name[label.name]
            message = f"Two labels are for a session named {label.name}: {other} and {label.session_file}."
            raise MindSkillsError("ambiguous", message, "Rename one session and its label.")
        paths_by_name[label.name] = label.session_file
    return loaded


def locate_logs(folders: Sequence[Path], labels: Sequence[Label]) -> tuple[dict[str, Log], list[str]]:
    """Find the logs of the labelled sessions in ``folders`` and below. Files that no label names are not opened.

    Return the logs by session name, and descriptions of files that are missing or cannot be read.

    Raises:
        MindSkillsError: there is no such folder, two files match one label, or no label has a log.
    """
    for folder in folders:
        if not folder.is_dir():
            hint = "Pass the folder that contains the sessions to --corpus."
            raise MindSkillsError("no_corpus", f"No such folder: {folder}", hint)
    names = {label.name for label in labels}
    file_names = {opencode_db.split_path(Path(name))[0].name for name in names}
    found = {Path(parent, name) for folder in folders for parent, _, files in os.walk(folder) for name in files}
    located = find_logs(str(path) for path in sorted(found) if path.name in file_names)
    logs: dict[str, Log] = {}
    for log in located.logs:
        if log.path.name in logs:
            message = f"Two sessions are named {log.path.name}: {logs[log.path.name].path} and {log.path}."
            raise MindSkillsError("ambiguous", message, "Move one of the files elsewhere.")
        if log.path.name in names:
            logs[log.path.name] = log
    problems = [f"{format_path(str(path))}: {failure}; {failure.hint}." for path, failure in located.errors]
    problems += [f"There is no log of {name}." for name in sorted(names - set(logs))]
    if not logs:
        message = f"None of the {len(labels)} labelled sessions is in {', '.join(map(str, folders))}."
        raise MindSkillsError("no_sessions", message, problems[0])
    return logs, problems


def find_sources(labels: Sequence[Label], folders: Iterable[Path]) -> dict[str, str]:
    """Return the repository of each labelled session by session name.

    It comes from an inventory.csv in ``folders`` (columns file, source_repo), else from the label.
    """
    sources: dict[str, str] = {}
    for path in dict.fromkeys(folder / INVENTORY for folder in folders):
        if path.is_file():
            with path.open(encoding="utf-8-sig", newline="", errors="replace") as file:
                for row in csv.DictReader(file):
                    name = (row.get("file") or "").replace("\\", "/").rsplit("/", 1)[-1]
                    sources[name] = row.get("source_repo") or ""
    return {label.name: sources.get(label.name) or label.source for label in labels}


def get_owner(source: str) -> str:
    """Return the owner of a repository, in lower case."""
    return source.partition("/")[0].lower()
