"""Certificates."""

from datetime import date
from typing import NamedTuple

from office.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_words
from office.kit.store import Store

KINDS = ("own", "bought", "test")


class Cert(NamedTuple):
    """One of the certs, as a line of data/certs.csv has it."""

    code: str
    title: str
    issued: date
    expires: date
    hosts: int
    kind: str

    @property
    def length(self):
        """Days from issued to expires, both counted."""
        return (self.expires - self.issued).days + 1

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_cert(row):
    """The cert of a row; BadField names what is wrong in it."""
    found = Cert(
        code=read_code(row, "code", "C"),
        title=read_words(row, "title"),
        issued=read_day(row, "issued"),
        expires=read_day(row, "expires"),
        hosts=read_count(row, "hosts"),
        kind=read_choice(row, "kind", KINDS),
    )
    if found.expires < found.issued:
        raise BadField(f"{found.code}: expires is before issued")
    if found.hosts < 0:
        raise BadField(f"{found.code}: hosts is below zero")
    return found


def format_cert(cert):
    """The row of a cert, as it is read."""
    return {
        "code": cert.code,
        "title": cert.title,
        "issued": cert.issued.isoformat(),
        "expires": cert.expires.isoformat(),
        "hosts": str(cert.hosts),
        "kind": cert.kind,
    }


def describe_cert(cert):
    """Lines about a cert for people; what is empty is left out."""
    yield f"code: {cert.code}"
    yield f"title: {cert.title}"
    yield f"issued: {cert.issued:%d.%m.%Y}"
    yield f"expires: {cert.expires:%d.%m.%Y}"
    yield f"hosts: {cert.hosts}"
    yield f"kind: {cert.kind}"


def changes_of_cert(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_cert(before), format_cert(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


CERTS = Store("certs", parse_cert, format_cert, key="code")
