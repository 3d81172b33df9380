"""The longest time between two readings of each building, in seconds."""

from itertools import pairwise


def lines(readings):
    moments = {}
    for reading in readings:
        moments.setdefault(reading.building, []).append(reading.moment)
    for building, found in sorted(moments.items()):
        yield f"{building},{max(later - earlier for earlier, later in pairwise(sorted(found)))}"
