"""The real Claude Code: what a skill of the user says already is told to nobody, until that skill goes."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from tests.clients.lesson import script_lesson, write_project
from tests.clients.offers import blocks, hook_log, pending, settled, strings
from tests.clients.real_claude import Client

SKILL = """---
name: exact-prices
description: Rounds prices exactly. Use when a price is off by a cent or test_prices fails with an AssertionError.
---
Never make a Decimal of a float: Decimal(2.675) is 2.67499..., because the price is already a float, and no rounding mode
can help. It turns out again and again that the float is the root of it. In prices.py go through str(), then run the
python3 unittest module test_prices.
"""


def told(claude: Client, name: str) -> list[str]:
    """A session that looks around; the offers in its requests."""
    look = {"tool": "Bash", "input": {"command": "ls", "description": "Look around"}}
    claude.script(name, [look], ["Nothing to do."])
    assert claude.say("What is here?").code == 0
    settled(claude)
    return [block for request in claude.requests(name) for block in blocks(request)]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_skill_of_the_user_keeps_what_it_says_from_being_told(claude: Client) -> None:
    skill = claude.home / ".claude/skills/exact-prices/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text(SKILL)
    before = digest(skill)
    write_project(claude)
    script_lesson(claude, "one")
    assert claude.say("The prices test fails, please fix it.").code == 0
    settled(claude)
    assert any("exact-prices" in text for text in strings(claude.requests("one")[0]))  # the client lists it
    assert (pending(claude), told(claude, "two"), hook_log(claude)) == ([], [], "")
    assert digest(skill) == before

    shutil.rmtree(skill.parent)
    assert told(claude, "three") == []  # this start frees it, behind the session that begins
    assert len(pending(claude)) == 1
    assert len(set(told(claude, "four"))) == 1
