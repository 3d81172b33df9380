"""What was sent through forms."""

from datetime import date
from typing import NamedTuple

from office.kit.fields import BadField, read_choice, read_code, read_count, read_day, read_flag
from office.kit.store import Store

KINDS = ("order", "question", "sign_up")


class Form(NamedTuple):
    """One of the forms, as a line of data/forms.csv has it."""

    code: str
    sent: date
    fields: int
    kind: str
    spam: bool


def parse_form(row):
    """The form of a row; BadField names what is wrong in it."""
    found = Form(
        code=read_code(row, "code", "F"),
        sent=read_day(row, "sent"),
        fields=read_count(row, "fields"),
        kind=read_choice(row, "kind", KINDS),
        spam=read_flag(row, "spam"),
    )
    if found.fields < 0:
        raise BadField(f"{found.code}: fields is below zero")
    return found


def format_form(form):
    """The row of a form, as it is read."""
    return {
        "code": form.code,
        "sent": form.sent.isoformat(),
        "fields": str(form.fields),
        "kind": form.kind,
        "spam": "yes" if form.spam else "no",
    }


def describe_form(form):
    """Lines about a form for people; what is empty is left out."""
    yield f"code: {form.code}"
    yield f"sent: {form.sent:%d.%m.%Y}"
    yield f"fields: {form.fields}"
    yield f"kind: {form.kind}"
    if form.spam:
        yield "spam"


def changes_of_form(before, after):
    """(field, old text, new text) of what is not the same."""
    old, new = format_form(before), format_form(after)
    return [(name, old[name], new[name]) for name in old if old[name] != new[name]]


FORMS = Store("forms", parse_form, format_form, key="code")
