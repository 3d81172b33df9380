"""Receipts."""

from ticketdesk import settings
from ticketdesk.house import desk


def lay_out_receipt(tickets, total):
    """Lines of a receipt: those of the tickets if it is a long one, and the sum."""
    if settings.long_receipt():
        for kind, count in tickets:
            yield f"{count:>3} {kind}"
    yield f"{desk()['desk']['name']}: {total} {desk()['desk']['currency']}"
