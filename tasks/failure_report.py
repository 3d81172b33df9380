"""The JSON of an error; docs/schemas is generated from here. cli/main.py prints it."""

from __future__ import annotations

from mind_skills.output.document import Report


class ErrorBody(Report):
    """``code`` is stable and meant for programs; ``message`` and ``hint`` are for people."""

    code: str
    message: str
    hint: str


class ErrorReport(Report):
    """What any command prints on stdout when it fails under ``--json``."""

    error: ErrorBody
