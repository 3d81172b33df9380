"""What every reader produces and every detector reads.

Plain slotted dataclasses: a session holds tens of thousands of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from mind_skills.observations.marks import Progress

Kind = Literal["user", "assistant", "thinking", "tool"]
Action = Literal["read", "search", "edit", "write", "run", "web", "mcp", "task", "other"]
ToolOutcome = Literal["ok", "failed", "nothing", "rejected", "denied", "aborted", "unknown"]
"""``nothing``: a check that ended well and looked at nothing: no test was found, all were skipped, it printed its version."""
Agent = Literal["main", "subagent"]
Source = Literal["user", "agent", "local", "web", "mcp", "issue", "remote"]


class Unread(Protocol):
    """What the text of an observation is made from (unread.py)."""

    def clean(self) -> str:
        """The text: redacted, cleaned of control characters, bounded."""
        ...


class _LazyText:
    """An observation whose ``text`` is not set yet: it is made from ``unread`` when it is first asked for."""

    __slots__ = ("unread",)
    unread: Unread

    if not TYPE_CHECKING:  # to a type checker it would mean that there is any attribute

        def __getattr__(self, name: str) -> str:
            """Asked only for what is not set. Raises AttributeError."""
            if name != "text":
                raise AttributeError(name)
            self.text = self.unread.clean()
            del self.unread
            return self.text


@dataclass(slots=True)
class Observation(_LazyText):
    """One thing that happened, in the order of the log.

    ``text`` is what was said, or what a tool printed: redacted, cleaned of control characters, bounded.
    ``line`` is 1-based in the unit of the format (see the reader); for a tool call it is the line of the call,
    ``end_line`` the line of its result.
    """

    kind: Kind
    line: int
    text: str = ""
    end_line: int = 0
    at: int | None = None
    """UTC milliseconds, None where the log does not say."""
    agent: Agent = "main"
    source: Source = "agent"
    tool: str = ""
    """The host's own name of the tool."""
    action: Action = "other"
    command: str = ""
    """The command as it was run (redacted, bounded); for a search its pattern, for the web its address or query."""
    signature: str = ""
    """Equal for the same command again: wrappers, environment, pipes and targets removed."""
    target: str = ""
    """What the command was aimed at (test file, package), kept apart from the signature."""
    files: tuple[str, ...] = ()
    change: str = ""
    """For edit and write: what was removed and added, one `-` or `+` before each line, bounded."""
    outcome: ToolOutcome = "unknown"
    exit_code: int | None = None
    error: str = ""
    """The line that names the error, where the outcome is failed or the output holds a hard failure line."""
    error_signature: str = ""
    """The error with paths, numbers and addresses folded, equal for the same error again."""


@dataclass(slots=True)
class Caution:
    """Something in a log that had to be passed over. ``line`` 0 means the log as a whole."""

    line: int
    message: str


@dataclass(slots=True)
class LoadedSkill:
    """A skill that the host put before the model: the path of its SKILL.md, where in the log, and when (UTC ms)."""

    path: str
    line: int
    at: int | None = None


@dataclass(slots=True)
class Session:
    """One session of one host: its header, and its observations in order."""

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
    warnings: list[Caution] = field(default_factory=list[Caution])
    skills: list[LoadedSkill] = field(default_factory=list[LoadedSkill])
    """What observations/build.py saw; a skill that the agent read by itself is a tool call like any other."""
    progress: Progress | None = None
    """How far the log is read, for who reads it on later; None where nobody does."""
