"""Tours through the house, with or without a guide."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from house.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_flag, read_words
from house.kit.store import Store

LANGUAGES = ("de", "en", "fr", "nl")


class Tour(NamedTuple):
    """One of the tours, as a line of data/tours.csv has it."""

    code: str
    title: str
    begins: date
    places: int
    minutes: int
    price: Decimal
    language: str
    full: bool

    @property
    def worth(self):
        """Price for all of places."""
        return self.price * self.places

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_tour(row):
    """The tour of a row; BadField names what is wrong in it."""
    found = Tour(
        code=read_code(row, "code", "T"),
        title=read_words(row, "title"),
        begins=read_day(row, "begins"),
        places=read_count(row, "places"),
        minutes=read_count(row, "minutes"),
        price=read_amount(row, "price"),
        language=read_choice(row, "language", LANGUAGES),
        full=read_flag(row, "full"),
    )
    if found.places < 0:
        raise BadField(f"{found.code}: places is below zero")
    return found


def format_tour(tour):
    """The row of a tour, as it is read."""
    return {
        "code": tour.code,
        "title": tour.title,
        "begins": tour.begins.isoformat(),
        "places": str(tour.places),
        "minutes": str(tour.minutes),
        "price": f"{tour.price:.2f}",
        "language": tour.language,
        "full": "yes" if tour.full else "no",
    }


def describe_tour(tour):
    """Lines about a tour for people; what is empty is left out."""
    yield f"code: {tour.code}"
    yield f"title: {tour.title}"
    yield f"begins: {tour.begins:%d.%m.%Y}"
    yield f"places: {tour.places}"
    yield f"minutes: {tour.minutes}"
    yield f"price: {tour.price:,.2f}"
    yield f"language: {tour.language}"
    if tour.full:
        yield "full"


def changes_of_tour(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_tour(before), format_tour(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


TOURS = Store("tours", parse_tour, format_tour, key="code")
