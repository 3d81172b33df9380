"""The command."""

import sys
from pathlib import Path

from hosting import host
from processes import StackError, read_services, running


def main(arguments):
    root = Path.cwd()
    try:
        match arguments:
            case ["--host", address, *services]:
                return host(root, address, services)
            case ["check"]:
                with running(root) as stack:
                    for name in stack.names:
                        stack.ask(name, "/health")
                        print(f"{name:<12}ok")
                return 0
            case ["call", name, path]:
                with running(root) as stack:
                    print(stack.ask(name, path))
                return 0
            case ["ports"]:
                for name, row in sorted(read_services(root).items(), key=lambda item: item[1]["port"]):
                    print(f"{row['port']:>6} {name}")
                return 0
    except StackError as error:
        print(f"stack: {error}", file=sys.stderr)
        return 1
    print("usage: stack check | stack call SERVICE PATH | stack ports", file=sys.stderr)
    return 2
