"""Material that was used."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from office.kit.fields import BadField, read_amount, read_code, read_count, read_day, read_words
from office.kit.store import Store


@dataclass(frozen=True)
class Material:
    """One of the materials, as a line of data/materials.csv has it."""

    code: str
    what: str
    project: str
    used: date
    pieces: int
    price: Decimal

    @property
    def worth(self):
        """Price for all of pieces."""
        return self.price * self.pieces

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.what}"


def parse_material(row):
    """The material of a row; BadField names what is wrong in it."""
    found = Material(
        code=read_code(row, "code", "M"),
        what=read_words(row, "what"),
        project=read_code(row, "project", ""),
        used=read_day(row, "used"),
        pieces=read_count(row, "pieces"),
        price=read_amount(row, "price"),
    )
    if found.pieces < 0:
        raise BadField(f"{found.code}: pieces is below zero")
    return found


def format_material(material):
    """The row of a material, as it is read."""
    return {
        "code": material.code,
        "what": material.what,
        "project": material.project,
        "used": material.used.isoformat(),
        "pieces": str(material.pieces),
        "price": f"{material.price:.2f}",
    }


def describe_material(material):
    """Lines about a material for people; what is empty is left out."""
    yield f"code: {material.code}"
    yield f"what: {material.what}"
    yield f"project: {material.project}"
    yield f"used: {material.used:%d.%m.%Y}"
    yield f"pieces: {material.pieces}"
    yield f"price: {material.price:,.2f}"


def changes_of_material(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_material(before), format_material(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


MATERIALS = Store("materials", parse_material, format_material, key="code")
