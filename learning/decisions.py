"""What was decided about strategies, by sessions and by hand, so that the last of it can be taken back exactly.

A decision holds everything of its strategy as it was before. Decisions are taken back in the opposite order, and only the
newest are kept; a vote that was taken back stays refused, since its session may be looked at again.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from mind_skills.learning.anti_patterns import DecompositionPattern
from mind_skills.learning.maturity import MaturityFeedback, PatternMaturity

What = Literal["vote", "deprecated", "reset", "pinned", "unpinned"]
MOST = 500
"""Decisions that are kept, the newest of all projects: more than anybody takes back one by one."""


@dataclass(frozen=True, slots=True)
class Family:
    """A strategy and all that belongs to it: its warning, where it stands, and votes: the one of a session, or all."""

    pattern: DecompositionPattern | None = None
    warning: DecompositionPattern | None = None
    maturity: PatternMaturity | None = None
    votes: tuple[MaturityFeedback, ...] = ()

    def differs(self, other: Family) -> bool:
        """Whether another judgement is given, or something else is made of it; times alone are no difference."""
        return self._said() != other._said()

    def _said(self) -> object:
        stands = self.maturity
        # What is given up for good has a reason (giving_up.py); else the state follows the votes and their age.
        held = (stands.reason, stands.pinned) if stands is not None else ("", False)
        return {(vote.source, vote.type) for vote in self.votes}, self.warning is None, held


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision. ``project`` is the project's id, ``source`` the session that voted, ``at`` UTC milliseconds."""

    project: str
    pattern_id: str
    what: What
    at: int
    before: Family
    source: str = ""
    id: str = field(default_factory=lambda: f"dec_{uuid.uuid4().hex}")


def to_text(family: Family) -> str:
    """A family as JSON."""
    return json.dumps(asdict(family), sort_keys=True)


def from_text(text: str) -> Family:
    """The family that ``to_text`` wrote."""
    data = json.loads(text)
    stands = data["maturity"]
    return Family(
        _pattern(data["pattern"]),
        _pattern(data["warning"]),
        None if stands is None else PatternMaturity(**stands),
        tuple(MaturityFeedback(**vote) for vote in data["votes"]),
    )


def _pattern(data: dict[str, Any] | None) -> DecompositionPattern | None:
    if data is None:
        return None
    for name in ("tags", "example_tasks"):
        data[name] = tuple(data[name])
    return DecompositionPattern(**data)
