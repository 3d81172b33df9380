"""Where the checkout under test is."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The checkout."""
FIXTURES = ROOT / "fixtures"
DEMO = FIXTURES / "demo" / "session.jsonl"
"""The session that `mind-skills demo` plays: one learning."""
