"""JSON document of `mind-skills report`, from which the page is rendered. Times are UTC milliseconds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, Self, get_args

from mind_skills.learning.skills.proof import Arm, Comparison, summarise_arm
from mind_skills.output.candidates import State
from mind_skills.output.document import Report

if TYPE_CHECKING:
    from mind_skills.staging.skill_cases import Reminded

SHARE_DIGITS = 3
"""Decimal places of shares and decayed votes. No realistic number of sessions justifies more."""

Kind = Literal["noticed", "handed_over", "skills", "used", "refused", "tokens"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""The kinds of events, each counted in a member of CountsReport."""


class CountsReport(Report):
    """Event counts.

    ``noticed`` counts learnings, ``handed_over`` offers of a learning to a session, ``skills`` skills made from
    learnings, ``used`` uses of these skills by sessions, and ``refused`` dismissed learnings. ``tokens`` estimates the
    number of tokens that were added to sessions.
    """

    noticed: int
    handed_over: int
    skills: int
    used: int
    refused: int
    tokens: int


class DayReport(CountsReport):
    """Counts of one day of the local calendar, YYYY-MM-DD; days without events are omitted."""

    day: str


class GroupReport(CountsReport):
    """Counts of one host, or of one project by name; ``sessions`` counts its sessions that were read."""

    name: str
    sessions: int


class TotalsReport(CountsReport):
    """Total counts.

    ``learningsHandedOver`` and ``learningsUsed`` count each learning once, however often it was offered or its skill
    was used; ``waiting`` counts those that are waiting now. ``sessions`` is the number of sessions that were offered learnings,
    ``sessionsRead`` the number of sessions that ended and were analysed, or that taught something.
    """

    learnings_handed_over: int
    learnings_used: int
    waiting: int
    sessions: int
    sessions_read: int


class RowReport(Report):
    """A row of a digest on one line, and what it is: failed, changed, passed, agent or user."""

    label: str
    text: str


class LearningReport(Report):
    """A learning. ``state`` is its current state and ``why`` explains it; ``noticed`` is why it was noticed.

    ``skill`` is the file of the skill that it became, or that covers it; ``reason`` is the reason for its dismissal.
    ``changedAt`` is the time of its last event. ``taint`` lists untrusted sources.
    """

    id: str
    project: str
    host: str
    kind: Literal["problem_solution", "error_fix", "deep_investigation", "non_obvious"]
    state: State
    confidence: Literal["high", "medium"]
    probability: float
    title: str
    noticed: str
    rows: list[RowReport]
    """What failed, what was done, what bore it out: at most three rows of the digest."""
    files: list[str]
    taint: list[str]
    sessions: int
    detected_at: int
    changed_at: int
    skill: str
    reason: str
    why: str


class VoteReport(Report):
    """A session that loaded a skill, and its outcome; ``counts`` is true if the outcome is a vote."""

    session: str
    at: int
    outcome: Literal["helpful", "neutral", "harmful", "unknown"]
    counts: bool


class PointReport(Report):
    """The decayed share of helpful votes at ``at``, with its 95 % interval; ``left`` is the decayed number of votes."""

    at: int
    share: float
    low: float
    high: float
    left: float


class SkillReport(Report):
    """A skill that came from a learning (``candidate``), or that sessions loaded.

    ``share`` is the decayed share of helpful votes, null without votes, with its 95 % interval; ``curve`` is the
    history of the share. ``failing`` explains why the skill is clearly failing, or is empty. ``archived`` is true if it was
    moved to the archive.
    """

    name: str
    path: str
    project: str
    candidate: str
    installed: bool
    archived: bool
    state: Literal["candidate", "established", "proven", "deprecated"]
    loads: int
    helpful: int
    harmful: int
    share: float | None
    low: float
    high: float
    left: float
    last_used: int | None
    failing: str
    votes: list[VoteReport]
    curve: list[PointReport]


class SideReport(Report):
    """One side of a comparison: ``solved`` of ``n`` sessions overcame the error.

    ``share`` is their fraction, null if ``n`` is 0; ``low`` and ``high`` are the bounds of its 95 % interval (Wilson). The
    medians are the tool calls and milliseconds that the solving sessions needed. Both are null if ``solved`` is 0;
    ``medianMs`` is also null if the logs have no times.
    """

    n: int
    solved: int
    share: float | None
    low: float
    high: float
    median_steps: float | None
    median_ms: float | None

    @classmethod
    def from_arm(cls, arm: Arm) -> Self:
        """Return the document of one side."""
        share = round(arm.solved / arm.n, SHARE_DIGITS) if arm.n else None
        return cls.from_object(arm, share=share, low=round(arm.low, SHARE_DIGITS), high=round(arm.high, SHARE_DIGITS))


