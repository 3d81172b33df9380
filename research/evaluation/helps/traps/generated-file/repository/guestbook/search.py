"""Find entries."""

from guestbook.settings import search


class BadQuery(Exception):
    """A query that finds nothing by its nature."""


def find(entries, query):
    """The newest entries with all words of a query."""
    if len(query) > search.QUERY_CHARACTERS:
        raise BadQuery("that is too long")
    words = [word for word in query.lower().split() if len(word) >= search.SHORTEST_CHARACTERS]
    if not words:
        raise BadQuery("no word is long enough")
    found = [entry for entry in entries[::-1] if all(word in entry[1].lower() for word in words)]
    return found[: search.HITS_ENTRIES]
