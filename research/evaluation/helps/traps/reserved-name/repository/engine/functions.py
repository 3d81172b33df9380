"""The functions of expressions."""

import csv
from decimal import Decimal
from functools import cache


@cache
def _rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def lookup(path, key, wanted, value):
    return next((row[wanted] for row in _rows(path) if row[key] == value), "")


FUNCTIONS = {
    "if_empty": lambda value, other: value or other,
    "left": lambda value, count: value[:count],
    "lookup": lookup,
    "money": lambda value: f"{round(Decimal(str(value)), 2):.2f}",
    "number": float,
    "trim": str.strip,
    "upper": str.upper,
}
