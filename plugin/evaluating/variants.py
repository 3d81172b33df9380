"""The detector with something replaced: a rule, or the value of a threshold. What was replaced is put back."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

_DETECTORS = "mind_skills.detectors."


class Replacement(NamedTuple):
    """``build`` makes what stands for ``owner.attribute`` from what stands there now."""

    owner: Any
    attribute: str
    build: Callable[[Any], Any]


@contextmanager
def replaced(replacements: Sequence[Replacement]) -> Generator[None]:
    """Put these in place, and back again. Not for two threads at a time. Raises AttributeError where there is nothing to replace."""
    with ExitStack() as stack:
        for owner, attribute, build in replacements:
            before = getattr(owner, attribute)
            stack.callback(setattr, owner, attribute, before)
            setattr(owner, attribute, build(before))
        stack.callback(_forget)
        _forget()
        yield


def _forget() -> None:
    """What detectors remember of texts was worked out by the rules as they stood."""
    for name, module in list(sys.modules.items()):
        if name.startswith(_DETECTORS):
            for known in vars(module).values():
                if callable(clear := getattr(known, "cache_clear", None)):
                    clear()


class Variant(NamedTuple):
    """What is tried, by name, so that it can be handed to another process: one rule off, or thresholds at other values."""

    rule: str = ""
    values: tuple[tuple[str, int], ...] = ()


AS_IT_IS = Variant()
"""Nothing replaced."""
