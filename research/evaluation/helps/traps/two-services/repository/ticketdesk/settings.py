"""Settings of the desk, as the switchboard has them."""

from ticketdesk.wiring import line


def discount():
    """Percent off, for everyone."""
    return int(line().get("discount"))


def largest_group():
    """How many tickets may be sold at once."""
    return int(line().get("largest-group"))


def long_receipt():
    """Whether a receipt has a line for each kind of ticket."""
    return line().get("receipt") == "long"
