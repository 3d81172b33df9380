"""The smallest and the largest reading of each building."""


def lines(readings):
    found = {}
    for reading in readings:
        found.setdefault(reading.building, []).append(reading.used)
    for building, used in sorted(found.items()):
        yield f"{building},{min(used):.1f},{max(used):.1f}"
