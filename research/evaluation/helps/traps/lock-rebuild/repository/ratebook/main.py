"""The command."""

import argparse
import sys
from decimal import Decimal

from ratebook.book import load_zone, zone_names
from ratebook.errors import BookError
from ratebook.quote import quote


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="rates")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("zones")
    command = commands.add_parser("quote")
    command.add_argument("zone")
    command.add_argument("weight", type=Decimal)
    command.add_argument("--express", dest="surcharges", action="append_const", const="express", default=[])
    options = parser.parse_args(arguments)
    try:
        if options.command == "zones":
            for name in zone_names():
                print(f"{name:<10}{load_zone(name)['name']}")
        else:
            zone = load_zone(options.zone)
            print(quote(zone, options.weight, options.surcharges), zone["currency"])
    except BookError as error:
        print(f"rates: {error}", file=sys.stderr)
        return 1
    return 0
