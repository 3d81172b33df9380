"""Plants that were set for clients."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_words
from office.kit.store import Store

STATES = ("new", "grown", "gone")
PLACES = ("sun", "shade", "pot")


@dataclass(frozen=True)
class Plant:
    """One of the plants, as a line of data/plants.csv has it."""

    code: str
    what: str
    set: date
    count: int
    state: str
    place: str
    price: Decimal

    @property
    def worth(self):
        """Price for all of count."""
        return self.price * self.count

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.what}"


def parse_plant(row):
    """The plant of a row; BadField names what is wrong in it."""
    found = Plant(
        code=read_code(row, "code", "G"),
        what=read_words(row, "what"),
        set=read_day(row, "set"),
        count=read_count(row, "count"),
        state=read_choice(row, "state", STATES),
        place=read_choice(row, "place", PLACES),
        price=read_amount(row, "price"),
    )
    if found.count < 0:
        raise BadField(f"{found.code}: count is below zero")
    return found


def format_plant(plant):
    """The row of a plant, as it is read."""
    return {
        "code": plant.code,
        "what": plant.what,
        "set": plant.set.isoformat(),
        "count": str(plant.count),
        "state": plant.state,
        "place": plant.place,
        "price": f"{plant.price:.2f}",
    }


def describe_plant(plant):
    """Lines about a plant for people; what is empty is left out."""
    yield f"code: {plant.code}"
    yield f"what: {plant.what}"
    yield f"set: {plant.set:%d.%m.%Y}"
    yield f"count: {plant.count}"
    yield f"state: {plant.state}"
    yield f"place: {plant.place}"
    yield f"price: {plant.price:,.2f}"


def changes_of_plant(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_plant(before), format_plant(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


PLANTS = Store("plants", parse_plant, format_plant, key="code")
