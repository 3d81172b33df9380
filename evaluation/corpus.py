"""Find the labelled sessions in a folder, by the last part of their paths, and who they are from."""

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
from mind_skills.output.text import path_text

INVENTORY = "inventory.csv"


class Corpus(NamedTuple):
    """The logs by the names of their labels; those labels that have none; and what could not be read."""

    logs: dict[str, Log]
    missing: list[str]
    problems: list[str]


def locate(folder: Path, labels: Sequence[Label]) -> Corpus:
    """The logs of the labelled sessions in ``folder`` and below. Files that no label names are not opened.

    Raises:
        MindSkillsError: there is no such folder, two files answer to one label, or there is a log for none.
    """
    if not folder.is_dir():
        raise MindSkillsError("no_corpus", f"No such folder: {folder}", "Name the folder that holds the sessions.")
    wanted = {label.name for label in labels}
    files = {opencode_db.split(Path(name))[0].name for name in wanted}
    paths = [Path(parent, name) for parent, _, names in os.walk(folder) for name in sorted(names) if name in files]
    found = find_logs(str(path) for path in sorted(paths))
    logs: dict[str, Log] = {}
    for log in found.logs:
        if log.path.name in logs:
            message = f"Two sessions are called {log.path.name}: {logs[log.path.name].path} and {log.path}."
            hint = "Labels name a session by the last part of its path: move one of them elsewhere."
            raise MindSkillsError("ambiguous", message, hint)
        if log.path.name in wanted:
            logs[log.path.name] = log
    problems = [f"{path_text(str(path))}: {failure}; {failure.hint}." for path, failure in found.errors]
    absent = [label.name for label in labels if label.name not in logs]
    if not logs:
        message = f"None of the {len(labels)} labelled sessions is in {folder}."
        raise MindSkillsError("no_sessions", message, problems[0] if problems else f"The first is {absent[0]}.")
    return Corpus(logs, absent, problems)


def owners(labels: Sequence[Label], near: Sequence[Path]) -> dict[str, str]:
    """Who each labelled session is from, by the session's name: the owner's part of its repository, in small letters.

    The repository is what the first inventory.csv in ``near`` says (file, source_repo), else what the label does.
    """
    path = next((folder / INVENTORY for folder in near if (folder / INVENTORY).is_file()), None)
    known: dict[str, str] = {}
    if path is not None:
        with path.open(encoding="utf-8-sig", newline="", errors="replace") as handle:
            rows = [(row.get("file") or "", row.get("source_repo") or "") for row in csv.DictReader(handle)]
        known = {name.replace("\\", "/").rsplit("/", 1)[-1]: source for name, source in rows if source}
    return {label.name: known.get(label.name, label.source).partition("/")[0].lower() for label in labels}
