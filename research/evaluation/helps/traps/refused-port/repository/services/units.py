"""Lengths and weights."""

FACTORS = {("inch", "cm"): 2.54, ("mile", "km"): 1.609344, ("pound", "kg"): 0.45359237, ("foot", "m"): 0.3048}


def convert(value, source, target):
    if (source, target) in FACTORS:
        return value * FACTORS[source, target]
    return value / FACTORS[target, source]


def answer(path, query):
    if path == "/convert":
        return {"value": round(convert(float(query["value"]), query["from"], query["to"]), 4)}
    return None
