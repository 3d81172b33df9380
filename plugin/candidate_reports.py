"""The JSON of the commands about candidates; docs/schemas is generated from here. Times are UTC milliseconds."""

from __future__ import annotations

from typing import Literal

from mind_skills.plugin.foreign_report import ForeignReport
from mind_skills.plugin.replay_report import CandidateReport
from mind_skills.plugin.report import Report

State = Literal["pending", "offered", "waiting", "accepted", "dismissed", "ignored", "shelved", "covered", "merged"]
"""`waiting` is kept until another session sees it as well;
`shelved` fell out of a full list, and comes back when another session sees it; `covered` is said by an installed
skill already, and comes back when that skill goes; `merged` is one
learning with another candidate, whose id is in ``detail``."""


class WaitingReport(CandidateReport):
    """A candidate of the pending list; ``injectedAt`` is set once a session has been told of it."""

    injected_at: int | None


class CoveredReport(Report):
    """A candidate that is not offered, because an installed skill says it already."""

    id: str
    title: str
    skill: str


class PendingReport(Report):
    """`mind-skills pending --json`."""

    version: Literal[1] = 1
    project: str
    candidates: list[WaitingReport]
    covered: list[CoveredReport]
    foreign: list[ForeignReport]


class LearnReport(Report):
    """`mind-skills learn --json`. ``session`` and ``host`` are empty where no session is running; no candidate is an empty list."""

    version: Literal[1] = 1
    project: str
    session: str
    host: str
    candidates: list[WaitingReport]


class ShowReport(Report):
    """`mind-skills show ID --json`."""

    version: Literal[1] = 1
    state: State
    detail: str
    """The skill's path if it was accepted, the reason if it was dismissed, else empty."""
    candidate: WaitingReport


class ReceiptReport(Report):
    """`accept` and `dismiss` with ``--json``: what was done to which candidate."""

    version: Literal[1] = 1
    done: Literal["accepted", "dismissed"]
    id: str
    title: str
    state: State
    detail: str
