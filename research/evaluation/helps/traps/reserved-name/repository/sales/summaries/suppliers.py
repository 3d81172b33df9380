"""Lists and sums of suppliers."""

from collections import Counter


def search_place(suppliers, part):
    """The suppliers whose place has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [supplier for supplier in suppliers if all(word in supplier.place.lower() for word in wanted)]


def select_since_between(suppliers, first, last):
    """The suppliers with since from first to last, both included."""
    return [supplier for supplier in suppliers if first <= supplier.since <= last]


def per_month_of_since(suppliers):
    """How many suppliers each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((supplier.since.year, supplier.since.month) for supplier in suppliers)
    return sorted(counts.items())


def mean_orders(suppliers):
    """The mean of orders, rounded to a tenth; None without suppliers."""
    values = [supplier.orders for supplier in suppliers]
    return round(sum(values) / len(values), 1) if values else None


def at_least_orders(suppliers, wanted):
    """The suppliers whose orders is at least what is wanted."""
    return [supplier for supplier in suppliers if supplier.orders >= wanted]


def per_terms(suppliers):
    """Suppliers for each terms, in the order of the file."""
    found = {}
    for supplier in suppliers:
        found.setdefault(supplier.terms, []).append(supplier)
    return found


def count_termss(suppliers):
    """How many suppliers there are of each terms, most first."""
    counts = Counter(supplier.terms for supplier in suppliers)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def select_paused(suppliers):
    """The suppliers that are marked as paused."""
    return [supplier for supplier in suppliers if supplier.paused]


COLUMNS = ("code", "place", "since", "orders", "terms")


def table_of_suppliers(suppliers):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(suppliers, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
