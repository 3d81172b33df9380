"""Lists and sums of badges."""

from collections import Counter


def search_title(badges, part):
    """The badges whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [badge for badge in badges if all(word in badge.title.lower() for word in wanted)]


def pick_since_between(badges, first, last):
    """The badges with since from first to last, both included."""
    return [badge for badge in badges if first <= badge.since <= last]


def group_by_month_of_since(badges):
    """How many badges each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((badge.since.year, badge.since.month) for badge in badges)
    return sorted(counts.items())


def mean_given(badges):
    """The mean of given, rounded to a tenth; None without badges."""
    values = [badge.given for badge in badges]
    return round(sum(values) / len(values), 1) if values else None


def at_least_given(badges, wanted):
    """The badges whose given is at least what is wanted."""
    return [badge for badge in badges if badge.given >= wanted]


def group_by_kind(badges):
    """Badges for each kind, in the order of the file."""
    found = {}
    for badge in badges:
        found.setdefault(badge.kind, []).append(badge)
    return found


def count_kinds(badges):
    """How many badges there are of each kind, most first."""
    counts = Counter(badge.kind for badge in badges)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "title", "since", "given", "kind")


def table_of_badges(badges):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(badges, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
