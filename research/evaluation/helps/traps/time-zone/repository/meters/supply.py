"""The contract of each building."""

import json
from decimal import Decimal
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "tariffs"


@cache
def contract_of(building):
    buildings = json.loads((FOLDER / "buildings.json").read_text())
    return json.loads((FOLDER / f"{buildings[building]}.json").read_text())


def price_of(building, used):
    return used * Decimal(contract_of(building)["price"])
