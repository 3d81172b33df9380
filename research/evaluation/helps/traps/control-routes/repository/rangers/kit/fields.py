"""Fields of rows: text in, values out."""

import re
from datetime import date
from decimal import Decimal, InvalidOperation


class BadField(ValueError):
    """A field that is missing or has no value of its kind."""


def _text(row, name):
    try:
        return row[name].strip()
    except KeyError:
        raise BadField(f"{name} is missing") from None


def read_words(row, name):
    """Words with at least one letter."""
    text = _text(row, name)
    if not any(character.isalpha() for character in text):
        raise BadField(f"{name}: {text!r} has no letters")
    return text


def read_note(row, name):
    """Any text, also none."""
    return _text(row, name)


def read_code(row, name, prefix):
    """A key: some capital letters and digits that begin with the prefix."""
    text = _text(row, name)
    if not text.startswith(prefix) or not re.fullmatch(r"[A-Z]*[0-9]+", text):
        raise BadField(f"{name}: {text!r} is no key")
    return text


def read_day(row, name):
    text = _text(row, name)
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadField(f"{name}: {text!r} is no day") from None


def read_amount(row, name):
    text = _text(row, name)
    try:
        return Decimal(text)
    except InvalidOperation:
        raise BadField(f"{name}: {text!r} is no amount") from None


def read_count(row, name):
    text = _text(row, name)
    if not text.isdecimal():
        raise BadField(f"{name}: {text!r} is no number")
    return int(text)


def read_flag(row, name):
    text = _text(row, name)
    if text not in ("yes", "no"):
        raise BadField(f"{name}: {text!r} is neither yes nor no")
    return text == "yes"


def read_choice(row, name, choices):
    text = _text(row, name)
    if text not in choices:
        raise BadField(f"{name}: {text!r} is none of {', '.join(choices)}")
    return text
