"""Lengths and weights."""


def kilos(words):
    return f"<span>{words} kg</span>"


def metres(words):
    return f"<span>{words} m</span>"


def far(words):
    """Kilometres, and how long that is on foot."""
    return f"{words} km ({round(float(words) * 13)} minutes on foot)"


def litres(words):
    return f"<span>{words} l</span>"
