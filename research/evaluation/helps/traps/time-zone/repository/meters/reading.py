"""Readings of meters."""

import csv
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Reading:
    building: str
    moment: int
    used: Decimal


def read_file(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [Reading(building, int(moment), Decimal(used)) for building, moment, used in csv.reader(file)]
