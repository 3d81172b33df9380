"""How precise each tier was out of fold, as the file of the scorer's weights says: {"measured": {tier: {precision, candidates}}}."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple, cast

from mind_skills.detectors import scorer

WEIGHTS = Path(scorer.__file__).with_name("weights.json")


class Measured(NamedTuple):
    """The share of a tier's candidates that were right, on sessions that the weights were not fitted to, and how many there were."""

    precision: float
    candidates: int


def measured(tier: str, weights: Path = WEIGHTS) -> Measured | None:
    """What was measured of a tier; None where the file says nothing of it."""
    said = cast("dict[str, Any]", json.loads(weights.read_text(encoding="utf-8")))
    found = said.get("measured", {}).get(tier)
    return None if found is None else Measured(float(found["precision"]), int(found["candidates"]))
