"""Lists and sums of books."""

from collections import Counter
from decimal import Decimal


def search_title(books, part):
    """The books whose title has the words of part, in any order and case."""
    wanted = part.lower().split()
    return [book for book in books if all(word in book.title.lower() for word in wanted)]


def by_shelf(books):
    """Books for each shelf, in the order of the file."""
    found = {}
    for book in books:
        found.setdefault(book.shelf, []).append(book)
    return found


def count_shelfs(books):
    """How many books there are of each shelf, most first."""
    counts = Counter(book.shelf for book in books)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def mean_pages(books):
    """The mean of pages, rounded to a tenth; None without books."""
    values = [book.pages for book in books]
    return round(sum(values) / len(values), 1) if values else None


def at_least_pages(books, wanted):
    """The books whose pages is at least what is wanted."""
    return [book for book in books if book.pages >= wanted]


def find_bought_between(books, first, last):
    """The books with bought from first to last, both included."""
    return [book for book in books if first <= book.bought <= last]


def by_month_of_bought(books):
    """How many books each month has, by bought: (2024, 5) is May 2024."""
    counts = Counter((book.bought.year, book.bought.month) for book in books)
    return sorted(counts.items())


def total_price(books):
    """The sum of price."""
    return sum((book.price for book in books), Decimal(0))


def price_of_each_shelf(books):
    """The sum of price for each shelf, largest first."""
    sums = {}
    for book in books:
        sums[book.shelf] = sums.get(book.shelf, Decimal(0)) + book.price
    return sorted(sums.items(), key=lambda item: (-item[1], item[0]))


def dearest_price(books, count=5):
    """The books with the largest price; equal ones in the order of their code."""
    return sorted(books, key=lambda book: (-book.price, book.code))[:count]


def find_worn(books):
    """The books that are marked as worn."""
    return [book for book in books if book.worn]


COLUMNS = ("code", "title", "shelf", "pages", "bought")


def table_of_books(books):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(books, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
