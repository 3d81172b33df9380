"""The books on our shelves."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from room.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_flag, read_words
from room.kit.store import Store

SHELFS = ("garden", "travel", "history", "cooking", "novels", "poems", "maps")


@dataclass(frozen=True)
class Book:
    """One of the books, as a line of data/books.csv has it."""

    code: str
    title: str
    shelf: str
    pages: int
    bought: date
    price: Decimal
    worn: bool

    @property
    def worth(self):
        """Price for all of pages."""
        return self.price * self.pages

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_book(row):
    """The book of a row; BadField names what is wrong in it."""
    found = Book(
        code=read_code(row, "code", "B"),
        title=read_words(row, "title"),
        shelf=read_choice(row, "shelf", SHELFS),
        pages=read_count(row, "pages"),
        bought=read_day(row, "bought"),
        price=read_amount(row, "price"),
        worn=read_flag(row, "worn"),
    )
    if found.pages < 0:
        raise BadField(f"{found.code}: pages is below zero")
    return found


def format_book(book):
    """The row of a book, as it is read."""
    return {
        "code": book.code,
        "title": book.title,
        "shelf": book.shelf,
        "pages": str(book.pages),
        "bought": book.bought.isoformat(),
        "price": f"{book.price:.2f}",
        "worn": "yes" if book.worn else "no",
    }


def describe_book(book):
    """Lines about a book for people; what is empty is left out."""
    yield f"code: {book.code}"
    yield f"title: {book.title}"
    yield f"shelf: {book.shelf}"
    yield f"pages: {book.pages}"
    yield f"bought: {book.bought:%d.%m.%Y}"
    yield f"price: {book.price:,.2f}"
    if book.worn:
        yield "worn"


def changes_of_book(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_book(before), format_book(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


BOOKS = Store("books", parse_book, format_book, key="code")