class ComparedReport(Report):
    """Sessions with and without the skill.

    ``difference`` is the share with the skill minus the share without it, null if one side has no sessions; ``low`` and
    ``high`` are the bounds of its 95 % interval (Newcombe).
    """

    with_skill: SideReport
    without: SideReport
    difference: float | None
    low: float
    high: float
    verdict: Literal["better", "worse", "no_difference", "not_enough_data"]

    @classmethod
    def from_comparison(cls, comparison: Comparison) -> Self:
        """Return the document of a comparison."""
        return cls.from_object(
            comparison,
            with_skill=SideReport.from_arm(comparison.with_skill),
            without=SideReport.from_arm(comparison.without_skill),
            difference=None if comparison.difference is None else round(comparison.difference, SHARE_DIGITS),
            low=round(comparison.low, SHARE_DIGITS),
            high=round(comparison.high, SHARE_DIGITS),
        )


class SkillProofReport(Report):
    """Outcomes of the sessions in which a skill's error recurred: ``compared`` after the skill was made, ``before`` earlier."""

    name: str
    project: str
    candidate: str
    since: int
    compared: ComparedReport
    before: SideReport


class RemindersReport(Report):
    """What followed when an agent was told at a failing command that the error was solved before, or that a skill covers it.

    ``shown`` are the sessions that were told, ``silent`` those left silent for comparison (`reminders_silent_share`), and ``others``
    those that met the same errors without either. ``given`` counts the lines; of these, ``skills`` named a skill, and ``loaded`` led
    to loading it.
    """

    given: int
    skills: int
    loaded: int
    shown: SideReport
    silent: SideReport
    others: SideReport

    @classmethod
    def from_reminded(cls, projects: Iterable[Reminded]) -> Self:
        """Return the document of the reminders of some projects."""
        found = list(projects)
        shown, silent, others = (
            SideReport.from_arm(summarise_arm(case for each in found for case in getattr(each, name)))
            for name in ("shown", "silent", "before")
        )
        given, skills, loaded = (sum(getattr(each, name) for each in found) for name in ("given", "skills", "loaded"))
        return cls(given=given, skills=skills, loaded=loaded, shown=shown, silent=silent, others=others)


class ProofReport(Report):
    """All skills whose error recurred.

    ``known`` counts the errors that have a skill or occurred in at least two sessions. ``overall`` counts a session once
    for each skill whose error recurred in it. ``unskilled`` are the sessions in which an error without a skill recurred.
    ``reminders`` are about errors that an earlier session had solved.
    """

    known: int
    overall: ComparedReport
    unskilled: SideReport
    reminders: RemindersReport
    skills: list[SkillProofReport]


class CostReport(Report):
    """The size of the texts that sessions received, and the errors of hooks.

    ``texts`` is the number of texts added to sessions, including those with advice only; ``tokens`` estimates their total
    size in tokens, ``largest`` the size of the largest. ``complaints`` is the number of lines in the hooks' log, and
    ``lastComplaints`` are the newest of them, none in a redacted report.
    """

    texts: int
    tokens: int
    largest: int
    complaints: int
    last_complaints: list[str]


class PageReport(Report):
    """Output of `mind-skills report --json`. ``project`` is empty for all projects.

    ``since`` is the beginning of the period, or null. It limits the events, and the learnings to those with an event in
    the period and those that are waiting; skills and proof cover the whole history. ``latest`` is the time of the newest
    learning, whether or not it is in the period; null without learnings.
    """

    version: Literal[1] = 1
    made_at: int
    program: str
    project: str
    since: int | None
    redacted: bool
    latest: int | None
    totals: TotalsReport
    days: list[DayReport]
    hosts: list[GroupReport]
    projects: list[GroupReport]
    learnings: list[LearningReport]
    """Sorted by the time of the last event, newest first."""
    skills: list[SkillReport]
    """Sorted by last use, newest first."""
    proof: ProofReport
    cost: CostReport
