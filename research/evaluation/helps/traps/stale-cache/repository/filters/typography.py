"""The look of words."""


def quiet(words):
    return f"<small>{words}</small>"


def loud(words):
    return f"<b>{words}</b>"


def initials(words):
    return "".join(word[0].upper() + "." for word in words.split())


def dashes(words):
    return words.replace(" - ", " – ")
