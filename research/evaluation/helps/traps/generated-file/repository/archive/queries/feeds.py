"""Lists and sums of feeds."""

from collections import Counter


def search_title(feeds, part):
    """The feeds whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [feed for feed in feeds if all(word in feed.title.lower() for word in wanted)]


def pick_since_between(feeds, first, last):
    """The feeds with since from first to last, both included."""
    return [feed for feed in feeds if first <= feed.since <= last]


def group_by_month_of_since(feeds):
    """How many feeds each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((feed.since.year, feed.since.month) for feed in feeds)
    return sorted(counts.items())


def mean_items(feeds):
    """The mean of items, rounded to a tenth; None without feeds."""
    values = [feed.items for feed in feeds]
    return round(sum(values) / len(values), 1) if values else None


def at_least_items(feeds, wanted):
    """The feeds whose items is at least what is wanted."""
    return [feed for feed in feeds if feed.items >= wanted]


def group_by_state(feeds):
    """Feeds for each state, in the order of the file."""
    found = {}
    for feed in feeds:
        found.setdefault(feed.state, []).append(feed)
    return found


def count_states(feeds):
    """How many feeds there are of each state, most first."""
    counts = Counter(feed.state for feed in feeds)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "title", "since", "items", "state")


def table_of_feeds(feeds):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(feeds, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
