"""What others put into a project's pending file, as `pending` and `status` print it."""

from __future__ import annotations

from mind_skills.plugin.report import Report


class ForeignReport(Report):
    """A candidate that another tool, or the repository itself, put into the pending file; it is kept and never offered."""

    id: str
    title: str
