"""Lists and sums of gifts."""

from collections import Counter


def find_received_between(gifts, first, last):
    """The gifts with received from first to last, both included."""
    return [gift for gift in gifts if first <= gift.received <= last]


def by_month_of_received(gifts):
    """How many gifts each month has, by received: (2024, 5) is May 2024."""
    counts = Counter((gift.received.year, gift.received.month) for gift in gifts)
    return sorted(counts.items())


def mean_boxes(gifts):
    """The mean of boxes, rounded to a tenth; None without gifts."""
    values = [gift.boxes for gift in gifts]
    return round(sum(values) / len(values), 1) if values else None


def at_least_boxes(gifts, wanted):
    """The gifts whose boxes is at least what is wanted."""
    return [gift for gift in gifts if gift.boxes >= wanted]


def mean_taken(gifts):
    """The mean of taken, rounded to a tenth; None without gifts."""
    values = [gift.taken for gift in gifts]
    return round(sum(values) / len(values), 1) if values else None


def at_least_taken(gifts, wanted):
    """The gifts whose taken is at least what is wanted."""
    return [gift for gift in gifts if gift.taken >= wanted]


def mean_refused(gifts):
    """The mean of refused, rounded to a tenth; None without gifts."""
    values = [gift.refused for gift in gifts]
    return round(sum(values) / len(values), 1) if values else None


def at_least_refused(gifts, wanted):
    """The gifts whose refused is at least what is wanted."""
    return [gift for gift in gifts if gift.refused >= wanted]


def by_way(gifts):
    """Gifts for each way, in the order of the file."""
    found = {}
    for gift in gifts:
        found.setdefault(gift.way, []).append(gift)
    return found


def count_ways(gifts):
    """How many gifts there are of each way, most first."""
    counts = Counter(gift.way for gift in gifts)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def with_remark(gifts):
    """The gifts that have a remark."""
    return [gift for gift in gifts if gift.remark]


COLUMNS = ("code", "received", "boxes", "taken", "refused")


def table_of_gifts(gifts):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(gifts, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
