"""Benches."""

from dataclasses import dataclass
from datetime import date

from rangers.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_note, read_words
from rangers.kit.store import Store

WOODS = ("oak", "larch", "pine")


@dataclass(frozen=True)
class Bench:
    """One of the benches, as a line of data/benches.csv has it."""

    code: str
    place: str
    painted: date
    seats: int
    wood: str
    broken: bool
    remark: str

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.place}"


def parse_bench(row):
    """The bench of a row; BadField names what is wrong in it."""
    found = Bench(
        code=read_code(row, "code", "B"),
        place=read_words(row, "place"),
        painted=read_day(row, "painted"),
        seats=read_count(row, "seats"),
        wood=read_choice(row, "wood", WOODS),
        broken=read_flag(row, "broken"),
        remark=read_note(row, "remark"),
    )
    if found.seats < 0:
        raise BadField(f"{found.code}: seats is below zero")
    return found


def format_bench(bench):
    """The row of a bench, as it is read."""
    return {
        "code": bench.code,
        "place": bench.place,
        "painted": bench.painted.isoformat(),
        "seats": str(bench.seats),
        "wood": bench.wood,
        "broken": "yes" if bench.broken else "no",
        "remark": bench.remark,
    }


def describe_bench(bench):
    """Lines about a bench for people; what is empty is left out."""
    yield f"code: {bench.code}"
    yield f"place: {bench.place}"
    yield f"painted: {bench.painted:%d.%m.%Y}"
    yield f"seats: {bench.seats}"
    yield f"wood: {bench.wood}"
    if bench.broken:
        yield "broken"
    if bench.remark:
        yield f"remark: {bench.remark}"


def changes_of_bench(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_bench(before), format_bench(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


BENCHES = Store("benches", parse_bench, format_bench, key="code")
