"""The JSON of `mind-skills skills` and `archive`, as models; docs/schemas is generated from here. Times are UTC milliseconds."""

from __future__ import annotations

from typing import Literal

from mind_skills.output.document import Report


class VoteReport(Report):
    """A session that loaded the skill, and how it came out; ``counts`` says whether that is a vote."""

    session: str
    at: int
    outcome: Literal["helpful", "neutral", "harmful", "unknown"]
    counts: bool


class OriginReport(Report):
    """The learning that a skill came from: the sessions that saw it, the host of the first, and when it was accepted."""

    candidate: str
    title: str
    kind: str
    host: str
    sessions: list[str]
    accepted_at: int | None


class StandingReport(Report):
    """A skill. ``confidence`` is the share of helpful votes as they have faded, null without votes, with its 95 % bounds.

    ``candidate`` is the learning that it came from, empty where it came from none, ``origin`` what is known of it;
    ``installed`` is false where no file is found any more, ``archived`` is the folder where it stands then if it was put
    aside, else empty. ``hosts`` read it. ``state`` and ``multiplier`` are the documents', ``worth`` is what it makes of a
    rank. ``failing`` says why it fails for sure, else it is empty; ``proposed`` whether it is proposed for the archive,
    which one that came from no learning of ours never is.
    """

    name: str
    path: str
    installed: bool
    archived: str
    hosts: list[str]
    candidate: str
    origin: OriginReport | None
    loads: int
    helpful: int
    harmful: int
    last_used: int | None
    state: Literal["candidate", "established", "proven", "deprecated"]
    multiplier: float
    worth: float
    failing: str
    proposed: bool
    confidence: float | None
    low: float
    high: float
    votes: list[VoteReport]


class SkillsReport(Report):
    """`mind-skills skills --json`."""

    version: Literal[1] = 1
    project: str
    skills: list[StandingReport]


class ProposalReport(Report):
    """A skill that is proposed for the archive, and why."""

    name: str
    path: str
    candidate: str
    reason: str


class ArchivedReport(Report):
    """A skill that was put aside, or would be: from the folder ``source`` to the folder ``target``, and why.

    ``at`` is when, null where it has not been done.
    """

    name: str
    source: str
    target: str
    candidate: str
    reason: str
    at: int | None


class ArchiveReport(Report):
    """`mind-skills archive --json`. ``skills`` are those that were moved just now, would be, or (listed) stand in the archive."""

    version: Literal[1] = 1
    project: str
    done: Literal["archived", "restored", "listed"]
    dry_run: bool
    skills: list[ArchivedReport]
    proposed: list[ProposalReport]
