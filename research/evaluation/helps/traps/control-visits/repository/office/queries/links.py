"""Lists and sums of links."""

from collections import Counter


def search_title(links, part):
    """The links whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [link for link in links if all(word in link.title.lower() for word in wanted)]


def pick_seen_between(links, first, last):
    """The links with seen from first to last, both included."""
    return [link for link in links if first <= link.seen <= last]


def group_by_month_of_seen(links):
    """How many links each month has, by seen: (2024, 5) is May 2024."""
    counts = Counter((link.seen.year, link.seen.month) for link in links)
    return sorted(counts.items())


def mean_hits(links):
    """The mean of hits, rounded to a tenth; None without links."""
    values = [link.hits for link in links]
    return round(sum(values) / len(values), 1) if values else None


def at_least_hits(links, wanted):
    """The links whose hits is at least what is wanted."""
    return [link for link in links if link.hits >= wanted]


def group_by_kind(links):
    """Links for each kind, in the order of the file."""
    found = {}
    for link in links:
        found.setdefault(link.kind, []).append(link)
    return found


def count_kinds(links):
    """How many links there are of each kind, most first."""
    counts = Counter(link.kind for link in links)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_dead(links):
    """The links that are marked as dead."""
    return [link for link in links if link.dead]


COLUMNS = ("code", "title", "seen", "hits", "kind")


def table_of_links(links):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(links, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
