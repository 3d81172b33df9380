"""Entries of a file of terms."""

import re
from dataclasses import dataclass, field

LINE = re.compile(r"([a-z]+)(:{1,2})\s+(\S.*)")
LISTS = ("aka", "see")


@dataclass
class Field:
    name: str
    mark: str
    lines: list[str]
    number: int

    @property
    def value(self):
        return " ".join(line.strip() for line in self.lines)

    @property
    def loose(self):
        return len(self.mark) == 1


@dataclass
class Entry:
    fields: list[Field] = field(default_factory=list)

    def get(self, name):
        return next((found for found in self.fields if found.name == name), None)


class NoEntry(Exception):
    pass


def read_entries(path):
    entries = [Entry()]
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = LINE.fullmatch(line)
        if not line.strip():
            entries.append(Entry())
        elif match:
            entries[-1].fields.append(Field(match[1], match[2], [match[3]], number))
        elif line.startswith(" ") and entries[-1].fields:
            entries[-1].fields[-1].lines.append(line)
        else:
            raise NoEntry(f"{path}:{number}: neither a field nor its continuation")
    return [entry for entry in entries if entry.fields]


def items_of(found):
    return [item.strip() for item in found.value.split(",")] if found else []
