"""Check digits."""


def check_digit(number):
    total = 0
    for place, digit in enumerate(map(int, reversed(number))):
        value = digit * 2 if place % 2 == 0 else digit
        total += value - 9 if value > 9 else value
    return -total % 10


def answer(path, query):
    if path == "/digit":
        return {"digit": check_digit(query["number"])}
    return None
