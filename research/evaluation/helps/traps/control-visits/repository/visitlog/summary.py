"""Summaries: functions from visits to lines."""

from collections import Counter


def pages(visits):
    """Pages that were found, most visited first."""
    counts = Counter(visit.path for visit in visits if visit.status == 200)
    for path, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:>5} {path}"


def days(visits):
    """Visits of each day."""
    for date, count in sorted(Counter(visit.date for visit in visits).items()):
        yield f"{date} {count}"


SUMMARIES = {"pages": pages, "days": days}
