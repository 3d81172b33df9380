"""How many examples and cases are tested: a sample by default, all if CI is set, more if MIND_SKILLS_DEEP is set."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

DEEP = bool(os.environ.get("MIND_SKILLS_DEEP"))
WHOLE = DEEP or bool(os.environ.get("CI"))
SAMPLE = 10
"""Maximum examples per property in the default run."""
NIGHT = 10_000
"""Examples per property if MIND_SKILLS_DEEP is set (docs/security.md)."""


def examples(whole: int) -> int:
    """Return the number of examples for a property that has ``whole`` examples in a full run."""
    return whole if WHOLE else min(whole, SAMPLE)


def examples_or_night(whole: int) -> int:
    """Like ``examples``, for readers and detectors, which get more examples in a deep run."""
    return NIGHT if DEEP else examples(whole)


def stride(sample: int) -> int:
    """Return the step between tested cases: 1 in a full run, otherwise ``sample``."""
    return 1 if WHOLE else sample


def mark_two_thirds(cases: Iterable[tuple[Any, ...]], mark: pytest.MarkDecorator) -> list[Any]:
    """Return the cases as parameters. All but every third carry ``mark``, the marker of tests that are not run by default."""
    return [pytest.param(*case, marks=[mark] if number % 3 else []) for number, case in enumerate(cases)]
