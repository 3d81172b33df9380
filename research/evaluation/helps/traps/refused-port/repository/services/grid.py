"""Distances on a grid."""


def answer(path, query):
    if path == "/distance":
        x, y = int(query["x"]), int(query["y"])
        return {"steps": abs(x) + abs(y), "king": max(abs(x), abs(y))}
    return None
