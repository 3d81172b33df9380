"""Lists and sums of clients."""

from collections import Counter


def search_place(clients, part):
    """The clients whose place has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [client for client in clients if all(word in client.place.lower() for word in wanted)]


def find_since_between(clients, first, last):
    """The clients with since from first to last, both included."""
    return [client for client in clients if first <= client.since <= last]


def by_month_of_since(clients):
    """How many clients each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((client.since.year, client.since.month) for client in clients)
    return sorted(counts.items())


def by_kind(clients):
    """Clients for each kind, in the order of the file."""
    found = {}
    for client in clients:
        found.setdefault(client.kind, []).append(client)
    return found


def count_kinds(clients):
    """How many clients there are of each kind, most first."""
    counts = Counter(client.kind for client in clients)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_invoices(clients):
    """The mean of invoices, rounded to a tenth; None without clients."""
    values = [client.invoices for client in clients]
    return round(sum(values) / len(values), 1) if values else None


def at_least_invoices(clients, wanted):
    """The clients whose invoices is at least what is wanted."""
    return [client for client in clients if client.invoices >= wanted]


def with_remark(clients):
    """The clients that have a remark."""
    return [client for client in clients if client.remark]


COLUMNS = ("code", "place", "since", "kind", "invoices")


def table_of_clients(clients):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(clients, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
