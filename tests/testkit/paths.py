"""Paths in the checkout under test."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"
DEMO = FIXTURES / "demo" / "session.jsonl"
"""The session used by `mind-skills demo`, with one learning."""
