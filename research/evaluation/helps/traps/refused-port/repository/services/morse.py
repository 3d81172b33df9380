"""Morse code."""

CODE = dict(zip("abcdefghijklmnopqrstuvwxyz", (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
).split()))


def answer(path, query):
    if path == "/send":
        return {"code": " ".join(CODE[letter] for letter in query["text"].lower() if letter in CODE)}
    return None
