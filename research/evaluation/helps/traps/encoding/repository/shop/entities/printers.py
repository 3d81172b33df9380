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


def describe_printer(printer):
    """Lines about a printer for people; what is empty is left out."""
    yield f"code: {printer.code}"
    yield f"place: {printer.place}"
    yield f"fitted: {printer.fitted:%d.%m.%Y}"
    yield f"kind: {printer.kind}"
    yield f"jams: {printer.jams}"
    if printer.lent:
        yield "lent"


def changes_of_printer(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_printer(before), format_printer(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


PRINTERS = Store("printers", parse_printer, format_printer, key="code")
