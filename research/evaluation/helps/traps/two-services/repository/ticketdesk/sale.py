"""What tickets cost."""

from decimal import Decimal

from ticketdesk import settings
from ticketdesk.house import price

CENT = Decimal("0.01")


class Refused(Exception):
    """A sale that must not be."""


def price_of(tickets, limited=True):
    """The sum for a list of (kind, count). Raises Refused."""
    if limited and sum(count for _, count in tickets) > settings.largest_group():
        raise Refused(f"more than {settings.largest_group()} tickets at once")
    total = Decimal(0)
    for kind, count in tickets:
        if price(kind) is None:
            raise Refused(f"no tickets for {kind}")
        if kind == "dog" and not settings.dogs():
            raise Refused("no dogs today")
        total += price(kind) * count
    return (total * (100 - settings.discount()) / 100).quantize(CENT)
