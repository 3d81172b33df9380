"""Reports for people."""

from worklog.duration import UNITS, format_duration
from worklog.sheet import by_project, total

WORDS = {"d": "day", "h": "hour", "m": "minute"}


def describe_duration(minutes):
    """Such as "1 day, 2 hours"."""
    parts = []
    for unit, word in WORDS.items():
        count, minutes = divmod(minutes, UNITS[unit])
        if count:
            parts.append(f"{count} {word}" + ("s" if count > 1 else ""))
    return ", ".join(parts) or "nothing"


def text_report(entries):
    """A line for each project, and the sum."""
    lines = [f"{project:<12}{format_duration(minutes)}" for project, minutes in by_project(entries).items()]
    lines.append(f"{'total':<12}{format_duration(total(entries))}")
    return "\n".join(lines)
