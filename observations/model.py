"""Data model of sessions and observations, which the readers produce.

The dataclasses are slotted, because a session can have thousands of observations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from mind_skills.observations.positions import Progress

Kind = Literal["user", "assistant", "thinking", "tool"]
Action = Literal["read", "search", "edit", "write", "run", "web", "mcp", "task", "other"]
ToolOutcome = Literal["ok", "failed", "nothing", "rejected", "denied", "aborted", "unknown"]
"""``nothing``: a check succeeded without checking anything, for example because it skipped all tests."""
Agent = Literal["main", "subagent"]
Source = Literal["user", "agent", "local", "web", "mcp", "issue", "remote"]
"""Where a text comes from: its author (``user``, ``agent``), this project or machine (``local``), or third parties (the others)."""


class PendingText(Protocol):
    """The raw text of an observation that has not been cleaned yet (lazy_text.py)."""

    def clean(self) -> str:
        """Return the cleaned text: without control characters, redacted and truncated."""
        ...


class _LazyText:
    """Base class that computes ``text`` from ``pending_text`` on first access."""

    __slots__ = ("pending_text",)
    pending_text: PendingText

    if not TYPE_CHECKING:  # if a type checker saw this method, it would accept any attribute

        def __getattr__(self, name: str) -> str:
            """Compute ``text``. Called only for unset attributes. Raises AttributeError for any other name."""
            if name != "text":
                raise AttributeError(name)
            self.text = self.pending_text.clean()
            del self.pending_text
            return self.text


@dataclass(slots=True)
class Observation(_LazyText):
    """One event of a session.

    ``text`` is the message or the tool's output: without control characters, redacted and truncated. ``line`` is 1-based, in the unit
    that the format's reader documents. For a tool call, ``line`` is the line of the call and ``end_line`` the line of its result.
    """

    kind: Kind
    line: int
    text: str = ""
    end_line: int = 0
    at: int | None = None
    """UTC milliseconds; None if the log has no time."""
    agent: Agent = "main"
    source: Source = "agent"
    tool: str = ""
    """The host's name for the tool."""
    action: Action = "other"
    command: str = ""
    """The command as executed or, for another tool, the main argument, such as a pattern, URL or plan; redacted, truncated."""
    signature: str = ""
    """Identifies the command, regardless of wrappers, environment, pipes and targets."""
    target: str = ""
    """What the command operates on, such as a test file or a package; not part of the signature."""
    files: tuple[str, ...] = ()
    change: str = ""
    """For ``edit`` and ``write``: the removed and added lines, prefixed with ``-`` or ``+``, truncated."""
    outcome: ToolOutcome = "unknown"
    exit_code: int | None = None
    error: str = ""
    """The line that names the error, if the outcome is ``failed``, or if it is uncertain (unknown, or hidden by a pipe) and the output
    shows a failure."""
    error_signature: str = ""
    """Identifies the error, regardless of folders, numbers and hashes."""
    is_outside_sandbox: bool = False
    """Whether the agent asked the host to run the command outside its sandbox."""


@dataclass(slots=True)
class LogWarning:
    """A warning about a part of a log that was not read. ``line`` is 0 if the warning is about the entire log."""

    line: int
    message: str


@dataclass(slots=True)
class LoadedSkill:
    """A skill that the host loaded for the model: the path of its SKILL.md, the line in the log, and the time (UTC ms)."""

    path: str
    line: int
    at: int | None = None


@dataclass(slots=True)
class Session:
    """A session of a host: a header and the observations, in order. ``started`` and ``ended`` are in UTC milliseconds."""

    path: str = ""
    session_id: str = ""
    host: str = ""
    format: str = ""
    project: str = ""
    started: int | None = None
    ended: int | None = None
    end_reason: str = ""
    lines: int = 0
    """The number of lines in the log, in the unit of ``Observation.line``."""
    observations: list[Observation] = field(default_factory=list[Observation])
    warnings: list[LogWarning] = field(default_factory=list[LogWarning])
    skills: list[LoadedSkill] = field(default_factory=list[LoadedSkill])
    """Skills that the host loaded. A skill that the agent read with a tool is an ordinary tool call instead."""
    progress: Progress | None = None
    """The progress of an incremental read; None for any other read."""
