"""Leap years."""

from calendar import isleap


def answer(path, query):
    if path == "/is":
        return {"leap": isleap(int(query["year"]))}
    if path == "/next":
        year = int(query["year"]) + 1
        while not isleap(year):
            year += 1
        return {"year": year}
    return None
