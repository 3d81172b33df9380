"""What tickets cost."""

from decimal import Decimal

from ticketdesk import settings
from ticketdesk.house import desk


class Refused(Exception):
    pass


def price_of(tickets):
    """The sum for a list of (kind, count)."""
    if sum(count for _, count in tickets) > settings.largest_group():
        raise Refused(f"more than {settings.largest_group()} tickets at once")
    total = Decimal(0)
    for kind, count in tickets:
        if kind not in desk()["prices"]:
            raise Refused(f"no tickets for {kind}")
        total += Decimal(desk()["prices"][kind]) * count
    return (total * (100 - settings.discount()) / 100).quantize(Decimal("0.01"))
