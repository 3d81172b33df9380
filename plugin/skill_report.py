"""The JSON of `mind-skills skills`, as models; docs/schemas is generated from here. Times are UTC milliseconds."""

from __future__ import annotations

from typing import Literal

from mind_skills.learning.maturity import MaturityState
from mind_skills.learning.outcome import OutcomeType
from mind_skills.plugin.report import Report


class VoteReport(Report):
    """A session that loaded the skill, and how it came out; ``counts`` says whether that is a vote."""

    session: str
    at: int
    outcome: OutcomeType
    counts: bool


class StandingReport(Report):
    """A skill. ``confidence`` is the share of helpful votes as they have faded, null without votes, with its 95 % bounds.

    ``candidate`` is the learning that it came from, empty where it came from none; ``installed`` is false where no file
    is found any more.
    """

    name: str
    path: str
    installed: bool
    candidate: str
    loads: int
    helpful: int
    harmful: int
    last_used: int | None
    state: MaturityState
    multiplier: float
    confidence: float | None
    low: float
    high: float
    votes: list[VoteReport]


class SkillsReport(Report):
    """`mind-skills skills --json`."""

    version: Literal[1] = 1
    project: str
    skills: list[StandingReport]
