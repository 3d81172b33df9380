"""Those for whom we work."""

from dataclasses import dataclass
from datetime import date

from office.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_note, read_words
from office.kit.store import Store

KINDS = ("town", "farm", "school", "firm", "club")


@dataclass(frozen=True)
class Client:
    """One of the clients, as a line of data/clients.csv has it."""

    code: str
    place: str
    since: date
    kind: str
    invoices: int
    remark: str

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.place}"


def parse_client(row):
    """The client of a row; BadField names what is wrong in it."""
    found = Client(
        code=read_code(row, "code", "C"),
        place=read_words(row, "place"),
        since=read_day(row, "since"),
        kind=read_choice(row, "kind", KINDS),
        invoices=read_count(row, "invoices"),
        remark=read_note(row, "remark"),
    )
    if found.invoices < 0:
        raise BadField(f"{found.code}: invoices is below zero")
    return found


def format_client(client):
    """The row of a client, as it is read."""
    return {
        "code": client.code,
        "place": client.place,
        "since": client.since.isoformat(),
        "kind": client.kind,
        "invoices": str(client.invoices),
        "remark": client.remark,
    }


def describe_client(client):
    """Lines about a client for people; what is empty is left out."""
    yield f"code: {client.code}"
    yield f"place: {client.place}"
    yield f"since: {client.since:%d.%m.%Y}"
    yield f"kind: {client.kind}"
    yield f"invoices: {client.invoices}"
    if client.remark:
        yield f"remark: {client.remark}"


def changes_of_client(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_client(before), format_client(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


CLIENTS = Store("clients", parse_client, format_client, key="code")
