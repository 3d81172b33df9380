"""What memory holds and what it answers: plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["pattern", "anti_pattern", "learning", "episode"]
"""A pattern, its opposite, what a candidate became, what a past session tried and how it ended."""
KINDS: tuple[Kind, ...] = get_args(Kind)
QUARANTINE = "import"
"""The taint of what came from another machine, or is meant for every project, and nobody has vouched for yet."""


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that can be found. A record of a known ``id`` takes the place of the one before.

    ``task`` is the text of the task that led to it, ``project`` a project's id (empty: of no project, found everywhere),
    ``reference`` the id under which learning/ or staging/ keeps its counts (a pattern's, a candidate's), ``task_id`` the
    documents' bead_id, ``at`` UTC milliseconds, ``source`` who stored it (a session's id, "command line", "mcp"),
    ``taint`` where it rests on web or MCP content or came from another machine and nobody has vouched for it: "web",
    "mcp", "import", more than one with commas between them.
    """

    id: str
    kind: Kind
    content: str
    task: str = ""
    project: str = ""
    reference: str = ""
    task_id: str = ""
    success: bool | None = None
    failure_rate: float | None = None
    at: int = 0
    source: str = ""
    taint: str = ""

    @property
    def is_negative(self) -> bool:
        """Whether it says what to avoid."""
        return self.kind == "anti_pattern"

    @property
    def quarantined(self) -> bool:
        """Whether nobody has vouched for it, who has to: it is found only by who asks for such."""
        return QUARANTINE in self.taint.split(",")


@dataclass(frozen=True, slots=True)
class Hit:
    """A record that was found. ``score`` is above 0; at equal trust 1 is as good as it gets. ``is_negative``: to be avoided."""

    record: Record
    score: float


@dataclass(frozen=True, slots=True)
class Health:
    """How the memory is. ``encoder`` is what turns texts into what is compared, ``reason`` why it is this one."""

    healthy: bool
    count: int
    location: str
    encoder: str
    reason: str
