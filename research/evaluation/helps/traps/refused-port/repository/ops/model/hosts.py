"""Machines."""

from datetime import date
from typing import NamedTuple

from ops.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_note, read_words
from ops.kit.store import Store

KINDS = ("blade", "tower", "board")


class Host(NamedTuple):
    """One of the hosts, as a line of data/hosts.csv has it."""

    code: str
    title: str
    since: date
    cores: int
    kind: str
    spare: bool
    remark: str

    @property
    def heading(self):
        """How it is written on lists."""
        return f"{self.code} {self.title}"


def parse_host(row):
    """The host of a row; BadField names what is wrong in it."""
    found = Host(
        code=read_code(row, "code", "H"),
        title=read_words(row, "title"),
        since=read_day(row, "since"),
        cores=read_count(row, "cores"),
        kind=read_choice(row, "kind", KINDS),
        spare=read_flag(row, "spare"),
        remark=read_note(row, "remark"),
    )
    if found.cores < 0:
        raise BadField(f"{found.code}: cores is below zero")
    return found


def format_host(host):
    """The row of a host, as it is read."""
    return {
        "code": host.code,
        "title": host.title,
        "since": host.since.isoformat(),
        "cores": str(host.cores),
        "kind": host.kind,
        "spare": "yes" if host.spare else "no",
        "remark": host.remark,
    }


def describe_host(host):
    """Lines about a host for people; what is empty is left out."""
    yield f"code: {host.code}"
    yield f"title: {host.title}"
    yield f"since: {host.since:%d.%m.%Y}"
    yield f"cores: {host.cores}"
    yield f"kind: {host.kind}"
    if host.spare:
        yield "spare"
    if host.remark:
        yield f"remark: {host.remark}"


def changes_of_host(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_host(before), format_host(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


HOSTS = Store("hosts", parse_host, format_host, key="code")
