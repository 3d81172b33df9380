"""From the text of a page to HTML."""

import re

from presslib.filters import FILTERS
from presslib.page import read_part
from presslib.shelf import shelved

_MARK = re.compile(r"\{\{ *(.*?) *\}\}")


class BadMark(Exception):
    pass


def _replace(match):
    words = match[1]
    if words.startswith("part:"):
        return expand(read_part(words.removeprefix("part:")))
    words, _, name = words.rpartition("|")
    if name not in FILTERS:
        raise BadMark(f"there is no filter {name}")
    return FILTERS[name](words)


def expand(text):
    return _MARK.sub(_replace, text)


def paragraphs(text):
    for block in text.strip().split("\n\n"):
        yield block if block.startswith(("<", "{{ part:")) else f"<p>{block}</p>"


@shelved
def render(page):
    """The whole file of a page."""
    inner = "\n".join(paragraphs(page.body))
    return expand(
        "<!doctype html>\n"
        f"<title>{page.title}</title>\n"
        "{{ part:top }}\n"
        f"<h1>{page.title}</h1>\n"
        f"<p class=date>{{{{ {page.date}|date }}}}</p>\n"
        f"{inner}\n"
        "{{ part:foot }}\n"
    )
