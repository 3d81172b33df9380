"""Lists and sums of customers."""

from collections import Counter


def search_place(customers, part):
    """The customers whose place has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [customer for customer in customers if all(word in customer.place.lower() for word in wanted)]


def select_since_between(customers, first, last):
    """The customers with since from first to last, both included."""
    return [customer for customer in customers if first <= customer.since <= last]


def per_month_of_since(customers):
    """How many customers each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((customer.since.year, customer.since.month) for customer in customers)
    return sorted(counts.items())


def per_kind(customers):
    """Customers for each kind, in the order of the file."""
    found = {}
    for customer in customers:
        found.setdefault(customer.kind, []).append(customer)
    return found


def count_kinds(customers):
    """How many customers there are of each kind, most first."""
    counts = Counter(customer.kind for customer in customers)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_visits(customers):
    """The mean of visits, rounded to a tenth; None without customers."""
    values = [customer.visits for customer in customers]
    return round(sum(values) / len(values), 1) if values else None


def at_least_visits(customers, wanted):
    """The customers whose visits is at least what is wanted."""
    return [customer for customer in customers if customer.visits >= wanted]


def select_blocked(customers):
    """The customers that are marked as blocked."""
    return [customer for customer in customers if customer.blocked]


COLUMNS = ("code", "place", "since", "kind", "visits")


def table_of_customers(customers):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(customers, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
