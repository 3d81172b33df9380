"""Lists and sums of claims."""

from collections import Counter
from decimal import Decimal


def per_branch(claims):
    """Claims for each branch, in the order of the file."""
    found = {}
    for claim in claims:
        found.setdefault(claim.branch, []).append(claim)
    return found


def select_sent_between(claims, first, last):
    """The claims with sent from first to last, both included."""
    return [claim for claim in claims if first <= claim.sent <= last]


def per_month_of_sent(claims):
    """How many claims each month has, by sent: (2024, 5) is May 2024."""
    counts = Counter((claim.sent.year, claim.sent.month) for claim in claims)
    return sorted(counts.items())


def add_up_amount(claims):
    """The sum of amount."""
    return sum((claim.amount for claim in claims), Decimal(0))


def amount_of_each_why(claims):
    """The sum of amount for each why, largest first."""
    sums = {}
    for claim in claims:
        sums[claim.why] = sums.get(claim.why, Decimal(0)) + claim.amount
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def largest_amount(claims, count=5):
    """The claims with the largest amount; equal ones in the order of their code."""
    return sorted(claims, key=lambda claim: (-claim.amount, claim.code))[:count]


def per_why(claims):
    """Claims for each why, in the order of the file."""
    found = {}
    for claim in claims:
        found.setdefault(claim.why, []).append(claim)
    return found


def count_whys(claims):
    """How many claims there are of each why, most first."""
    counts = Counter(claim.why for claim in claims)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def per_state(claims):
    """Claims for each state, in the order of the file."""
    found = {}
    for claim in claims:
        found.setdefault(claim.state, []).append(claim)
    return found


def count_states(claims):
    """How many claims there are of each state, most first."""
    counts = Counter(claim.state for claim in claims)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "branch", "sent", "amount", "why")


def table_of_claims(claims):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(claims, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
