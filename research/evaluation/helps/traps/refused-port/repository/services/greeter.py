"""Greets."""

GREETINGS = {"en": "Hello", "fr": "Bonjour", "pt": "Bom dia"}


def answer(path, query):
    if path == "/greet":
        return {"text": f"{GREETINGS.get(query.get('lang'), 'Hello')}, {query.get('name', 'world')}!"}
    return None
