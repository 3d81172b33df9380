"""Counts of stock."""

from dataclasses import dataclass
from datetime import date

from sales.kit.fields import BadField, read_code, read_count, read_day, read_note
from sales.kit.store import Store


@dataclass(frozen=True)
class StockCount:
    """One of the counts, as a line of data/counts.csv has it."""

    code: str
    lot: str
    day: date
    pieces: int
    missing: int
    remark: str


def parse_stock_count(row):
    """The stock count of a row; BadField names what is wrong in it."""
    found = StockCount(
        code=read_code(row, "code", "K"),
        lot=read_code(row, "lot", ""),
        day=read_day(row, "day"),
        pieces=read_count(row, "pieces"),
        missing=read_count(row, "missing"),
        remark=read_note(row, "remark"),
    )
    if found.pieces < 0:
        raise BadField(f"{found.code}: pieces is below zero")
    return found


def format_stock_count(stock_count):
    """The row of a stock count, as it is read."""
    return {
        "code": stock_count.code,
        "lot": stock_count.lot,
        "day": stock_count.day.isoformat(),
        "pieces": str(stock_count.pieces),
        "missing": str(stock_count.missing),
        "remark": stock_count.remark,
    }


def describe_stock_count(stock_count):
    """Lines about a stock count for people; what is empty is left out."""
    yield f"code: {stock_count.code}"
    yield f"lot: {stock_count.lot}"
    yield f"day: {stock_count.day:%d.%m.%Y}"
    yield f"pieces: {stock_count.pieces}"
    yield f"missing: {stock_count.missing}"
    if stock_count.remark:
        yield f"remark: {stock_count.remark}"


def changes_of_stock_count(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_stock_count(before), format_stock_count(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


COUNTS = Store("counts", parse_stock_count, format_stock_count, key="code")
