"""The real Claude Code: what a skill of the user says already is told to nobody, until that skill goes."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from tests.clients.lesson import LOOK, learns
from tests.clients.observing import strings
from tests.clients.real_claude import Claude

SKILL = """---
name: exact-prices
description: Rounds prices exactly. Use when a price is off by a cent or test_prices fails with an AssertionError.
---
Never make a Decimal of a float: Decimal(2.675) is 2.67499..., because the price is already a float, and no rounding mode
can help. It turns out again and again that the float is the root of it. In prices.py go through str(), then run the
python3 unittest module test_prices.
"""


def told(claude: Claude, name: str) -> list[str]:
    """A session that looks around; the offers in its requests."""
    claude.session(name, [LOOK], ["Nothing to do."], prompt="What is here?")
    return [block for copies in claude.told(name) for block in copies]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_learning_that_a_user_skill_covers_is_not_offered(claude: Claude) -> None:
    skill = claude.home / ".claude/skills/exact-prices/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(SKILL)
    before = digest(skill)
    learns(claude)
    assert any("exact-prices" in text for text in strings(claude.requests("one")[0]))  # the client lists it
    assert (claude.pending(), told(claude, "two"), claude.hook_log()) == ([], [], "")
    assert digest(skill) == before

    shutil.rmtree(skill.parent)
    assert told(claude, "three") == []  # this start frees it, behind the session that begins
    assert len(claude.pending()) == 1
    assert len(set(told(claude, "four"))) == 1
