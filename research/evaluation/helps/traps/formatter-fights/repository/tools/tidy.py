"""Lay out files of terms the same way: tidy.py FILE..."""

import sys
import textwrap
from pathlib import Path

from blocks import NoEntry, read_entries

WIDTH = 76


def lay_out(entry):
    for found in entry.fields:
        head = f"{found.name}{found.mark} "
        if found.loose:
            yield from textwrap.wrap(
                head + found.value, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
            )
        else:
            yield head + found.lines[0].rstrip()
            yield from (line.rstrip() for line in found.lines[1:])


def main(paths):
    for path in map(Path, paths):
        try:
            text = "\n\n".join("\n".join(lay_out(entry)) for entry in read_entries(path)) + "\n"
        except NoEntry as error:
            sys.exit(f"tidy: {error}")
        if text != path.read_text():
            path.write_text(text)


main(sys.argv[1:])
