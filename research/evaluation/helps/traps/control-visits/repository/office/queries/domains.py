"""Lists and sums of domains."""

from collections import Counter
from decimal import Decimal


def search_title(domains, part):
    """The domains whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [domain for domain in domains if all(word in domain.title.lower() for word in wanted)]


def pick_since_between(domains, first, last):
    """The domains with since from first to last, both included."""
    return [domain for domain in domains if first <= domain.since <= last]


def group_by_month_of_since(domains):
    """How many domains each month has, by since: (2024, 5) is May 2024."""
    counts = Counter((domain.since.year, domain.since.month) for domain in domains)
    return sorted(counts.items())


def pick_until_day_between(domains, first, last):
    """The domains with until day from first to last, both included."""
    return [domain for domain in domains if first <= domain.until_day <= last]


def group_by_month_of_until_day(domains):
    """How many domains each month has, by until day: (2024, 5) is May 2024."""
    counts = Counter((domain.until_day.year, domain.until_day.month) for domain in domains)
    return sorted(counts.items())


def sum_of_fee(domains):
    """The sum of fee."""
    return sum((domain.fee for domain in domains), Decimal(0))


def fee_of_each_kind(domains):
    """The sum of fee for each kind, largest first."""
    sums = {}
    for domain in domains:
        sums[domain.kind] = sums.get(domain.kind, Decimal(0)) + domain.fee
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_fee(domains, count=5):
    """The domains with the largest fee; equal ones in the order of their code."""
    return sorted(domains, key=lambda domain: (-domain.fee, domain.code))[:count]


def group_by_kind(domains):
    """Domains for each kind, in the order of the file."""
    found = {}
    for domain in domains:
        found.setdefault(domain.kind, []).append(domain)
    return found


def count_kinds(domains):
    """How many domains there are of each kind, most first."""
    counts = Counter(domain.kind for domain in domains)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "title", "since", "until_day", "fee")


def table_of_domains(domains):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(domains, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
