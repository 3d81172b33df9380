"""Lists and sums of certs."""

from collections import Counter


def search_title(certs, part):
    """The certs whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [cert for cert in certs if all(word in cert.title.lower() for word in wanted)]


def pick_issued_between(certs, first, last):
    """The certs with issued from first to last, both included."""
    return [cert for cert in certs if first <= cert.issued <= last]


def group_by_month_of_issued(certs):
    """How many certs each month has, by issued: (2024, 5) is May 2024."""
    counts = Counter((cert.issued.year, cert.issued.month) for cert in certs)
    return sorted(counts.items())


def pick_expires_between(certs, first, last):
    """The certs with expires from first to last, both included."""
    return [cert for cert in certs if first <= cert.expires <= last]


def group_by_month_of_expires(certs):
    """How many certs each month has, by expires: (2024, 5) is May 2024."""
    counts = Counter((cert.expires.year, cert.expires.month) for cert in certs)
    return sorted(counts.items())


def mean_hosts(certs):
    """The mean of hosts, rounded to a tenth; None without certs."""
    values = [cert.hosts for cert in certs]
    return round(sum(values) / len(values), 1) if values else None


def at_least_hosts(certs, wanted):
    """The certs whose hosts is at least what is wanted."""
    return [cert for cert in certs if cert.hosts >= wanted]


def group_by_kind(certs):
    """Certs for each kind, in the order of the file."""
    found = {}
    for cert in certs:
        found.setdefault(cert.kind, []).append(cert)
    return found


def count_kinds(certs):
    """How many certs there are of each kind, most first."""
    counts = Counter(cert.kind for cert in certs)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "title", "issued", "expires", "hosts")


def table_of_certs(certs):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(certs, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
