"""Lists and sums of hosts."""

from collections import Counter


def search_title(hosts, part):
    """The hosts whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [host for host in hosts if all(word in host.title.lower() for word in wanted)]


def pick_since_between(hosts, first, last):
    """The hosts with since from first to last, both included."""
    return [host for host in hosts if first <= host.since <= last]


def group_by_month_of_since(hosts):
    """How many hosts each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((host.since.year, host.since.month) for host in hosts)
    return sorted(counts.items())


def mean_cores(hosts):
    """The mean of cores, rounded to a tenth; None without hosts."""
    values = [host.cores for host in hosts]
    return round(sum(values) / len(values), 1) if values else None


def at_least_cores(hosts, wanted):
    """The hosts whose cores is at least what is wanted."""
    return [host for host in hosts if host.cores >= wanted]


def group_by_kind(hosts):
    """Hosts for each kind, in the order of the file."""
    found = {}
    for host in hosts:
        found.setdefault(host.kind, []).append(host)
    return found


def count_kinds(hosts):
    """How many hosts there are of each kind, most first."""
    counts = Counter(host.kind for host in hosts)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_spare(hosts):
    """The hosts that are marked as spare."""
    return [host for host in hosts if host.spare]


def with_remark(hosts):
    """The hosts that have a remark."""
    return [host for host in hosts if host.remark]


COLUMNS = ("code", "title", "since", "cores", "kind")


def table_of_hosts(hosts):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(hosts, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
