"""Whether everything can be set."""

import configparser
import re
import sys
from pathlib import Path

from face import Face

_SPLIT = re.compile(r"([0-9]+) +[a-zA-Z\u00b0]{1,2}(?![\w])")
MOST, WIDE = 8, 64000


def find_wrong(face, text):
    """What is wrong with a text, or None."""
    if not face.can_set(text):
        return "cannot be set in Carto 9"
    match = _SPLIT.search(text)
    if match:
        return f"falls apart at {match[1]}"
    if face.measure(text) > WIDE:
        return "is too long"
    return None


def read_texts():
    """(place, text) of all that is set."""
    for path in sorted(Path("catalogue").glob("*.tsv")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            fields = line.split("\t")
            if len(fields) != 4:
                yield f"{path}:{number}", None
                continue
            yield f"{path}:{number}", fields[1]
    for path in sorted(Path("notices").glob("*.ini")):
        parser = configparser.ConfigParser(interpolation=None)
        parser.read(path, encoding="utf-8")
        for name, text in parser["notices"].items():
            yield f"{path}: {name}", text


def main():
    face = Face(Path(sys.argv[0]).resolve().with_name("carto9.fnt"))
    count, wrong = 0, []
    for place, text in read_texts():
        count += 1
        found = "has not four fields" if text is None else find_wrong(face, text)
        if found:
            wrong.append(f"proof: {place} {found}")
    for line in wrong[:MOST]:
        print(line, file=sys.stderr)
    if len(wrong) > MOST:
        print(f"proof: and {len(wrong) - MOST} more", file=sys.stderr)
    if wrong:
        return 1
    print(f"proof: {count} texts can be set")
    return 0
