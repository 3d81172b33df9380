"""The JSON that `replay` prints, as models: the contract with every program that reads it.

docs/schemas is generated from here. Times are in milliseconds; ``line`` is 1-based, in the unit of the log's format:
the JSONL line for Claude Code, Codex and Gemini, the index of the message for OpenCode and mini-swe-agent, the step
for SWE-agent.
"""

from __future__ import annotations

from typing import Literal

from mind_skills.output.candidates import CandidateReport
from mind_skills.output.document import Report


class FoundReport(CandidateReport):
    """A candidate as `replay` shows it. ``offer`` is what a session that is told of five would read of it."""

    offer: str


class OutcomeReport(Report):
    """How a session ended, and why that is believed."""

    type: Literal["helpful", "neutral", "harmful", "unknown"]
    score: float | None
    success: bool | None
    duration_ms: int | None
    error_count: int
    retry_count: int
    reasoning: str


class WarningReport(Report):
    """A line of a log that had to be passed over; ``line`` 0 means the log as a whole."""

    line: int
    message: str


class SessionReport(Report):
    """One session of one log. ``lines`` is the largest ``line`` of that log."""

    path: str
    session_id: str
    host: str
    format: str
    lines: int
    observations: int
    outcome: OutcomeReport
    candidates: list[FoundReport]
    """Those that are told, best first; what waits for another session is not among them."""
    warnings: list[WarningReport]


class FileError(Report):
    """A path that could not be read."""

    path: str
    code: str
    message: str
    hint: str


class Totals(Report):
    """Sums over the sessions; ``failed`` counts the paths under ``errors``."""

    sessions: int
    observations: int
    candidates: int
    failed: int


class ReplayReport(Report):
    """The whole answer of `mind-skills replay --json`."""

    version: Literal[1] = 1
    sessions: list[SessionReport]
    errors: list[FileError]
    totals: Totals
