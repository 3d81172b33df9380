"""Lists and sums of exhibits."""

from collections import Counter


def search_title(exhibits, part):
    """The exhibits whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [exhibit for exhibit in exhibits if all(word in exhibit.title.lower() for word in wanted)]


def group_by_hall(exhibits):
    """Exhibits for each hall, in the order of the file."""
    found = {}
    for exhibit in exhibits:
        found.setdefault(exhibit.hall, []).append(exhibit)
    return found


def count_halls(exhibits):
    """How many exhibits there are of each hall, most first."""
    counts = Counter(exhibit.hall for exhibit in exhibits)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_since_between(exhibits, first, last):
    """The exhibits with since from first to last, both included."""
    return [exhibit for exhibit in exhibits if first <= exhibit.since <= last]


def group_by_month_of_since(exhibits):
    """How many exhibits each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((exhibit.since.year, exhibit.since.month) for exhibit in exhibits)
    return sorted(counts.items())


def mean_cases(exhibits):
    """The mean of cases, rounded to a tenth; None without exhibits."""
    values = [exhibit.cases for exhibit in exhibits]
    return round(sum(values) / len(values), 1) if values else None


def at_least_cases(exhibits, wanted):
    """The exhibits whose cases is at least what is wanted."""
    return [exhibit for exhibit in exhibits if exhibit.cases >= wanted]


def pick_loaned(exhibits):
    """The exhibits that are marked as loaned."""
    return [exhibit for exhibit in exhibits if exhibit.loaned]


def with_remark(exhibits):
    """The exhibits that have a remark."""
    return [exhibit for exhibit in exhibits if exhibit.remark]


COLUMNS = ("code", "title", "hall", "since", "cases")


def table_of_exhibits(exhibits):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(exhibits, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
