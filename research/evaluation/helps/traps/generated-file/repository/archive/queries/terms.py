"""Lists and sums of terms."""

from collections import Counter
from decimal import Decimal


def search_spelling(terms, part):
    """The terms whose spelling has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [term for term in terms if all(word in term.spelling.lower() for word in wanted)]


def pick_since_between(terms, first, last):
    """The terms with since from first to last, both included."""
    return [term for term in terms if first <= term.since <= last]


def group_by_month_of_since(terms):
    """How many terms each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((term.since.year, term.since.month) for term in terms)
    return sorted(counts.items())


def sum_of_weight(terms):
    """The sum of weight."""
    return sum((term.weight for term in terms), Decimal(0))


def weight_of_each_kind(terms):
    """The sum of weight for each kind, largest first."""
    sums = {}
    for term in terms:
        sums[term.kind] = sums.get(term.kind, Decimal(0)) + term.weight
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_weight(terms, count=5):
    """The terms with the largest weight; equal ones in the order of their code."""
    return sorted(terms, key=lambda term: (-term.weight, term.code))[:count]


def group_by_kind(terms):
    """Terms for each kind, in the order of the file."""
    found = {}
    for term in terms:
        found.setdefault(term.kind, []).append(term)
    return found


def count_kinds(terms):
    """How many terms there are of each kind, most first."""
    counts = Counter(term.kind for term in terms)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_hits(terms):
    """The mean of hits, rounded to a tenth; None without terms."""
    values = [term.hits for term in terms]
    return round(sum(values) / len(values), 1) if values else None


def at_least_hits(terms, wanted):
    """The terms whose hits is at least what is wanted."""
    return [term for term in terms if term.hits >= wanted]


COLUMNS = ("code", "spelling", "since", "weight", "kind")


def table_of_terms(terms):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(terms, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
