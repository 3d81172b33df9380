"""The JSON of `mind-skills why` about a strategy, a skill or a detector, as models. Times are UTC milliseconds.

``verdict`` says in a sentence why it stands where it does, ``reasons`` what else speaks for and against it. Raw counts are
of votes that were cast, decayed ones of what is left of them now. ``thresholds`` are the settings in force, by their keys.
"""

from __future__ import annotations

from typing import Literal

from mind_skills.cli.skill_report import OriginReport
from mind_skills.learning.maturity import MaturityState
from mind_skills.output.document import Report


class CastReport(Report):
    """A vote: ``source`` is the session, or the candidate; ``left`` what its age has left of it.

    ``counts`` is false where nothing was said by it: the session came out neutral or unknown, its time cannot be
    believed, or it was taken back.
    """

    source: str
    type: str
    at: int | None
    left: float
    counts: bool


class DecidedReport(Report):
    """A decision that `mind-skills undo` can take back, in its turn."""

    at: int
    what: str
    session: str


class PatternWhyReport(Report):
    """`mind-skills why STRATEGY --json`. ``harmful_share`` is of what is left of its votes, null where nothing is.

    ``told`` says whether the sessions of the project are told of it, as a proven pattern or as a warning.
    """

    version: Literal[1] = 1
    subject: Literal["pattern"] = "pattern"
    id: str
    content: str
    kind: Literal["pattern", "anti_pattern"]
    state: MaturityState
    multiplier: float
    pinned: bool
    told: bool
    verdict: str
    reasons: list[str]
    helpful: int
    harmful: int
    decayed_helpful: float
    decayed_harmful: float
    harmful_share: float | None
    created_at: int
    last_helpful: int | None
    last_vote: int | None
    promoted_at: int | None
    deprecated_at: int | None
    inverted_to: str
    thresholds: dict[str, float]
    votes: list[CastReport]
    decisions: list[DecidedReport]


class SkillWhyReport(Report):
    """`mind-skills why SKILL --json`. ``confidence`` is the share of what is left that is helpful, with its 95 % bounds.

    ``worth`` is what the skill makes of a rank, ``multiplier`` what the documents make of its state.
    """

    version: Literal[1] = 1
    subject: Literal["skill"] = "skill"
    id: str
    path: str
    state: MaturityState
    multiplier: float
    worth: float
    verdict: str
    reasons: list[str]
    helpful: int
    harmful: int
    decayed_helpful: float
    decayed_harmful: float
    harmful_share: float | None
    confidence: float | None
    low: float
    high: float
    last_helpful: int | None
    last_vote: int | None
    last_used: int | None
    origin: OriginReport | None
    thresholds: dict[str, float]
    votes: list[CastReport]


class CriterionWhyReport(Report):
    """`mind-skills why DETECTOR --json`. The votes are the candidates of all projects that were accepted or dismissed.

    ``dismissed_share`` is of what is left of them, null where nothing is, with its 95 % bounds; a detector is silent
    (``weight`` 0) where ``low`` is above the threshold.
    """

    version: Literal[1] = 1
    subject: Literal["criterion"] = "criterion"
    id: str
    state: Literal["unknown", "few", "weighed", "silent"]
    weight: float
    verdict: str
    reasons: list[str]
    accepted: int
    dismissed: int
    decayed_accepted: float
    decayed_dismissed: float
    dismissed_share: float | None
    low: float
    high: float
    last_accepted: int | None
    last_vote: int | None
    thresholds: dict[str, float]
    votes: list[CastReport]
