"""The document of `mind-skills prune`."""

from __future__ import annotations

from typing import Literal

from mind_skills.plugin.report import Report


class PruneReport(Report):
    """`mind-skills prune --json`. ``forgotten`` counts rows by table, and small files as ``traces``; sizes are of the database."""

    version: Literal[1] = 1
    days: int
    dry_run: bool
    forgotten: dict[str, int]
    bytes_before: int
    bytes_after: int
