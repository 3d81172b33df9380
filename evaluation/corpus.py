"""Lookup of the labelled sessions in a folder, by the last part of their paths, and of the sessions' owners."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mind_skills.errors import MindSkillsError
from mind_skills.evaluation.labels import Label
from mind_skills.observations.find_logs import Log, find_logs
from mind_skills.observations.readers import opencode_db
from mind_skills.output.text import format_path

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
