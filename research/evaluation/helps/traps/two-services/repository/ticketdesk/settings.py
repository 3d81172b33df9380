"""Settings of the desk, as the switchboard has them."""

from ticketdesk.wiring import ask


def discount():
    """Percent off, for everyone."""
    return int(ask("discount"))


def largest_group():
    """How many tickets may be sold at once."""
    return int(ask("largest-group"))


def long_receipt():
    """Whether a receipt has a line for each kind of ticket."""
    return ask("receipt") == "long"


def dogs():
    """Whether dogs may come in."""
    return ask("dogs") == "on"
