"""The command."""

import sys
from pathlib import Path

from definition import read_definition
from errors import FlowError
from rows import compute_rows
from writer import write_table


def tables():
    return sorted(path.stem for path in Path("pipelines").glob("*.ini"))


def run(name):
    try:
        definition = read_definition(Path("pipelines", name).with_suffix(".ini"))
        count, target = write_table(definition, compute_rows(definition))
    except FlowError as error:
        print(f"flow: {name}: {error}", file=sys.stderr)
        return 1
    print(f"flow: {name}: {count} rows, {target}")
    return 0


def main(arguments):
    match arguments:
        case ["list"]:
            print("\n".join(tables()))
            return 0
        case ["all"]:
            return max(run(name) for name in tables())
        case ["run", name]:
            return run(name)
    print("usage: flow list | flow run NAME | flow all", file=sys.stderr)
    return 2
