"""Lists and sums of domains."""

from collections import Counter


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


def mean_hits(domains):
    """The mean of hits, rounded to a tenth; None without domains."""
    values = [domain.hits for domain in domains]
    return round(sum(values) / len(values), 1) if values else None


def at_least_hits(domains, wanted):
    """The domains whose hits is at least what is wanted."""
    return [domain for domain in domains if domain.hits >= wanted]


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


COLUMNS = ("code", "title", "since", "hits", "kind")


def table_of_domains(domains):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(domains, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
