"""Products."""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "catalogue"


@dataclass(frozen=True)
class Product:
    code: str
    name: str
    price: Decimal
    shelf: str


def sections():
    return sorted(path.stem for path in FOLDER.glob("*.tsv"))


def read_section(section):
    """The products of a section, in the order of the file."""
    _, *lines = (FOLDER / f"{section}.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return [Product(code, name, Decimal(price), shelf) for code, name, price, shelf in rows]


def find_product(code):
    """The product with a code, or None."""
    for section in sections():
        for product in read_section(section):
            if product.code == code:
                return product
    return None
