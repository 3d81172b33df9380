"""Put a variant in place for a while."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from mind_skills.detectors import thresholds
from mind_skills.plugin.evaluating.ablation import RULES
from mind_skills.plugin.evaluating.variants import Replacement, Variant, replaced


@contextmanager
def tried(variant: Variant) -> Generator[None]:
    """The detector as ``variant`` wants it."""
    off = [each for rule in RULES if rule.name == variant.rule for each in rule.replacements]
    values = [Replacement(thresholds, name, _constant(value)) for name, value in variant.values]
    with replaced([*off, *values]):
        yield


def _constant(value: int) -> Callable[[Any], int]:
    return lambda _: value
