"""Show an entry as the website has it."""

import sys
from pathlib import Path

from blocks import LISTS, items_of, read_entries


def main(arguments):
    if len(arguments) != 1:
        print("usage: show TERM", file=sys.stderr)
        return 2
    for path in sorted(Path("terms").glob("*.txt")):
        for entry in read_entries(path):
            if entry.get("term") and entry.get("term").value == arguments[0]:
                for found in entry.fields:
                    if found.name in LISTS:
                        print(f"{found.name}:")
                        for item in items_of(found):
                            print(f"  - {item}")
                    else:
                        print(f"{found.name}: {found.value}")
                return 0
    print(f"show: there is no {arguments[0]}", file=sys.stderr)
    return 1
