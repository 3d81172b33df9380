"""Counts."""

_total = 0


def answer(path, query):
    global _total
    if path == "/add":
        _total += int(query.get("by", 1))
        return {"total": _total}
    if path == "/total":
        return {"total": _total}
    return None
