"""Measure whether what mind-skills learns helps: fresh agents solve tasks with a trap, with and without the resulting skills."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TRAPS, RECORDINGS, PROMPTS, PLAN = HERE / "traps", HERE / "recordings", HERE / "prompts", HERE / "plan.json"
PAGE = ROOT / "docs/helps.md"
