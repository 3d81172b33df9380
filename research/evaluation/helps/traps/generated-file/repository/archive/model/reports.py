"""What readers reported about entries."""

from datetime import date
from typing import NamedTuple

from archive.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag, read_note
from archive.kit.store import Store

KINDS = ("spam", "rude", "wrong", "other")


class Report(NamedTuple):
    """One of the reports, as a line of data/reports.csv has it."""

    code: str
    sent: date
    kind: str
    entries: int
    done: bool
    remark: str


def parse_report(row):
    """The report of a row; BadField names what is wrong in it."""
    found = Report(
        code=read_code(row, "code", "R"),
        sent=read_day(row, "sent"),
        kind=read_choice(row, "kind", KINDS),
        entries=read_count(row, "entries"),
        done=read_flag(row, "done"),
        remark=read_note(row, "remark"),
    )
    if found.entries < 0:
        raise BadField(f"{found.code}: entries is below zero")
    return found


def format_report(report):
    """The row of a report, as it is read."""
    return {
        "code": report.code,
        "sent": report.sent.isoformat(),
        "kind": report.kind,
        "entries": str(report.entries),
        "done": "yes" if report.done else "no",
        "remark": report.remark,
    }


def describe_report(report):
    """Lines about a report for people; what is empty is left out."""
    yield f"code: {report.code}"
    yield f"sent: {report.sent:%d.%m.%Y}"
    yield f"kind: {report.kind}"
    yield f"entries: {report.entries}"
    if report.done:
        yield "done"
    if report.remark:
        yield f"remark: {report.remark}"


def changes_of_report(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_report(before), format_report(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


REPORTS = Store("reports", parse_report, format_report, key="code")
