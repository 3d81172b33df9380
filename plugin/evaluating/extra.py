"""Whether the extra `fit` is there: numpy, which nothing else of the program needs."""

from __future__ import annotations

from importlib.util import find_spec

from mind_skills.plugin.errors import MindSkillsError

HINT = "Install mind-skills again with the extra `fit`: pip install -e '.[fit]', or uv tool install '.[fit]'."


def needed() -> None:
    """Raises MindSkillsError where numpy is not installed."""
    if find_spec("numpy") is None:
        raise MindSkillsError("extra_missing", "A fit needs numpy, which is not installed.", HINT)
