"""A project with a bug, and a scripted session in which an agent finds it: what it learned is worth a skill."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.clients.client import Block, Client, Turn

CODE = """from decimal import ROUND_HALF_UP, Decimal


def cents(price):
    return int(Decimal(price).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP) * 100)
"""
TEST = """import unittest

from prices import cents


class PricesTest(unittest.TestCase):
    def test_half_a_cent_is_rounded_up(self):
        self.assertEqual(268, cents(2.675))
"""
CAUSE = (
    "It turns out that Decimal(2.675) is 2.67499..., because the price is already a float: no rounding mode can help. "
    "The root cause is the float, so the fix is to go through str()."
)
PROMPT = "The prices test fails, please fix it."
RUN = {"tool": "Bash", "input": {"command": "python3 -m unittest test_prices", "description": "Run the tests"}}
LOOK = {"tool": "Bash", "input": {"command": "ls", "description": "Look around"}}


def bash(command: str) -> Block:
    return {"tool": "Bash", "input": {"command": command, "description": "As it was asked"}}


def write_project(client: Client) -> None:
    """The project of session one."""
    (client.project / "prices.py").write_text(CODE)
    (client.project / "test_prices.py").write_text(TEST)


def edit(client: Client, old: str, new: str) -> Block:
    """A change of the project's code."""
    return {
        "tool": "Edit",
        "input": {"file_path": str(client.project / "prices.py"), "old_string": old, "new_string": new},
    }


def read(client: Client) -> Block:
    return {"tool": "Read", "input": {"file_path": str(client.project / "prices.py")}}


def script_lesson(client: Client, name: str = "one", last: Turn = ()) -> None:
    """The test fails, a guess does not help, the cause is found and said, the edit, the test passes."""
    client.script(
        name,
        ["I run the test first.", RUN],
        ["It fails. I read the code.", read(client)],
        ["The rounding mode may be wrong.", edit(client, "rounding=ROUND_HALF_UP", "rounding='ROUND_HALF_EVEN'")],
        [RUN],
        [CAUSE, edit(client, "Decimal(price)", "Decimal(str(price))")],
        [RUN],
        last or ["Fixed: the test passes now. The cause was the float, which no rounding mode can repair."],
    )


def learns(client: Client, *more: str) -> None:
    """Session one, to the end of everything of ours behind it."""
    write_project(client)
    script_lesson(client)
    ran = client.say(PROMPT, *more)
    assert (ran.code, "Failed" in ran.stderr) == (0, False), ran.stdout + ran.stderr
    client.settled()


def learned(client: Client) -> str:
    """Session one has been, was told nothing, and its candidate waits; returns its id."""
    learns(client)
    assert (client.hook_log(), client.spool(), client.told("one")) == ("", [], [[]] * 7)
    (waiting,) = client.pending()
    assert (waiting.get("injectedAt"), waiting["host"]) == (None, client.host)
    return str(waiting["id"])


def skill(
    client: Client, candidate: str, name: str = "exact-money", folder: str = ".claude/skills"
) -> tuple[Path, Any]:
    """Where a skill that came of a candidate belongs, and the call that writes it."""
    path = client.project / folder / name / "SKILL.md"
    front = f"name: {name}\ndescription: Use when prices are floats.\nmetadata:\n  candidate: {candidate}"
    text = f"---\n{front}\n---\nUse str().\n"
    return path, {"tool": "Write", "input": {"file_path": str(path), "content": text}}
