"""Roman numbers."""

STEPS = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
         (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def to_roman(number):
    text = ""
    for value, letters in STEPS:
        while number >= value:
            text += letters
            number -= value
    return text


def answer(path, query):
    if path == "/write":
        return {"roman": to_roman(int(query["number"]))}
    return None
