"""Lists and sums of loans."""

from collections import Counter


def by_book(loans):
    """Loans for each book, in the order of the file."""
    found = {}
    for loan in loans:
        found.setdefault(loan.book, []).append(loan)
    return found


def find_lent_between(loans, first, last):
    """The loans with lent from first to last, both included."""
    return [loan for loan in loans if first <= loan.lent <= last]


def by_month_of_lent(loans):
    """How many loans each month has, by lent: (2024, 5) is May 2024."""
    counts = Counter((loan.lent.year, loan.lent.month) for loan in loans)
    return sorted(counts.items())


def find_due_between(loans, first, last):
    """The loans with due from first to last, both included."""
    return [loan for loan in loans if first <= loan.due <= last]


def by_month_of_due(loans):
    """How many loans each month has, by due: (2024, 5) is May 2024."""
    counts = Counter((loan.due.year, loan.due.month) for loan in loans)
    return sorted(counts.items())


def by_state(loans):
    """Loans for each state, in the order of the file."""
    found = {}
    for loan in loans:
        found.setdefault(loan.state, []).append(loan)
    return found


def count_states(loans):
    """How many loans there are of each state, most first."""
    counts = Counter(loan.state for loan in loans)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_renewals(loans):
    """The mean of renewals, rounded to a tenth; None without loans."""
    values = [loan.renewals for loan in loans]
    return round(sum(values) / len(values), 1) if values else None


def at_least_renewals(loans, wanted):
    """The loans whose renewals is at least what is wanted."""
    return [loan for loan in loans if loan.renewals >= wanted]


def with_remark(loans):
    """The loans that have a remark."""
    return [loan for loan in loans if loan.remark]


COLUMNS = ("code", "book", "lent", "due", "state")


def table_of_loans(loans):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(loans, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
