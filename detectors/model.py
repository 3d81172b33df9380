"""Types of the detection result."""

from __future__ import annotations

from typing import Literal

from mind_skills.store.light_dataclasses import dataclass

EpisodeKind = Literal["problem_solution", "error_fix", "deep_investigation", "non_obvious"]


@dataclass(frozen=True, slots=True)
class Episode:
    """A span of one window's observations in which something may have been learned.

    ``first`` and ``last`` are indexes into the observations, ``first`` < ``last``. ``patterns`` names the patterns that
    proposed the span, in the order of registry.py.
    """

    first: int
    last: int
    patterns: tuple[str, ...]
