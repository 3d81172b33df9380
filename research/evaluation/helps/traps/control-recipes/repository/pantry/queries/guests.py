"""Lists and sums of guests."""

from collections import Counter


def pick_day_between(guests, first, last):
    """The guests with day from first to last, both included."""
    return [meal for meal in guests if first <= meal.day <= last]


def group_by_month_of_day(guests):
    """How many guests each month has, by day: (2024, 5) is May 2024."""
    counts = Counter((meal.day.year, meal.day.month) for meal in guests)
    return sorted(counts.items())


def mean_guests(guests):
    """The mean of guests, rounded to a tenth; None without guests."""
    values = [meal.guests for meal in guests]
    return round(sum(values) / len(values), 1) if values else None


def at_least_guests(guests, wanted):
    """The guests whose guests is at least what is wanted."""
    return [meal for meal in guests if meal.guests >= wanted]


def search_dish(guests, part):
    """The guests whose dish has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [meal for meal in guests if all(word in meal.dish.lower() for word in wanted)]


def group_by_kind(guests):
    """Guests for each kind, in the order of the file."""
    found = {}
    for meal in guests:
        found.setdefault(meal.kind, []).append(meal)
    return found


def count_kinds(guests):
    """How many guests there are of each kind, most first."""
    counts = Counter(meal.kind for meal in guests)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def with_remark(guests):
    """The guests that have a remark."""
    return [meal for meal in guests if meal.remark]


COLUMNS = ("code", "day", "guests", "dish", "kind")


def table_of_guests(guests):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(guests, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
