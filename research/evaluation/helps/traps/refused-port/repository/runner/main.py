"""The command."""

import sys
from pathlib import Path

from runner.processes import StackError, running

ROOT = Path(__file__).resolve().parents[1]


def main(arguments):
    try:
        match arguments:
            case ["check"]:
                with running(ROOT) as stack:
                    for name in stack.names:
                        stack.ask(name, "/health")
                        print(f"{name:<12}ok")
                return 0
            case ["call", name, path]:
                with running(ROOT) as stack:
                    print(stack.ask(name, path))
                return 0
    except StackError as error:
        print(f"stack: {error}", file=sys.stderr)
        return 1
    print("usage: stack check | stack call SERVICE PATH", file=sys.stderr)
    return 2
