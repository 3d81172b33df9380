"""Count words."""

import re


def count_words(folder):
    for path in sorted(folder.rglob("*.txt")):
        body = path.read_text(encoding="utf-8").partition("\n\n")[2]
        yield path.relative_to(folder).with_suffix("").as_posix(), len(re.findall(r"\w+", body))
