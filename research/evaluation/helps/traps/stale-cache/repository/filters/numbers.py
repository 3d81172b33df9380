"""Numbers."""


def round_number(words):
    """To two digits: 347 is 350."""
    number = int(words)
    step = 10 ** max(0, len(str(number)) - 2)
    return str((number + step // 2) // step * step)


def ordinal(words):
    number = int(words)
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


def dozen(words):
    return f"{int(words) // 12} dozen"
