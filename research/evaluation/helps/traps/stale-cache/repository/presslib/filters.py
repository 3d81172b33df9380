"""Filters for words in pages."""


def date(words):
    return words


def money(words):
    return f"{float(words):.2f} €"


def quiet(words):
    return f"<small>{words}</small>"


FILTERS = {"date": date, "money": money, "quiet": quiet}
