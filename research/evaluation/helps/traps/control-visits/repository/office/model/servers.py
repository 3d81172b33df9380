"""Machines."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple

from office.kit.fields import BadField, read_amount, read_choice, read_code, read_count, read_day, read_words
from office.kit.store import Store

STATES = ("up", "down", "spare")


class Server(NamedTuple):
    """One of the servers, as a line of data/servers.csv has it."""

    code: str
    place: str
    since: date
    cores: int
    load: Decimal
    state: str

    @property
    def worth(self):
        """Load for all of cores."""
        return self.load * self.cores

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.place}"


def parse_server(row):
    """The server of a row; BadField names what is wrong in it."""
    found = Server(
        code=read_code(row, "code", "S"),
        place=read_words(row, "place"),
        since=read_day(row, "since"),
        cores=read_count(row, "cores"),
        load=read_amount(row, "load"),
        state=read_choice(row, "state", STATES),
    )
    if found.cores < 0:
        raise BadField(f"{found.code}: cores is below zero")
    return found


def format_server(server):
    """The row of a server, as it is read."""
    return {
        "code": server.code,
        "place": server.place,
        "since": server.since.isoformat(),
        "cores": str(server.cores),
        "load": f"{server.load:.2f}",
        "state": server.state,
    }


def describe_server(server):
    """Lines about a server for people; what is empty is left out."""
    yield f"code: {server.code}"
    yield f"place: {server.place}"
    yield f"since: {server.since:%d.%m.%Y}"
    yield f"cores: {server.cores}"
    yield f"load: {server.load:,.2f}"
    yield f"state: {server.state}"


def changes_of_server(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_server(before), format_server(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


SERVERS = Store("servers", parse_server, format_server, key="code")
