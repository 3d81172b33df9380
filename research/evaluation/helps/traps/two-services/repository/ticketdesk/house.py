"""What the desk is, and what its tickets cost."""

import configparser
from decimal import Decimal
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@cache
def desk():
    parser = configparser.ConfigParser()
    parser.read(ROOT / "conf" / "desk.ini", encoding="utf-8")
    return parser


def price(kind):
    """The price of one ticket, or None if there are none of the kind."""
    text = desk()["prices"].get(kind)
    return None if text is None else Decimal(text)


def kinds():
    return list(desk()["prices"])
