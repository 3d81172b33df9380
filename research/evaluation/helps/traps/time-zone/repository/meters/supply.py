"""What accounts know of a building."""

import sqlite3
from decimal import Decimal
from functools import cache
from pathlib import Path

FILE = Path(__file__).resolve().parents[1] / "share" / "accounts.db"


@cache
def _base():
    return sqlite3.connect(f"file:{FILE}?mode=ro", uri=True)


@cache
def contract_of(building):
    """The name of the contract of a building. Raises KeyError."""
    row = _base().execute("select contract from site where code = ?", (building,)).fetchone()
    if row is None:
        raise KeyError(building)
    return row[0]


@cache
def price_of(building):
    """The price of a kilowatt-hour."""
    query = "select price from contract where code = ?"
    return Decimal(_base().execute(query, (contract_of(building),)).fetchone()[0])
