"""Which strategies a session follows: what its plans say, and what its agent says that it will do.

Plans are plan mode, todo lists and the descriptions of tasks. A subagent's words count to nobody, and a user's are a wish.
"""

from __future__ import annotations

from mind_skills.learning.strategies import extract
from mind_skills.observations.model import Observation
from mind_skills.observations.unread import may_hold

PLAN = 20_000
"""Characters of a plan that are read: the longest seen had 9,000."""
_HINTS = (
    "split",
    "per task",
    "per subtask",
    "types first",
    "type first",
    "separate",
    "test",
    "parallel",
    "sequential",
    "depend",
)
"""One of these stands in whatever names a strategy; looking for them first costs a tenth."""
_WITH = ("code", "implementation", *(hint for hint in _HINTS if hint != "test"))
"""And one of these: a test alone names none."""


def followed(observation: Observation) -> list[str]:
    """The strategies that an observation says its session follows, each once."""
    if observation.agent != "main":
        return []
    if observation.kind == "assistant":
        if not may_hold(observation, _HINTS) or not may_hold(observation, _WITH):
            return []  # without looking at the text itself, which has to be cleaned for it
        text = observation.text[:PLAN]
    elif observation.kind == "tool" and observation.action == "task" and observation.outcome in ("ok", "unknown"):
        text = observation.command[:PLAN]
    else:
        return []
    lowered = text.lower()
    return extract(text) if any(hint in lowered for hint in _HINTS) else []
