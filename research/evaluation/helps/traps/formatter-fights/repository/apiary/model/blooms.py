"""What is in flower."""

from datetime import date
from typing import NamedTuple

from apiary.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_words
from apiary.kit.store import Store

KINDS = ("tree", "herb", "crop", "bush")


class Bloom(NamedTuple):
    """One of the blooms, as a line of data/blooms.csv has it."""

    code: str
    plant: str
    from_day: date
    until_day: date
    kind: str
    nectar: int
    pollen: int

    @property
    def length(self):
        """Days from from day to until day, both counted."""
        return (self.until_day - self.from_day).days + 1

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.plant}"


def parse_bloom(row):
    """The bloom of a row; BadField names what is wrong in it."""
    found = Bloom(
        code=read_code(row, "code", "B"),
        plant=read_words(row, "plant"),
        from_day=read_day(row, "from_day"),
        until_day=read_day(row, "until_day"),
        kind=read_choice(row, "kind", KINDS),
        nectar=read_count(row, "nectar"),
        pollen=read_count(row, "pollen"),
    )
    if found.until_day < found.from_day:
        raise BadField(f"{found.code}: until day is before from day")
    if found.nectar < 0:
        raise BadField(f"{found.code}: nectar is below zero")
    return found


def format_bloom(bloom):
    """The row of a bloom, as it is read."""
    return {
        "code": bloom.code,
        "plant": bloom.plant,
        "from_day": bloom.from_day.isoformat(),
        "until_day": bloom.until_day.isoformat(),
        "kind": bloom.kind,
        "nectar": str(bloom.nectar),
        "pollen": str(bloom.pollen),
    }


def describe_bloom(bloom):
    """Lines about a bloom for people; what is empty is left out."""
    yield f"code: {bloom.code}"
    yield f"plant: {bloom.plant}"
    yield f"from day: {bloom.from_day:%d.%m.%Y}"
    yield f"until day: {bloom.until_day:%d.%m.%Y}"
    yield f"kind: {bloom.kind}"
    yield f"nectar: {bloom.nectar}"
    yield f"pollen: {bloom.pollen}"


def changes_of_bloom(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_bloom(before), format_bloom(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


BLOOMS = Store("blooms", parse_bloom, format_bloom, key="code")
