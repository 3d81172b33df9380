"""The command of the switchboard."""

import os
import sys
from pathlib import Path

from switchboard.client import Client, NoAnswer

ROOT = Path(__file__).resolve().parents[1]


def main(arguments):
    client = Client(ROOT, os.environ.get("SWITCH_SITE", ""))
    try:
        match arguments:
            case ["list"]:
                for name, value in client.list().items():
                    print(f"{name} = {value}")
            case ["get", name]:
                print(client.get(name))
            case ["set", name, value]:
                print(f"{name} = {client.set(name, value)}")
            case _:
                print("usage: switch list | get NAME | set NAME VALUE", file=sys.stderr)
                return 2
    except NoAnswer as error:
        print(f"switch: {error}", file=sys.stderr)
        return 1
    return 0
