"""What came in."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from shop.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_note
from shop.kit.store import Store

STATES = ("good", "short", "late", "refused")


@dataclass(frozen=True)
class Delivery:
    """One of the deliveries, as a line of data/deliveries.csv has it."""

    code: str
    supplier: str
    came: date
    boxes: int
    state: str
    net: Decimal
    remark: str

    @property
    def worth(self):
        """Net for all of boxes."""
        return self.net * self.boxes


def parse_delivery(row):
    """The delivery of a row; BadField names what is wrong in it."""
    found = Delivery(
        code=read_code(row, "code", "D"),
        supplier=read_code(row, "supplier", ""),
        came=read_day(row, "came"),
        boxes=read_count(row, "boxes"),
        state=read_choice(row, "state", STATES),
        net=read_amount(row, "net"),
        remark=read_note(row, "remark"),
    )
    if found.boxes < 0:
        raise BadField(f"{found.code}: boxes is below zero")
    return found


def format_delivery(delivery):
    """The row of a delivery, as it is read."""
    return {
        "code": delivery.code,
        "supplier": delivery.supplier,
        "came": delivery.came.isoformat(),
        "boxes": str(delivery.boxes),
        "state": delivery.state,
        "net": f"{delivery.net:.2f}",
        "remark": delivery.remark,
    }


def describe_delivery(delivery):
    """Lines about a delivery for people; what is empty is left out."""
    yield f"code: {delivery.code}"
    yield f"supplier: {delivery.supplier}"
    yield f"came: {delivery.came:%d.%m.%Y}"
    yield f"boxes: {delivery.boxes}"
    yield f"state: {delivery.state}"
    yield f"net: {delivery.net:,.2f}"
    if delivery.remark:
        yield f"remark: {delivery.remark}"


def changes_of_delivery(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_delivery(before), format_delivery(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


DELIVERIES = Store("deliveries", parse_delivery, format_delivery, key="code")
