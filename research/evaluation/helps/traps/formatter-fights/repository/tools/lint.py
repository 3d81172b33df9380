"""Check files of terms: lint.py FILE..."""

import sys
from pathlib import Path

from blocks import LISTS, NoEntry, items_of, read_entries

ORDER = ("term", "kind", "aka", "see", "text")


def complaints(path, entries, terms):
    previous = ""
    for entry in entries:
        names = [found.name for found in entry.fields]
        first = entry.fields[0].number
        if sorted(set(names), key=ORDER.index if set(names) <= set(ORDER) else None) != names:
            yield first, f"fields {', '.join(names)}"
            continue
        if not {"term", "kind", "text"} <= set(names):
            yield first, "term, kind or text is missing"
            continue
        term = entry.get("term").value
        if term.lower() <= previous:
            yield first, f"{term} is not in its place"
        previous = term.lower()
        for name in LISTS:
            found = entry.get(name)
            if found and len(found.lines) > 1:
                yield found.number + 1, f"{name} goes on"
        for item in items_of(entry.get("see")):
            if item not in terms:
                yield entry.get("see").number, f"{item!r} is not a term"


def main(paths):
    try:
        files = {path: read_entries(path) for path in map(Path, paths)}
    except NoEntry as error:
        sys.exit(f"lint: {error}")
    terms = {entry.get("term").value for entries in files.values() for entry in entries if entry.get("term")}
    found = [(path, *complaint) for path, entries in files.items() for complaint in complaints(path, entries, terms)]
    for path, number, text in found:
        print(f"lint: {path}:{number}: {text}", file=sys.stderr)
    sys.exit(1 if found else 0)


main(sys.argv[1:])
