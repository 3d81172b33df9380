"""Lists and sums of servers."""

from collections import Counter
from decimal import Decimal


def search_place(servers, part):
    """The servers whose place has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [server for server in servers if all(word in server.place.lower() for word in wanted)]


def pick_since_between(servers, first, last):
    """The servers with since from first to last, both included."""
    return [server for server in servers if first <= server.since <= last]


def group_by_month_of_since(servers):
    """How many servers each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((server.since.year, server.since.month) for server in servers)
    return sorted(counts.items())


def mean_cores(servers):
    """The mean of cores, rounded to a tenth; None without servers."""
    values = [server.cores for server in servers]
    return round(sum(values) / len(values), 1) if values else None


def at_least_cores(servers, wanted):
    """The servers whose cores is at least what is wanted."""
    return [server for server in servers if server.cores >= wanted]


def sum_of_load(servers):
    """The sum of load."""
    return sum((server.load for server in servers), Decimal(0))


def load_of_each_state(servers):
    """The sum of load for each state, largest first."""
    sums = {}
    for server in servers:
        sums[server.state] = sums.get(server.state, Decimal(0)) + server.load
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_load(servers, count=5):
    """The servers with the largest load; equal ones in the order of their code."""
    return sorted(servers, key=lambda server: (-server.load, server.code))[:count]


def group_by_state(servers):
    """Servers for each state, in the order of the file."""
    found = {}
    for server in servers:
        found.setdefault(server.state, []).append(server)
    return found


def count_states(servers):
    """How many servers there are of each state, most first."""
    counts = Counter(server.state for server in servers)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "place", "since", "cores", "load")


def table_of_servers(servers):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(servers, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
