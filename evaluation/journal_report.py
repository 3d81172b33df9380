"""The JSON that `eval --journal` prints, as models. Shares are fractions of one, rounded to three digits."""

from __future__ import annotations

from typing import Literal

from mind_skills.output.document import Report


class ToldReport(Report):
    """Of decided candidates: how many the scorer alone would have told, and what the update by earlier decisions would.

    ``precision`` is the share of them that were accepted; null where there is none.
    """

    name: str
    told: int
    kept: int
    precision: float | None
    told_updated: int
    kept_updated: int
    precision_updated: float | None


class StageReport(Report):
    """The decisions that had ``since`` earlier ones of their project or more, and fewer than ``until`` (null: without end)."""

    since: int
    until: int | None
    told: ToldReport


class JournalReport(Report):
    """The whole answer of `mind-skills eval --journal --json`."""

    version: Literal[1] = 1
    decisions: int
    """Candidates that were accepted, dismissed or passed over."""
    kept: int
    """Those that were accepted."""
    unknown: int
    """More decisions, about candidates of a version without probabilities: nothing can be said of them."""
    projects: int
    tiers: list[ToldReport]
    told: ToldReport
    """Both tiers together."""
    stages: list[StageReport]
