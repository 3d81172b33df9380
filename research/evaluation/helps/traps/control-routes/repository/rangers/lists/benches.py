"""Lists and sums of benches."""

from collections import Counter


def search_place(benches, part):
    """The benches whose place has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [bench for bench in benches if all(word in bench.place.lower() for word in wanted)]


def find_painted_between(benches, first, last):
    """The benches with painted from first to last, both included."""
    return [bench for bench in benches if first <= bench.painted <= last]


def by_month_of_painted(benches):
    """How many benches each month has, by painted: (2024, 5) is May 2024."""
    counts = Counter((bench.painted.year, bench.painted.month) for bench in benches)
    return sorted(counts.items())


def mean_seats(benches):
    """The mean of seats, rounded to a tenth; None without benches."""
    values = [bench.seats for bench in benches]
    return round(sum(values) / len(values), 1) if values else None


def at_least_seats(benches, wanted):
    """The benches whose seats is at least what is wanted."""
    return [bench for bench in benches if bench.seats >= wanted]


def by_wood(benches):
    """Benches for each wood, in the order of the file."""
    found = {}
    for bench in benches:
        found.setdefault(bench.wood, []).append(bench)
    return found


def count_woods(benches):
    """How many benches there are of each wood, most first."""
    counts = Counter(bench.wood for bench in benches)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def find_broken(benches):
    """The benches that are marked as broken."""
    return [bench for bench in benches if bench.broken]


def with_remark(benches):
    """The benches that have a remark."""
    return [bench for bench in benches if bench.remark]


COLUMNS = ("code", "place", "painted", "seats", "wood")


def table_of_benches(benches):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(benches, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
