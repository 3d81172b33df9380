"""The command of the desk."""

import sys

from switchboard.client import NoAnswer
from ticketdesk import settings
from ticketdesk.house import desk
from ticketdesk.sale import Refused, price_of


def sell(words):
    tickets = [(kind, int(count)) for kind, count in zip(words[::2], words[1::2], strict=True)]
    total = price_of(tickets)
    if settings.long_receipt():
        for kind, count in tickets:
            print(f"{count:>3} {kind}")
    print(f"{desk()['desk']['name']}: {total} {desk()['desk']['currency']}")


COMMANDS = {"sell": sell}


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
