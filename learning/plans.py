"""Which strategies a session follows: what its plans say, and what its agent says that it will do.

Plans are plan mode, todo lists and the descriptions of tasks. A subagent's words count to nobody, and a user's are a wish.
"""

from __future__ import annotations

from mind_skills.learning.strategies import ANY, SIGNS, extract
from mind_skills.observations.model import Observation
from mind_skills.observations.unread import may_hold_all, may_match

PLAN = 20_000
"""Characters of a plan that are read: the longest seen had 9,000."""


def followed(observation: Observation) -> list[str]:
    """The strategies that an observation says its session follows, each once."""
    if observation.agent != "main":
        return []
    if observation.kind == "assistant":
        if not may_hold_all(observation, SIGNS) or not may_match(observation, ANY):
            return []  # without looking at the text itself, which has to be cleaned for it
        return extract(observation.text[:PLAN])
    if observation.kind == "tool" and observation.action == "task" and observation.outcome in ("ok", "unknown"):
        return extract(observation.command[:PLAN])
    return []
