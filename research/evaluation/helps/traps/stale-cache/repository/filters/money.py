"""Prices."""


def money(words):
    return f"{float(words):.2f} €"


def about(words):
    return f"about {round(float(words))} €"


def free(words):
    return "free" if not float(words) else money(words)
