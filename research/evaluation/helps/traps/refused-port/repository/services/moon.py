"""The age of the moon, to a day."""

from datetime import date

NEW, MONTH = date(2000, 1, 6), 29.530588


def age(day):
    return (day - NEW).days % MONTH


def answer(path, query):
    if path == "/age":
        return {"days": round(age(date.fromisoformat(query["day"])), 1)}
    return None
