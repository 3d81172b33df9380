"""The JSON of `mind-skills report`, from which its page is drawn; docs/schemas is generated from here. Times are UTC milliseconds."""

from __future__ import annotations

from typing import Literal

from mind_skills.output.candidates import State
from mind_skills.output.document import Report


class CountsReport(Report):
    """What happened: learnings ``noticed``, times one was handed to a session, skills made of them, times a session used
    such a skill, learnings refused, and about how many tokens the sessions were given.
    """

    noticed: int
    handed_over: int
    skills: int
    used: int
    refused: int
    tokens: int


class DayReport(CountsReport):
    """The same for one day of the local calendar, YYYY-MM-DD; days on which nothing happened are left out."""

    day: str


class GroupReport(CountsReport):
    """The same for one host, or one project by its name; ``sessions`` are those that are known of it."""

    name: str
    sessions: int


class TotalsReport(CountsReport):
    """The same in all, with what is counted by learning: how many were handed over, came into use, wait now, and the
    ``sessions`` that were given any.
    """

    learnings_handed_over: int
    learnings_used: int
    waiting: int
    sessions: int


class EvidenceReport(Report):
    """One line of what carries a learning."""

    role: Literal["symptom", "cause", "change", "verification", "insight", "context"]
    summary: str


class LearningReport(Report):
    """One learning. ``state`` is where it stands and ``why`` says so in a sentence; ``noticed`` is why it was noticed.

    ``skill`` is the file that it became, or that covers it; ``reason`` that of a refusal. ``changed_at`` is when anything
    happened to it last. ``taint`` names sources that anybody may have written.
    """

    id: str
    project: str
    host: str
    kind: Literal["problem_solution", "error_fix", "deep_investigation", "non_obvious", "user_rule"]
    state: State
    confidence: Literal["high", "medium", "waiting"]
    title: str
    noticed: str
    symptom: str
    cause: str
    remedy: str
    evidence: list[EvidenceReport]
    files: list[str]
    taint: list[str]
    sessions: int
    detected_at: int
    changed_at: int
    skill: str
    reason: str
    why: str


class VoteReport(Report):
    """A session that loaded a skill, and how it came out; ``counts`` says whether that is a vote."""

    session: str
    at: int
    outcome: Literal["helpful", "neutral", "harmful", "unknown"]
    counts: bool


class PointReport(Report):
    """The share of helpful votes as they had faded by ``at``, with its 95 % interval; ``left`` is what was left of the votes."""

    at: int
    share: float
    low: float
    high: float
    left: float


class SkillReport(Report):
    """A skill that came from a learning (``candidate``), or that sessions loaded.

    ``share`` of its votes were helpful as they have faded, null without votes, with its 95 % interval; ``curve`` is how that
    went. ``failing`` says why it fails for sure, else it is empty. ``archived`` says whether it was put aside.
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
    """``solved`` of ``n`` sessions got past the error; ``share`` with its 95 % interval (Wilson), null where there are none.

    The medians are of those that did: tool calls, and milliseconds (null where the logs name no times).
    """

    n: int
    solved: int
    share: float | None
    low: float
    high: float
    median_steps: float | None
    median_ms: float | None


class ComparedReport(Report):
    """Sessions with the skill and without; ``difference`` of the shares with its 95 % interval (Newcombe), null where a side
    is empty.
    """

    with_skill: SideReport
    without: SideReport
    difference: float | None
    low: float
    high: float
    verdict: Literal["better", "worse", "no_difference", "not_enough_data"]


class SkillProofReport(Report):
    """What came of the sessions in which the error of a skill came back: since it was there, and ``before``."""

    name: str
    project: str
    candidate: str
    since: int
    compared: ComparedReport
    before: SideReport


class ProofReport(Report):
    """All skills whose error came back. ``overall`` counts a session once for each of them; ``unskilled`` are sessions in
    which an error came back that no skill is about.
    """

    known: int
    overall: ComparedReport
    unskilled: SideReport
    skills: list[SkillProofReport]


class CostReport(Report):
    """``texts`` handed to sessions, with advice alone counted too, and about how many ``tokens`` they took; ``largest`` is the
    longest of them. ``complaints`` are the lines in the log of hooks, ``last_complaints`` the last of these.
    """

    texts: int
    tokens: int
    largest: int
    complaints: int
    last_complaints: list[str]


class PageReport(Report):
    """`mind-skills report --json`. ``project`` is empty for all projects, ``since`` null for all times.

    ``since`` bounds what happened, and the learnings to those to which anything did; skills and proof are as they stand.
    """

    version: Literal[1] = 1
    made_at: int
    program: str
    project: str
    since: int | None
    redacted: bool
    totals: TotalsReport
    days: list[DayReport]
    hosts: list[GroupReport]
    projects: list[GroupReport]
    learnings: list[LearningReport]
    """The one to which something happened last comes first."""
    skills: list[SkillReport]
    """The one that was used last comes first."""
    proof: ProofReport
    cost: CostReport
