"""Consumption and price of each building."""

from decimal import Decimal

from meters.supply import price_of


def lines(readings):
    sums = {}
    for reading in readings:
        sums[reading.building] = sums.get(reading.building, Decimal(0)) + reading.used
    for building, used in sorted(sums.items()):
        yield f"{building},{used:.1f},{price_of(building, used):.2f}"
