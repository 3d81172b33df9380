"""Data model: sessions and observations, produced by readers and consumed by detectors.

The classes are slotted dataclasses, because a session has tens of thousands of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from mind_skills.observations.positions import Progress

Kind = Literal["user", "assistant", "thinking", "tool"]
Action = Literal["read", "search", "edit", "write", "run", "web", "mcp", "task", "other"]
ToolOutcome = Literal["ok", "failed", "nothing", "rejected", "denied", "aborted", "unknown"]
"""``nothing``: a check succeeded without checking anything: it found no test, skipped all, or printed its version."""
Agent = Literal["main", "subagent"]
Source = Literal["user", "agent", "local", "web", "mcp", "issue", "remote"]


class PendingText(Protocol):
    """The source of an observation's text before cleaning (lazy_text.py)."""

    def clean(self) -> str:
        """Return the text: redacted, without control characters, bounded."""
        ...


class _LazyText:
    """Base class that computes ``text`` from ``pending_text`` on first access."""

    __slots__ = ("pending_text",)
    pending_text: PendingText

    if not TYPE_CHECKING:  # a type checker would accept any attribute

        def __getattr__(self, name: str) -> str:
            """Compute ``text``. Called only for unset attributes. Raises AttributeError for others."""
            if name != "text":
                raise AttributeError(name)
            self.text = self.pending_text.clean()
            del self.pending_text
            return self.text


@dataclass(slots=True)
class Observation(_LazyText):
    """One event of a session, in the order of the log.

    ``text`` is the message or the tool's output: redacted, without control characters, bounded. ``line`` is 1-based in the
    unit of the format (see the reader). For a tool call ``line`` is the line of the call and ``end_line`` that of its result.
    """

    kind: Kind
    line: int
    text: str = ""
    end_line: int = 0
    at: int | None = None
    """UTC milliseconds, None if the log has no time."""
    agent: Agent = "main"
    source: Source = "agent"
    tool: str = ""
    """The host's name for the tool."""
    action: Action = "other"
    command: str = ""
    """The command as executed (redacted, bounded); the pattern of a search; the URL or query of a web call."""
    signature: str = ""
    """Identifies the same command: without wrappers, environment, pipes and targets."""
    target: str = ""
    """What the command operates on (test file, package); not part of the signature."""
    files: tuple[str, ...] = ()
    change: str = ""
    """For edit and write: removed and added lines, prefixed with `-` or `+`, bounded."""
    outcome: ToolOutcome = "unknown"
    exit_code: int | None = None
    error: str = ""
    """The line that names the error, if the outcome is ``failed`` or the output contains a failure line."""
    error_signature: str = ""
    """Identifies the same error: paths, numbers and addresses are normalised."""


@dataclass(slots=True)
class LogWarning:
    """A warning about something skipped in a log. ``line`` 0 refers to the entire log."""

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
    """A session of a host: its header, and its observations in order."""

    path: str = ""
    session_id: str = ""
    host: str = ""
    format: str = ""
    project: str = ""
    started: int | None = None
    ended: int | None = None
    end_reason: str = ""
    lines: int = 0
    """The largest ``line`` of the log, in its own unit."""
    observations: list[Observation] = field(default_factory=list[Observation])
    warnings: list[LogWarning] = field(default_factory=list[LogWarning])
    skills: list[LoadedSkill] = field(default_factory=list[LoadedSkill])
    """Skills recorded by observations/builders.py. A skill that the agent read itself is an ordinary tool call."""
    progress: Progress | None = None
    """Progress of an incremental read, else None."""
