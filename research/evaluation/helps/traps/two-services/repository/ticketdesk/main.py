"""The command of the desk."""

import sys

from ticketdesk.house import desk, kinds, price
from ticketdesk.receipts import lay_out_receipt
from ticketdesk.sale import Refused, price_of
from ticketdesk.wiring import NoAnswer


def sell(words):
    tickets = [(kind, int(count)) for kind, count in zip(words[::2], words[1::2], strict=True)]
    print("\n".join(lay_out_receipt(tickets, price_of(tickets))))


def quote(words):
    """What a group would pay that may be larger than those that are let in at once."""
    count, kind = words
    total = price_of([(kind, int(count))], limited=False)
    print(f"{count} {kind}: {total} {desk()['desk']['currency']}")


def prices(words):
    if words:
        raise ValueError("prices takes no words")
    for kind in kinds():
        print(f"{kind:<10}{price(kind):>7}")


COMMANDS = {"sell": sell, "quote": quote, "prices": prices}


def main(arguments):
    if not arguments or arguments[0] not in COMMANDS:
        print(f"usage: desk {'|'.join(COMMANDS)} ...", file=sys.stderr)
        return 2
    try:
        COMMANDS[arguments[0]](arguments[1:])
    except (Refused, NoAnswer, ValueError) as error:
        print(f"desk: {error}", file=sys.stderr)
        return 1
    return 0
