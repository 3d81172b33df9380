"""The JSON of `mind-skills demo`; docs/schemas is generated from here."""

from __future__ import annotations

from typing import Literal

from mind_skills.plugin.report import Report


class StepReport(Report):
    """One step of the demonstration. ``block`` is the text that the session was handed, null where there was nothing to hand over."""

    title: str
    what: str
    why: str
    block: str | None = None


class DemoReport(Report):
    """`mind-skills demo --json`."""

    version: Literal[1] = 1
    steps: list[StepReport]
