"""Write a table."""

import csv
from pathlib import Path


def header_of(columns):
    return [name.removeprefix(".") for name, _ in columns]


def write_table(definition, rows):
    target = Path("out", definition.name).with_suffix(".csv")
    rows = list(rows)
    target.parent.mkdir(exist_ok=True)
    with open(target, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header_of(definition.columns))
        writer.writerows(rows)
    return len(rows), target
