"""The JSON of `mind-skills why`, as models; docs/schemas is generated from here. Times are UTC milliseconds."""

from __future__ import annotations

from typing import Literal

from mind_skills.output.document import Report


class PartReport(Report):
    """One part of the rank: ``value`` is what it adds, ``text`` says why."""

    name: str
    value: float
    text: str


class SightingReport(Report):
    """A session that saw it, and between which lines of its log. ``log`` is empty where no hook reported the session."""

    session_id: str
    host: str
    log: str
    first_line: int
    last_line: int
    at: int


class EventReport(Report):
    """A line of the append-only log. ``text`` is what it says in words."""

    at: int
    what: str
    session_id: str
    text: str


class NearestReport(Report):
    """The installed skill that says most of it: the share of its telling words, 0 to 1."""

    path: str
    share: float


class FeatureReport(Report):
    """A feature that decided: ``adds`` is what it added to the log odds of the scorer, ``text`` says what was seen."""

    name: str
    adds: float
    text: str


class TierReport(Report):
    """A tier, and how precise it was out of fold: of ``candidates`` in it, on sessions that the weights were not fitted to,
    the share ``precision`` was right. Both are null where nothing was measured.
    """

    name: str
    precision: float | None
    candidates: int | None


class ShiftReport(Report):
    """What the user's ``decisions`` in this project make of the scorer's probability: ``shift`` is in log odds, within bounds,
    and the sum of ``parts`` before it is bounded.
    """

    decisions: int
    shift: float
    probability: float
    parts: list[PartReport]


class WhyReport(Report):
    """`mind-skills why CANDIDATE --json`. ``rank`` is the sum of ``parts``."""

    version: Literal[1] = 1
    subject: Literal["candidate"] = "candidate"
    id: str
    title: str
    kind: str
    confidence: str
    state: str
    detail: str
    offerable: bool
    """Whether a session that begins now can be told of it."""
    verdict: str
    """Why it is offered, or why not, in a sentence or two."""
    probability: float
    """The scorer's, before any decision."""
    tier: TierReport
    deciding: list[FeatureReport]
    decided: ShiftReport | None
    """Null where nothing was decided in the project, or decisions are not to count."""
    rank: float
    parts: list[PartReport]
    nearest: NearestReport | None
    seen: list[SightingReport]
    events: list[EventReport]
