"""Beginnings of entries."""

from guestbook.settings import feed, mail, pages


def preview(text):
    """The beginning of an entry, whole words if there are any."""
    if len(text) <= pages.PREVIEW_CHARACTERS:
        return text
    cut = text[: pages.PREVIEW_CHARACTERS]
    return (cut.rpartition(" ")[0] or cut) + " ..."


def subject(text):
    """The subject of a mail about an entry."""
    return text.splitlines()[0][: mail.SUBJECT_CHARACTERS]


def quote(text):
    """The first lines, as mail quotes them."""
    return "\n".join(f"> {line}" for line in text.splitlines()[: mail.QUOTE_LINES])


def feed_title(name, text):
    return f"{name}: {text}"[: feed.TITLE_CHARACTERS]
