"""Days of the week."""

from datetime import date

DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


def answer(path, query):
    if path == "/of":
        return {"day": DAYS[date.fromisoformat(query["day"]).weekday()]}
    return None
