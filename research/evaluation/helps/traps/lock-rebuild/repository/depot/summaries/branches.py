"""Lists and sums of branches."""

from collections import Counter


def search_town(branches, part):
    """The branches whose town has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [branch for branch in branches if all(word in branch.town.lower() for word in wanted)]


def select_since_between(branches, first, last):
    """The branches with since from first to last, both included."""
    return [branch for branch in branches if first <= branch.since <= last]


def per_month_of_since(branches):
    """How many branches each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((branch.since.year, branch.since.month) for branch in branches)
    return sorted(counts.items())


def mean_scales(branches):
    """The mean of scales, rounded to a tenth; None without branches."""
    values = [branch.scales for branch in branches]
    return round(sum(values) / len(values), 1) if values else None


def at_least_scales(branches, wanted):
    """The branches whose scales is at least what is wanted."""
    return [branch for branch in branches if branch.scales >= wanted]


def per_kind(branches):
    """Branches for each kind, in the order of the file."""
    found = {}
    for branch in branches:
        found.setdefault(branch.kind, []).append(branch)
    return found


def count_kinds(branches):
    """How many branches there are of each kind, most first."""
    counts = Counter(branch.kind for branch in branches)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_parcels(branches):
    """The mean of parcels, rounded to a tenth; None without branches."""
    values = [branch.parcels for branch in branches]
    return round(sum(values) / len(values), 1) if values else None


def at_least_parcels(branches, wanted):
    """The branches whose parcels is at least what is wanted."""
    return [branch for branch in branches if branch.parcels >= wanted]


def select_closed(branches):
    """The branches that are marked as closed."""
    return [branch for branch in branches if branch.closed]


COLUMNS = ("code", "town", "since", "scales", "kind")


def table_of_branches(branches):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(branches, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
