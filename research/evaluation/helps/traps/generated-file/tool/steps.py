"""What must pass before a change goes in."""

import sys
from pathlib import Path

from arrange import arrange
from cases import run_cases
from layout import look_at_layout

SERVICE = "guestbook"


def main(arguments):
    if arguments:
        print("usage: check", file=sys.stderr)
        return 2
    share = Path(sys.argv[0]).resolve().parent
    steps = (lambda: arrange(share, SERVICE), lambda: look_at_layout(SERVICE), run_cases)
    for step in steps:
        complaint = step()
        if complaint:
            print(complaint.rstrip(), file=sys.stderr)
            print("check: failed", file=sys.stderr)
            return 1
    print("check: ok")
    return 0
