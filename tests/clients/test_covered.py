"""The real Claude Code: a learning that a skill of the user covers is not offered until that skill is removed."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from tests.clients.lesson import LOOK, run_lesson
from tests.clients.observing import list_strings
from tests.clients.real_claude import Claude

SKILL = """---
name: exact-prices
description: Rounds prices exactly. Use when a price is off by a cent or test_prices fails with an AssertionError.
---
Never make a Decimal of a float: Decimal(2.675) is 2.67499..., because the price is already a float, and no rounding mode
can help. It turns out again and again that the float is the root of it. In prices.py go through str(), then run the
python3 unittest module test_prices.
"""


def list_offers_of_session(claude: Claude, name: str) -> list[str]:
    """Run a session that lists files; return the offers in its requests."""
    claude.session(name, [LOOK], ["Nothing to do."], prompt="What is here?")
    return [block for copies in claude.list_offers(name) for block in copies]


def hash_file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_learning_that_a_user_skill_covers_is_not_offered(claude: Claude) -> None:
    skill = claude.home / ".claude/skills/exact-prices/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(SKILL)
    before = hash_file(skill)
    run_lesson(claude)
    assert any("exact-prices" in text for text in list_strings(claude.requests("one")[0]))  # the client lists it
    assert (claude.pending(), list_offers_of_session(claude, "two"), claude.hook_log()) == ([], [], "")
    assert hash_file(skill) == before

    shutil.rmtree(skill.parent)
    assert list_offers_of_session(claude, "three") == []  # this start uncovers it, after the session has begun
    assert len(claude.pending()) == 1
    assert len(set(list_offers_of_session(claude, "four"))) == 1
