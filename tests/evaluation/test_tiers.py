from __future__ import annotations

import json
from pathlib import Path

from mind_skills.cli.tiers import WEIGHTS, Measured, measured


def test_how_precise_a_tier_was_stands_beside_the_weights(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"measured": {"high": {"precision": 0.71, "candidates": 58}}}), encoding="utf-8")
    assert [measured(tier, path) for tier in ("high", "medium", "waiting")] == [Measured(0.71, 58), None, None]
    path.write_text("{}", encoding="utf-8")
    assert measured("high", path) is None
    assert WEIGHTS.exists()
