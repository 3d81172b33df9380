"""Dates and times."""

_MONTHS = "January February March April May June July August September October November December".split()


def date(words):
    return words


def month(words):
    """Of a date such as 2026-02-11: February."""
    return _MONTHS[int(words.split("-")[1]) - 1]


def clock(words):
    """Of hours such as 19.30: 19:30."""
    hours, _, minutes = words.partition(".")
    return f"{int(hours)}:{minutes or '00'}"
