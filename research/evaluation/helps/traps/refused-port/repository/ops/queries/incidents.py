"""Lists and sums of incidents."""

from collections import Counter
from decimal import Decimal


def pick_seen_between(incidents, first, last):
    """The incidents with seen from first to last, both included."""
    return [incident for incident in incidents if first <= incident.seen <= last]


def group_by_month_of_seen(incidents):
    """How many incidents each month has, by seen: (2024, 5) is May 2024."""
    counts = Counter((incident.seen.year, incident.seen.month) for incident in incidents)
    return sorted(counts.items())


def mean_minutes(incidents):
    """The mean of minutes, rounded to a tenth; None without incidents."""
    values = [incident.minutes for incident in incidents]
    return round(sum(values) / len(values), 1) if values else None


def at_least_minutes(incidents, wanted):
    """The incidents whose minutes is at least what is wanted."""
    return [incident for incident in incidents if incident.minutes >= wanted]


def group_by_kind(incidents):
    """Incidents for each kind, in the order of the file."""
    found = {}
    for incident in incidents:
        found.setdefault(incident.kind, []).append(incident)
    return found


def count_kinds(incidents):
    """How many incidents there are of each kind, most first."""
    counts = Counter(incident.kind for incident in incidents)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def sum_of_cost(incidents):
    """The sum of cost."""
    return sum((incident.cost for incident in incidents), Decimal(0))


def cost_of_each_kind(incidents):
    """The sum of cost for each kind, largest first."""
    sums = {}
    for incident in incidents:
        sums[incident.kind] = sums.get(incident.kind, Decimal(0)) + incident.cost
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_cost(incidents, count=5):
    """The incidents with the largest cost; equal ones in the order of their code."""
    return sorted(incidents, key=lambda incident: (-incident.cost, incident.code))[:count]


def with_remark(incidents):
    """The incidents that have a remark."""
    return [incident for incident in incidents if incident.remark]


COLUMNS = ("code", "seen", "minutes", "kind", "cost")


def table_of_incidents(incidents):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(incidents, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
