"""Renew the lock."""

import argparse
import sys

from lockbook import LOCK, LockError, digest_of, link, read_lock
from sources import read_zones


def renew():
    """Write the lock; return how many zones there are and how many lines are not as they were."""
    zones = read_zones()
    try:
        recorded = read_lock()
    except LockError:
        recorded = {}
    above, lines, renewed = "", [], 0
    for name, data in sorted(zones.items()):
        content = digest_of(data)
        renewed += content != recorded.get(name, ("", ""))[0]
        above = link(name, content, above)
        lines.append(f"{name} {content} {above}\n")
    LOCK.write_text("".join(lines))
    return len(zones), renewed


def main(arguments):
    argparse.ArgumentParser(prog="relock", description="Renew book.lock.").parse_args(arguments)
    try:
        count, renewed = renew()
    except LockError as error:
        print(f"relock: {error}", file=sys.stderr)
        return 1
    print(f"relock: {count} zones, {renewed} renewed")
    return 0
