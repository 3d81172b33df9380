"""Turns texts around."""


def answer(path, query):
    text = query.get("text", "")
    if path == "/reverse":
        return {"text": text[::-1]}
    if path == "/turn":
        by = int(query.get("by", 1)) % max(1, len(text))
        return {"text": text[by:] + text[:by]}
    return None
