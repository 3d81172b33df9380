"""Entries of a time sheet."""

from dataclasses import dataclass

from worklog.duration import parse_duration


@dataclass
class Entry:
    project: str
    minutes: int
    note: str = ""


def _is_duration(word):
    return word[:-1].isdigit() and word[-1] in "dhm"


def parse_sheet(text):
    """The entries of a sheet; ValueError names the line that is none."""
    entries = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words:
            continue
        end = 1
        while end < len(words) and _is_duration(words[end]):
            end += 1
        if end == 1:
            raise ValueError(f"line {number}: no duration")
        entries.append(Entry(words[0], parse_duration(" ".join(words[1:end])), " ".join(words[end:])))
    return entries


def total(entries):
    """Minutes of all entries."""
    return sum(entry.minutes for entry in entries)


def by_project(entries):
    """Minutes of each project, in order of first appearance."""
    sums = {}
    for entry in entries:
        sums[entry.project] = sums.get(entry.project, 0) + entry.minutes
    return sums
