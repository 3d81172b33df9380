"""Lists and sums of forms."""

from collections import Counter


def pick_sent_between(forms, first, last):
    """The forms with sent from first to last, both included."""
    return [form for form in forms if first <= form.sent <= last]


def group_by_month_of_sent(forms):
    """How many forms each month has, by sent: (2024, 5) is May 2024."""
    counts = Counter((form.sent.year, form.sent.month) for form in forms)
    return sorted(counts.items())


def mean_fields(forms):
    """The mean of fields, rounded to a tenth; None without forms."""
    values = [form.fields for form in forms]
    return round(sum(values) / len(values), 1) if values else None


def at_least_fields(forms, wanted):
    """The forms whose fields is at least what is wanted."""
    return [form for form in forms if form.fields >= wanted]


def group_by_kind(forms):
    """Forms for each kind, in the order of the file."""
    found = {}
    for form in forms:
        found.setdefault(form.kind, []).append(form)
    return found


def count_kinds(forms):
    """How many forms there are of each kind, most first."""
    counts = Counter(form.kind for form in forms)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def pick_spam(forms):
    """The forms that are marked as spam."""
    return [form for form in forms if form.spam]


COLUMNS = ("code", "sent", "fields", "kind", "spam")


def table_of_forms(forms):
    """Lines of a table for people, sorted by code."""
    yield COLUMNS
    for item in sorted(forms, key=lambda item: item.code):
        yield tuple(str(getattr(item, column)) for column in COLUMNS)
