"""Label printers."""

from dataclasses import dataclass
from datetime import date

from shop.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_words
from shop.kit.store import Store

KINDS = ("desk", "belt", "hand")


@dataclass(frozen=True)
class Printer:
    """One of the printers, as a line of data/printers.csv has it."""

    code: str
    place: str
    fitted: date
    kind: str
    jams: int
    lent: bool

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.place}"


def parse_printer(row):
    """The printer of a row; BadField names what is wrong in it."""
    found = Printer(
        code=read_code(row, "code", "P"),
        place=read_words(row, "place"),
        fitted=read_day(row, "fitted"),
        kind=read_choice(row, "kind", KINDS),
        jams=read_count(row, "jams"),
        lent=read_flag(row, "lent"),
    )
    if found.jams < 0:
        raise BadField(f"{found.code}: jams is below zero")
    return found


def format_printer(printer):
    """The row of a printer, as it is read."""
    return {
        "code": printer.code,
        "place": printer.place,
        "fitted": printer.fitted.isoformat(),
        "kind": printer.kind,
        "jams": str(printer.jams),
        "lent": "yes" if printer.lent else "no",
    }


PRINTERS = Store("printers", parse_printer, format_printer, key="code")
