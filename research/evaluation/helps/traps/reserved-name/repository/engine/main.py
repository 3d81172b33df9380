"""The command."""

import sys
from pathlib import Path

from engine.definition import read_definition
from engine.errors import FlowError
from engine.rows import compute_rows
from engine.writer import write_table


def main(arguments):
    match arguments:
        case ["list"]:
            print("\n".join(sorted(path.stem for path in Path("pipelines").glob("*.ini"))))
            return 0
        case ["run", name]:
            try:
                definition = read_definition(Path("pipelines", name).with_suffix(".ini"))
                count, target = write_table(definition, compute_rows(definition))
            except FlowError as error:
                print(f"flow: {name}: {error}", file=sys.stderr)
                return 1
            print(f"flow: {name}: {count} rows, {target}")
            return 0
    print("usage: flow list | flow run NAME", file=sys.stderr)
    return 2
