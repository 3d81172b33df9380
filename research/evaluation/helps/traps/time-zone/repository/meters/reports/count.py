"""How many readings there are of each building."""

from collections import Counter


def lines(readings):
    counts = Counter(reading.building for reading in readings)
    for building, count in sorted(counts.items()):
        yield f"{building},{count}"
