"""Lists and sums of blocks."""

from collections import Counter


def search_net(blocks, part):
    """The blocks whose net has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [block for block in blocks if all(word in block.net.lower() for word in wanted)]


def pick_since_between(blocks, first, last):
    """The blocks with since from first to last, both included."""
    return [block for block in blocks if first <= block.since <= last]


def group_by_month_of_since(blocks):
    """How many blocks each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((block.since.year, block.since.month) for block in blocks)
    return sorted(counts.items())


def pick_until_between(blocks, first, last):
    """The blocks with until from first to last, both included."""
    return [block for block in blocks if first <= block.until <= last]


def group_by_month_of_until(blocks):
    """How many blocks each month has, by until: (2024, 5) is May 2024."""
    counts = Counter((block.until.year, block.until.month) for block in blocks)
    return sorted(counts.items())


def group_by_kind(blocks):
    """Blocks for each kind, in the order of the file."""
    found = {}
    for block in blocks:
        found.setdefault(block.kind, []).append(block)
    return found


def count_kinds(blocks):
    """How many blocks there are of each kind, most first."""
    counts = Counter(block.kind for block in blocks)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_hits(blocks):
    """The mean of hits, rounded to a tenth; None without blocks."""
    values = [block.hits for block in blocks]
    return round(sum(values) / len(values), 1) if values else None


def at_least_hits(blocks, wanted):
    """The blocks whose hits is at least what is wanted."""
    return [block for block in blocks if block.hits >= wanted]


COLUMNS = ("code", "net", "since", "until", "kind")


def table_of_blocks(blocks):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(blocks, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
