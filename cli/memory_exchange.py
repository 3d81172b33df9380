"""Export and import of the memory as a file with one JSON object per line, without data specific to a machine.

Imported records are untrusted. They get new ids, so that they replace no other record, and stay in quarantine until a
person trusts them.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from mind_skills.errors import MindSkillsError
from mind_skills.errors.records import BadRecordError
from mind_skills.memory.index import Progress, report_no_progress
from mind_skills.memory.model import MAX_CONTENT_LENGTH, MAX_TASK_LENGTH, QUARANTINE_TAINT, Kind, Record
from mind_skills.observations.sources import UNTRUSTED_SOURCES
from mind_skills.output.text import format_count, format_path
from mind_skills.redaction.text import clean_text
from mind_skills.store import atomic
from mind_skills.store.project import digest_text

ALLOWED_TAINTS = (*sorted(UNTRUSTED_SOURCES),)
"""The taints that an import accepts; any other is dropped. Agents read our description of a taint, never the file's text."""
MAX_LINE_BYTES = 64 * 1024
MAX_RECORDS = 200_000
_MARK = b'"mind-skills-memory"'
MAX_PROBLEMS = 20


class RecordLine(BaseModel):
    """An exported record, without the project, counts and sessions, which have no meaning on another machine."""

    model_config = ConfigDict(extra="ignore", strict=True)

    content: Annotated[str, StringConstraints(min_length=1, max_length=4 * MAX_CONTENT_LENGTH)]
    kind: Kind
    task: Annotated[str, StringConstraints(max_length=4 * MAX_TASK_LENGTH)] = ""
    task_id: Annotated[str, StringConstraints(max_length=1_000)] = ""
    success: bool | None = None
    failure_rate: Annotated[float, Field(ge=0, le=1)] | None = None
    at: Annotated[int, Field(ge=0, le=2**53)] = 0
    taint: Annotated[str, StringConstraints(max_length=200)] = ""


class HeaderLine(BaseModel):
    """The first line of the file."""

    model_config = ConfigDict(extra="ignore", strict=True)

    form: Literal["mind-skills-memory"]
    version: Literal[1]


def export_records(records: Iterable[Record]) -> Iterator[dict[str, str | int | float | bool | None]]:
    """Convert records for export: redact their texts again, and replace the home folder with ``~``."""
    home = os.path.expanduser("~")
    for record in records:
        content = _anonymise(record.content, MAX_CONTENT_LENGTH, home)
        task = _anonymise(record.task, MAX_TASK_LENGTH, home)
        anonymous = replace(record, content=content, task=task)
        yield RecordLine.model_validate(anonymous, from_attributes=True).model_dump()


def format_lines(records: Iterable[Record]) -> Iterator[str]:
    """Yield the lines of an export file."""
    yield json.dumps({"form": "mind-skills-memory", "version": 1})
    for record in export_records(records):
        yield json.dumps(record, ensure_ascii=False)


def write_export(path: str, records: Iterable[Record]) -> int:
    """Write an export file atomically, and return the number of records. Raises StoreError, OSError."""
    all_lines = list(format_lines(records))
    data = ("\n".join(all_lines) + "\n").encode("utf-8", "replace")
    atomic.replace_own_file(path, data, _MARK, "an export of the memory")
    return len(all_lines) - 1


def read_export(
    path: str, project_id: str, progress: Progress = report_no_progress
) -> tuple[list[Record], list[str], int]:
    """Read an export file, or stdin if ``path`` is ``-``, for the project ``project_id``, with a step for each line.

    Return the records, which are in quarantine, descriptions of the first rejected lines, and the number of rejected
    lines. Raises MindSkillsError if the file is not an export, cannot be read, or has too many records or only rejected lines.
    """
    records: list[Record] = []
    problems: list[str] = []
    skipped = 0
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as file:
            _check_header(file.readline(MAX_LINE_BYTES), path)
            line_number = 1
            with progress(_count_lines(file)) as step:
                while line := file.readline(MAX_LINE_BYTES + 1):
                    line_number += 1
                    if len(records) >= MAX_RECORDS:
                        hint = "Split the file into several, each with the first line of this file."
                        raise MindSkillsError("too_long", f"{path} has more than {MAX_RECORDS} records", hint)
                    try:
                        if line.strip():
                            records.append(_make_record(_parse_line(line, file), project_id))
                    except (ValueError, BadRecordError) as error:
                        skipped += 1
                        if len(problems) < MAX_PROBLEMS:
                            problems.append(f"line {line_number}: {_describe_error(error)}")
                    step()
    except OSError as error:
        message = f"{format_path(path)} cannot be read: {error.strerror or error}"
        raise MindSkillsError(
            "unreadable_file", message, "Use a file that `mind-skills memory export` wrote."
        ) from error
    if skipped and not records:
        message = f"{format_path(path)} has no valid record ({format_count(skipped, 'line')} rejected); {problems[0]}"
        raise MindSkillsError("bad_record", message, "Use a file that `mind-skills memory export` wrote.")
    return records, problems, skipped


def _count_lines(file: BinaryIO) -> int:
    """Return how many lines follow in a file, without reading on in it; 0 for a pipe."""
    if not file.seekable():
        return 0
    start = file.tell()
    number = sum(part.count(b"\n") for part in iter(partial(file.read, 2**20), b""))
    file.seek(start)
    return number


def _check_header(line: bytes, path: str) -> None:
    try:
        HeaderLine.model_validate_json(line)
    except ValidationError as error:
        hint = "Use a file that `mind-skills memory export` wrote."
        raise MindSkillsError("not_an_export", f"{path} is not a memory export of version 1", hint) from error


def _parse_line(line: bytes, file: BinaryIO) -> RecordLine:
    """Parse a line. Raises ValueError if it is invalid or too long, in which case the rest of it is skipped."""
    if len(line) > MAX_LINE_BYTES:
        while line and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE_BYTES)
        raise ValueError(f"the line is longer than {MAX_LINE_BYTES} bytes")
    return RecordLine.model_validate_json(line)


def _make_record(line: RecordLine, project_id: str) -> Record:
    content = clean_text(line.content, MAX_CONTENT_LENGTH).strip()
    if not content:
        raise BadRecordError("the content is empty after redaction")
    taint = ",".join([*(mark for mark in ALLOWED_TAINTS if mark in line.taint.split(",")), QUARANTINE_TAINT])
    return Record(
        id=f"import-{digest_text(f'{line.kind}|{project_id}|{content}')}",
        kind=line.kind,
        content=content,
        task=line.task,
        project=project_id,
        task_id=line.task_id,
        success=line.success,
        failure_rate=line.failure_rate,
        at=line.at,
        source="import",
        taint=taint,
    )


def _describe_error(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}".lstrip(": ")
    return str(error)


def _anonymise(text: str, limit: int, home: str) -> str:
    return clean_text(text.replace(home, "~") if len(home) > 1 else text, limit)
