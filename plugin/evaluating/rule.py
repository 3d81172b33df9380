"""What a rule is to the ablation: a name, what it says, and what stands in its place when it is off."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mind_skills.plugin.evaluating.variants import Replacement

_NOTHING = re.compile(r"(?!)")
_ANYTHING = re.compile("")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the detector that can be switched off alone."""

    name: str
    says: str
    """What holds while it is on."""
    instead: str
    """What holds while it is off."""
    test: str
    """The test, as file::name below tests/, that fails while it is off: why it is kept if no labelled session needs it."""
    replacements: tuple[Replacement, ...]


def off(name: str, says: str, instead: str, test: str, *places: tuple[Any, str], by: Callable[[Any], Any]) -> Rule:
    """A rule that is off when ``by`` takes the place of what stands in ``places``, each an owner and an attribute."""
    return Rule(name, says, instead, test, tuple(Replacement(owner, attribute, by) for owner, attribute in places))


def always(answer: object) -> Callable[[Any], Any]:
    """In the place of a function: the same answer, whatever it is asked."""

    def same(*_: object) -> object:
        return answer

    return lambda _: same


def value(given: object) -> Callable[[Any], Any]:
    """In the place of a number."""
    return lambda _: given


def matches_nothing(_: object) -> re.Pattern[str]:
    """In the place of a pattern."""
    return _NOTHING


def matches_anything(_: object) -> re.Pattern[str]:
    """In the place of a pattern."""
    return _ANYTHING
