"""The command."""

import importlib
import sys
from pathlib import Path

from meters.reading import read_file

REPORTS = Path(__file__).parent / "reports"


def has_report(name):
    return (REPORTS / f"{name}.py").exists()


def make_report(name, path):
    return list(importlib.import_module(f"meters.reports.{name}").lines(read_file(path)))


def main(arguments):
    if len(arguments) != 2 or not has_report(arguments[0]):
        print("usage: meter REPORT FILE", file=sys.stderr)
        return 2
    print("\n".join(make_report(*arguments)))
    return 0
