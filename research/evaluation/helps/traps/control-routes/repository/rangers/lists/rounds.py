"""Lists and sums of rounds."""

from collections import Counter


def find_day_between(rounds, first, last):
    """The rounds with day from first to last, both included."""
    return [round_walk for round_walk in rounds if first <= round_walk.day <= last]


def by_month_of_day(rounds):
    """How many rounds each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((round_walk.day.year, round_walk.day.month) for round_walk in rounds)
    return sorted(counts.items())


def mean_minutes(rounds):
    """The mean of minutes, rounded to a tenth; None without rounds."""
    values = [round_walk.minutes for round_walk in rounds]
    return round(sum(values) / len(values), 1) if values else None


def at_least_minutes(rounds, wanted):
    """The rounds whose minutes is at least what is wanted."""
    return [round_walk for round_walk in rounds if round_walk.minutes >= wanted]


def mean_finds(rounds):
    """The mean of finds, rounded to a tenth; None without rounds."""
    values = [round_walk.finds for round_walk in rounds]
    return round(sum(values) / len(values), 1) if values else None


def at_least_finds(rounds, wanted):
    """The rounds whose finds is at least what is wanted."""
    return [round_walk for round_walk in rounds if round_walk.finds >= wanted]


def by_way(rounds):
    """Rounds for each way, in the order of the file."""
    found = {}
    for round_walk in rounds:
        found.setdefault(round_walk.way, []).append(round_walk)
    return found


def count_ways(rounds):
    """How many rounds there are of each way, most first."""
    counts = Counter(round_walk.way for round_walk in rounds)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "day", "minutes", "finds", "way")


def table_of_rounds(rounds):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(rounds, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
