"""Throws dice that are the same for the same seed."""

import random


def answer(path, query):
    if path == "/throw":
        source = random.Random(query.get("seed", "0"))
        return {"dice": [source.randint(1, 6) for _ in range(int(query.get("count", 2)))]}
    return None
