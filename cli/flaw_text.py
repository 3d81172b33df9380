"""What is wrong with a skill, for people: on stdout for `lint`, on stderr for `accept`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mind_skills.learning.skills.document import Flaw
from mind_skills.output.text import line
from mind_skills.tasks.lint import FlawReport


def show(path: str, flaws: Sequence[Flaw | FlawReport], say: Callable[[str], None] = line) -> None:
    """Name each flaw of the skill at ``path`` with its place and what to do; nothing where there is none."""
    for flaw in flaws:
        place = f"{path}:{flaw.line}" if flaw.line else path
        say(f"{place}: {flaw.severity}: {flaw.message} [{flaw.code}]")
        say(f"    {flaw.hint} ({flaw.source})")
