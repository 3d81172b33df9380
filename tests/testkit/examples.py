"""How much of what can be tried is tried: a sample in the default run, the whole where CI is set, more in a long night."""

from __future__ import annotations

import os

DEEP = bool(os.environ.get("MIND_SKILLS_DEEP"))
WHOLE = DEEP or bool(os.environ.get("CI"))
SAMPLE = 15
"""Examples of a property in the default run."""
NIGHT = 10_000
"""Examples of a property where MIND_SKILLS_DEEP is set (docs/security.md)."""


def examples(whole: int) -> int:
    """How many examples of a property are drawn that draws ``whole`` where all of it runs."""
    return whole if WHOLE else min(whole, SAMPLE)


def examples_or_night(whole: int) -> int:
    """The same for readers and detectors, of which a long night draws more."""
    return NIGHT if DEEP else examples(whole)


def stride(sample: int) -> int:
    """Every how manieth case is tried: each where all of it runs, else one in ``sample``."""
    return 1 if WHOLE else sample
