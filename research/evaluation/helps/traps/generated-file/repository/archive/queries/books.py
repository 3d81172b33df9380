"""Lists and sums of books."""

from collections import Counter


def search_title(books, part):
    """The books whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [volume for volume in books if all(word in volume.title.lower() for word in wanted)]


def pick_begun_between(books, first, last):
    """The books with begun from first to last, both included."""
    return [volume for volume in books if first <= volume.begun <= last]


def group_by_month_of_begun(books):
    """How many books each month has, by begun: (2024, 5) is May 2024."""
    counts = Counter((volume.begun.year, volume.begun.month) for volume in books)
    return sorted(counts.items())


def pick_closed_between(books, first, last):
    """The books with closed from first to last, both included."""
    return [volume for volume in books if first <= volume.closed <= last]


def group_by_month_of_closed(books):
    """How many books each month has, by closed: (2024, 5) is May 2024."""
    counts = Counter((volume.closed.year, volume.closed.month) for volume in books)
    return sorted(counts.items())


def mean_pages(books):
    """The mean of pages, rounded to a tenth; None without books."""
    values = [volume.pages for volume in books]
    return round(sum(values) / len(values), 1) if values else None


def at_least_pages(books, wanted):
    """The books whose pages is at least what is wanted."""
    return [volume for volume in books if volume.pages >= wanted]


def group_by_state(books):
    """Books for each state, in the order of the file."""
    found = {}
    for volume in books:
        found.setdefault(volume.state, []).append(volume)
    return found


def count_states(books):
    """How many books there are of each state, most first."""
    counts = Counter(volume.state for volume in books)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


COLUMNS = ("code", "title", "begun", "closed", "pages")


def table_of_books(books):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(books, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
