"""Shifts letters."""


def shift(text, by):
    found = []
    for letter in text:
        for first in "aA":
            if 0 <= ord(letter) - ord(first) < 26:
                letter = chr((ord(letter) - ord(first) + by) % 26 + ord(first))
                break
        found.append(letter)
    return "".join(found)


def answer(path, query):
    if path == "/shift":
        return {"text": shift(query["text"], int(query.get("by", 13)))}
    return None
