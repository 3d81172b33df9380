"""Prices of parcels."""

from decimal import Decimal

from ratebook.errors import BookError


def quote(zone, weight, surcharges=()):
    for step in zone["steps"]:
        if weight <= Decimal(step["to"]):
            price = step["price"]
            break
    else:
        raise BookError(f"{weight} kg is more than {zone['name']} takes")
    for name in surcharges:
        if name not in zone["surcharges"]:
            raise BookError(f"{zone['name']} has no surcharge {name}")
        price += zone["surcharges"][name]
    return price
