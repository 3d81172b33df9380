"""Files of rows."""

import csv
from pathlib import Path

from rangers.kit.fields import BadField

FOLDER = Path(__file__).resolve().parents[2] / "data"


class Store:
    """The rows of a file in data/, as values of one kind."""

    def __init__(self, name, parse, render, key):
        self.name, self.parse, self.render, self.key = name, parse, render, key

    @property
    def path(self):
        return FOLDER / f"{self.name}.csv"

    def read(self):
        """All values; BadField names the line that has none."""
        with open(self.path, newline="", encoding="utf-8") as file:
            found = []
            for number, row in enumerate(csv.DictReader(file), 2):
                try:
                    found.append(self.parse(row))
                except BadField as error:
                    raise BadField(f"{self.path.name}:{number}: {error}") from None
        return found

    def get(self, key):
        """The value with a key. Raises KeyError."""
        for value in self.read():
            if getattr(value, self.key) == key:
                return value
        raise KeyError(key)

    def write(self, values, target):
        """Write values to another file, in the form in which they are read."""
        rows = [self.render(value) for value in values]
        with open(target, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]) if rows else [self.key], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
