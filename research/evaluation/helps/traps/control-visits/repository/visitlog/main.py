"""The command."""

import sys

from visitlog.line import read_log
from visitlog.summary import SUMMARIES


def main(arguments):
    if len(arguments) != 2 or arguments[0] not in SUMMARIES:
        print(f"usage: visits {'|'.join(SUMMARIES)} LOG", file=sys.stderr)
        return 2
    for line in SUMMARIES[arguments[0]](read_log(arguments[1])):
        print(line)
    return 0
