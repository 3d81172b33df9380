"""The zones in force."""

import sys
import tomllib
from decimal import Decimal
from pathlib import Path

from ratebook.errors import BookError

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "share" / "lock.pyz"))

from lockbook import LockError, check_record

ZONES = Path("zones")


def zone_names():
    return sorted(path.stem for path in ZONES.glob("*.toml"))


def load_zone(name):
    """A zone, if it is in force. Raises BookError."""
    path = ZONES / f"{name}.toml"
    if not path.exists():
        raise BookError(f"there is no zone {name}")
    try:
        check_record(name, path.read_bytes())
    except LockError as error:
        raise BookError(str(error)) from None
    zone = tomllib.loads(path.read_text(encoding="utf-8"))
    for step in zone["steps"]:
        step["price"] = Decimal(step["price"])
    zone["surcharges"] = {name: Decimal(price) for name, price in zone.get("surcharges", {}).items()}
    return zone
