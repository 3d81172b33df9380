"""Lists and sums of signs."""

from collections import Counter


def search_place(signs, part):
    """The signs whose place has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [sign for sign in signs if all(word in sign.place.lower() for word in wanted)]


def find_set_between(signs, first, last):
    """The signs with set from first to last, both included."""
    return [sign for sign in signs if first <= sign.set <= last]


def by_month_of_set(signs):
    """How many signs each month has, by set: (2024, 5) is May 2024."""
    counts = Counter((sign.set.year, sign.set.month) for sign in signs)
    return sorted(counts.items())


def mean_arms(signs):
    """The mean of arms, rounded to a tenth; None without signs."""
    values = [sign.arms for sign in signs]
    return round(sum(values) / len(values), 1) if values else None


def at_least_arms(signs, wanted):
    """The signs whose arms is at least what is wanted."""
    return [sign for sign in signs if sign.arms >= wanted]


def by_state(signs):
    """Signs for each state, in the order of the file."""
    found = {}
    for sign in signs:
        found.setdefault(sign.state, []).append(sign)
    return found


def count_states(signs):
    """How many signs there are of each state, most first."""
    counts = Counter(sign.state for sign in signs)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "place", "set", "arms", "state")


def table_of_signs(signs):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(signs, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
