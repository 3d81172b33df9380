"""Means."""

import statistics


def answer(path, query):
    numbers = [float(word) for word in query.get("numbers", "").split(",") if word]
    if path == "/mean":
        return {"mean": statistics.fmean(numbers)}
    if path == "/median":
        return {"median": statistics.median(numbers)}
    return None
