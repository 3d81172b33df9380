"""Durations as people write them, in minutes."""

import re

UNITS = {"d": 480, "h": 60, "m": 1}

_PART = re.compile(r"(\d+)([a-z])")


def parse_duration(text):
    """Minutes of a text such as "1d 2h"; ValueError if it is none."""
    minutes = 0
    for word in text.split():
        match = _PART.fullmatch(word)
        if match is None or match[2] not in UNITS:
            raise ValueError(f"not a duration: {text!r}")
        minutes += int(match[1]) * UNITS[match[2]]
    if not text.strip():
        raise ValueError("an empty duration")
    return minutes


def format_duration(minutes):
    """The text of a number of minutes, largest unit first."""
    parts = []
    for unit in ("d", "h", "m"):
        count, minutes = divmod(minutes, UNITS[unit])
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0m"
