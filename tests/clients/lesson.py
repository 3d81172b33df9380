"""A project with a bug, and a scripted session whose agent finds the cause, which is worth a skill."""

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
    """Write the project with the bug."""
    (client.project / "prices.py").write_text(CODE)
    (client.project / "test_prices.py").write_text(TEST)


def edit(client: Client, old: str, new: str) -> Block:
    """Build a call that changes the project's code."""
    return {
        "tool": "Edit",
        "input": {"file_path": str(client.project / "prices.py"), "old_string": old, "new_string": new},
    }


def read(client: Client) -> Block:
    return {"tool": "Read", "input": {"file_path": str(client.project / "prices.py")}}


def script_lesson(client: Client, name: str = "one", last: Turn = ()) -> None:
    """Script the session: the test fails, a guess does not help, the cause is found and stated, the edit, the test passes."""
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


def run_lesson(client: Client, *more: str) -> None:
    """Run the session, and wait for the end of our processes."""
    write_project(client)
    script_lesson(client)
    ran = client.say(PROMPT, *more)
    assert (ran.code, "Failed" in ran.stderr) == (0, False), ran.stdout + ran.stderr
    client.wait_until_settled()


def stage_lesson(client: Client) -> str:
    """Run the session, check that it received no offer, and return the id of its pending candidate."""
    run_lesson(client)
    assert (client.hook_log(), client.spool(), client.list_offers("one")) == ("", [], [[]] * 7)
    (waiting,) = client.pending()
    assert (waiting.get("injectedAt"), waiting["host"]) == (None, client.host)
    return str(waiting["id"])


def build_skill_call(
    client: Client, candidate: str, name: str = "exact-money", folder: str = ".claude/skills"
) -> tuple[Path, Any]:
    """Return the path of a skill for a candidate, and the call that writes it."""
    path = client.project / folder / name / "SKILL.md"
    front = f"name: {name}\ndescription: Use when prices are floats.\nmetadata:\n  candidate: {candidate}"
    text = f"---\n{front}\n---\nUse Decimal(str(price)) in prices.py.\n"
    return path, {"tool": "Write", "input": {"file_path": str(path), "content": text}}
