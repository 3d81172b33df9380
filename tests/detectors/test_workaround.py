"""Whether the error of a run names what the agent itself took out before."""

from __future__ import annotations

import pytest

from mind_skills.detectors.timeline import Timeline
from mind_skills.detectors.workaround import broke_itself
from mind_skills.observations.model import Observation

MANY = 100_000
"""Who begins anew at each letter of so many takes minutes."""


def after_removing(row: str, error: str) -> bool:
    """Whether a run that fails with ``error`` after ``row`` was removed was broken by that."""
    change = Observation("tool", 1, action="edit", files=("src/shop.py",), change=f"-{row}", outcome="ok")
    run = Observation("tool", 2, action="run", command="make test", error=error, outcome="failed")
    return broke_itself(Timeline([change, run], failures=[1], changes=[0]), 1)


@pytest.mark.parametrize(
    ("row", "error", "broke"),
    [
        ("def load_prices(path):", "NameError: name 'load_prices' is not defined", True),
        ("function loadPrices(path) {", "ReferenceError: loadPrices is not defined", True),
        ("9load_prices = 1", "NameError: name 'load_prices' is not defined", True),
        ("éload_prices2 = 1", "NameError: name 'load_prices2' is not defined", True),
        ("_load_prices = 1", "NameError: name 'load_prices' is not defined", True),
        ("x = load_prices.parse", "AttributeError: other_prices", False),
        ("prices = 1", "NameError: name 'prices' is not defined", False),
        ("PRICES2024 = 1", "NameError: name 'PRICES2024' is not defined", False),
    ],
)
def test_a_name_of_several_words_that_was_taken_out_and_is_missed_was_broken(row: str, error: str, broke: bool) -> None:
    assert after_removing(row, error) is broke


@pytest.mark.parametrize("unit", ["a1", "1a", "A1", "éa", "a", "1", "é", "aB1", "a_"])
def test_a_name_without_end_is_gone_through_once(unit: str) -> None:
    assert after_removing("load_prices = 1", unit * MANY) is False
    assert after_removing(f"{unit * MANY}\n-load_prices = 1", "load_prices is missing") is True
