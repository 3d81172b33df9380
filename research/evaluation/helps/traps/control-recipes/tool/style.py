"""The style of the house: style.pyz FOLDER..."""

import ast
import sys
from pathlib import Path

LONGEST = 140


def find_wrong(path):
    text = path.read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > LONGEST:
            yield number, "is too long"
        if line != line.rstrip():
            yield number, "has spaces at its end"
        if "\t" in line:
            yield number, "has a tab"
    try:
        ast.parse(text)
    except SyntaxError as error:
        yield error.lineno, "is not Python"


def main(folders):
    wrong = 0
    for folder in folders:
        for path in sorted(Path(folder).rglob("*.py")):
            for number, text in find_wrong(path):
                print(f"style: {path}:{number} {text}", file=sys.stderr)
                wrong += 1
    return 1 if wrong else 0
