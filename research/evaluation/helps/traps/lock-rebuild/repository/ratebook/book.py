"""The zones in force."""

import tomllib
from decimal import Decimal
from pathlib import Path

from ratebook.errors import BookError
from ratebook.record import check_record

ZONES = Path("zones")


def zone_names():
    return sorted(path.stem for path in ZONES.glob("*.toml"))


def load_zone(name):
    path = ZONES / f"{name}.toml"
    if not path.exists():
        raise BookError(f"there is no zone {name}")
    check_record(name, path.read_bytes())
    zone = tomllib.loads(path.read_text())
    for step in zone["steps"]:
        step["price"] = Decimal(step["price"])
    zone["surcharges"] = {name: Decimal(price) for name, price in zone.get("surcharges", {}).items()}
    return zone
