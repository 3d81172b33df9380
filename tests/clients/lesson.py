"""A project with a bug, and a scripted session in which an agent finds it: what it learned is worth a skill."""

from __future__ import annotations

from typing import Any

from tests.clients.real_claude import Client

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


def write_project(client: Client) -> None:
    """The project of session one."""
    (client.project / "prices.py").write_text(CODE)
    (client.project / "test_prices.py").write_text(TEST)


def script_lesson(client: Client, name: str, last: list[str | dict[str, Any]] | None = None) -> None:
    """Session one: the test fails, a guess does not help, the cause is found and said, the edit, the test passes."""
    run = {"tool": "Bash", "input": {"command": "python3 -m unittest test_prices", "description": "Run the tests"}}
    path = str(client.project / "prices.py")
    guess = {"file_path": path, "old_string": "rounding=ROUND_HALF_UP", "new_string": "rounding='ROUND_HALF_EVEN'"}
    edit = {"file_path": path, "old_string": "Decimal(price)", "new_string": "Decimal(str(price))"}
    client.script(
        name,
        ["I run the test first.", run],
        ["It fails. I read the code.", {"tool": "Read", "input": {"file_path": path}}],
        ["The rounding mode may be wrong.", {"tool": "Edit", "input": guess}],
        [run],
        [CAUSE, {"tool": "Edit", "input": edit}],
        [run],
        last or ["Fixed: the test passes now. The cause was the float, which no rounding mode can repair."],
    )
