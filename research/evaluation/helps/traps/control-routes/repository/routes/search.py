"""Search in networks."""

import heapq


class NoWay(Exception):
    """There is no way between two places."""


def shortest(network, start, goal):
    """Minutes and places of the shortest way; of equal ones, that which comes first in the alphabet."""
    waiting = [(0, [start])]
    done = set()
    while waiting:
        minutes, way = heapq.heappop(waiting)
        place = way[-1]
        if place == goal:
            return minutes, way
        if place in done:
            continue
        done.add(place)
        for neighbour, more in network.get(place, {}).items():
            if neighbour not in done:
                heapq.heappush(waiting, (minutes + more, [*way, neighbour]))
    raise NoWay(f"from {start} to {goal}")
