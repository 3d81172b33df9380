"""The memory as a file that can be given away, and taken in: one JSON object a line, without what belongs to a machine.

What comes in is somebody else's text. It gets an id of its own, so that it takes the place of nothing, and stands in
quarantine: it is found only by who asks for such, until a person vouches for it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from mind_skills.errors import MindSkillsError
from mind_skills.errors.records import BadRecordError
from mind_skills.memory.model import CONTENT, QUARANTINE, TASK, Kind, Record
from mind_skills.observations.sources import REMOTE
from mind_skills.output.text import path_text
from mind_skills.redaction.text import clean
from mind_skills.staging.model import OUTPUT
from mind_skills.store import atomic
from mind_skills.store.project import digest

FORM = "mind-skills-memory"
MARKS = (*sorted(REMOTE), OUTPUT)
"""What a record may say of itself; an agent reads it in our own words, so it is none of the file's."""
MAX_LINE = 64 * 1024
MAX_RECORDS = 200_000
MAX_PROBLEMS = 20
"""Lines that could not be taken which are told of; the others are counted."""


class Line(BaseModel):
    """One record as it travels: without project, counts and sessions, which mean nothing on another machine."""

    model_config = ConfigDict(extra="ignore", strict=True)

    content: Annotated[str, StringConstraints(min_length=1, max_length=4 * CONTENT)]
    kind: Kind
    task: Annotated[str, StringConstraints(max_length=4 * TASK)] = ""
    task_id: Annotated[str, StringConstraints(max_length=1_000)] = ""
    success: bool | None = None
    failure_rate: Annotated[float, Field(ge=0, le=1)] | None = None
    at: Annotated[int, Field(ge=0, le=2**53)] = 0
    taint: Annotated[str, StringConstraints(max_length=200)] = ""


class Head(BaseModel):
    """The first line."""

    model_config = ConfigDict(extra="ignore", strict=True)

    form: Literal["mind-skills-memory"]
    version: Literal[1]


def travelling(record: Record, home: str) -> dict[str, str | int | float | bool | None]:
    """A record as it may leave this machine: redacted once more, the user's own folder as ``~``."""
    line = Line(
        content=_away(record.content, CONTENT, home),
        kind=record.kind,
        task=_away(record.task, TASK, home),
        task_id=record.task_id,
        success=record.success,
        failure_rate=record.failure_rate,
        at=record.at,
        taint=record.taint,
    )
    return line.model_dump()


def lines(records: Iterable[Record]) -> Iterator[str]:
    """The lines of the file."""
    home = os.path.expanduser("~")
    yield json.dumps({"form": FORM, "version": 1})
    for record in records:
        yield json.dumps(travelling(record, home), ensure_ascii=False)


def write(path: str, records: Iterable[Record]) -> int:
    """Write the file, whole or not at all; says how many records. Raises StoreError, OSError."""
    every = list(lines(records))
    atomic.write(path, ("\n".join(every) + "\n").encode("utf-8", "replace"))
    return len(every) - 1


def read(path: str, project: str) -> tuple[list[Record], list[str], int]:
    """The records of a file, in quarantine; what was wrong with lines that were passed over; how many those were.

    ``project`` is the id of the project that they are for. Raises MindSkillsError where it is no such file.
    """
    records: list[Record] = []
    problems: list[str] = []
    skipped = 0
    try:
        with Path(path).open("rb") as file:
            _head(file.readline(MAX_LINE), path)
            number = 1
            while text := file.readline(MAX_LINE + 1):
                number += 1
                if len(records) >= MAX_RECORDS:
                    raise MindSkillsError("too_long", f"{path} has more than {MAX_RECORDS} records", "Divide it.")
                try:
                    if text.strip():
                        records.append(_imported(_line(text, file), project))
                except (ValueError, BadRecordError) as error:
                    skipped += 1
                    if len(problems) < MAX_PROBLEMS:
                        problems.append(f"line {number}: {_reason(error)}")
    except OSError as error:
        message = f"{path_text(path)} cannot be read: {error.strerror or error}"
        raise MindSkillsError("unreadable_file", message, "Name the file that `memory export` wrote.") from error
    return records, problems, skipped


def _head(text: bytes, path: str) -> None:
    try:
        Head.model_validate_json(text)
    except ValidationError as error:
        hint = "Give it a file that `mind-skills memory export` wrote."
        raise MindSkillsError("not_an_export", f"{path} is no export of a memory of version 1", hint) from error


def _line(text: bytes, file: BinaryIO) -> Line:
    """One line; the rest of one that is too long is passed over. Raises ValueError."""
    if len(text) > MAX_LINE:
        while text and not text.endswith(b"\n"):
            text = file.readline(MAX_LINE)
        raise ValueError(f"it is longer than {MAX_LINE} bytes")
    return Line.model_validate_json(text)


def _imported(line: Line, project: str) -> Record:
    content = clean(line.content, CONTENT).strip()
    if not content:
        raise BadRecordError("there is nothing in its content that can be kept")
    taint = ",".join([*(mark for mark in MARKS if mark in line.taint.split(",")), QUARANTINE])
    return Record(
        id=f"import-{digest(f'{line.kind}|{project}|{content}')}",
        kind=line.kind,
        content=content,
        task=line.task,
        project=project,
        task_id=line.task_id,
        success=line.success,
        failure_rate=line.failure_rate,
        at=line.at,
        source="import",
        taint=taint,
    )


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}".lstrip(": ")
    return str(error)


def _away(text: str, limit: int, home: str) -> str:
    kept = text.replace(home, "~") if len(home) > 1 else text
    return clean(kept, limit)
