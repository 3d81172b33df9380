"""Lists and sums of paths."""

from collections import Counter


def search_title(paths, part):
    """The paths whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [path for path in paths if all(word in path.title.lower() for word in wanted)]


def find_walked_between(paths, first, last):
    """The paths with walked from first to last, both included."""
    return [path for path in paths if first <= path.walked <= last]


def by_month_of_walked(paths):
    """How many paths each month has, by walked: (2024, 5) is May 2024."""
    counts = Counter((path.walked.year, path.walked.month) for path in paths)
    return sorted(counts.items())


def mean_metres(paths):
    """The mean of metres, rounded to a tenth; None without paths."""
    values = [path.metres for path in paths]
    return round(sum(values) / len(values), 1) if values else None


def at_least_metres(paths, wanted):
    """The paths whose metres is at least what is wanted."""
    return [path for path in paths if path.metres >= wanted]


def by_state(paths):
    """Paths for each state, in the order of the file."""
    found = {}
    for path in paths:
        found.setdefault(path.state, []).append(path)
    return found


def count_states(paths):
    """How many paths there are of each state, most first."""
    counts = Counter(path.state for path in paths)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def find_wide(paths):
    """The paths that are marked as wide."""
    return [path for path in paths if path.wide]


COLUMNS = ("code", "title", "walked", "metres", "state")


def table_of_paths(paths):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(paths, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
