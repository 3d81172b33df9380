"""The lexicon of concepts as it is used: read from ``lexicon.json``, which ``build.py`` makes of the files in ``words/``.

Stemming nine thousand terms takes longer than a command may wait, reading the result takes a few milliseconds.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache

from mind_skills.memory.concepts.stemming import stem
from mind_skills.redaction.lazy_pattern import compile_later

HERE = os.path.dirname(os.path.abspath(__file__))
MADE = os.path.join(HERE, "lexicon.json")

WORD = compile_later(r"\d+(?:\.\d+)+|[^\W_]+(?:['’][a-z]+)?")
"""A word of a text or of a term. Dots, slashes, underscores and the like part words; 0.1 and 127.0.0.1 are one each."""

Touch = list[tuple[int, float]]


class Lexicon:
    """Terms by their canonical words; what they touch is a list of concepts by number, with what the term says about each.

    ``names``, ``broad`` (how much a concept says, 1 or less) and ``related`` (concepts by number with a weight) go by the
    number of a concept. ``single`` goes by a word. ``pairs`` goes by the rarer of two words, then the
    other. ``longer`` goes by the rarest word of a term: its other words, and what it touches.
    ``canonical`` says what a word or its stem counts as: the first of its class, or "" where it says nothing.
    """

    __slots__ = ("broad", "canonical", "longer", "names", "pairs", "related", "single")

    def __init__(self) -> None:
        self.names: list[str] = []
        self.broad: list[float] = []
        self.related: list[list[tuple[int, float]]] = []
        self.canonical: dict[str, str] = {}
        self.single: dict[str, Touch] = {}
        self.pairs: dict[str, dict[str, Touch]] = {}
        self.longer: dict[str, list[tuple[list[str], Touch]]] = {}

    def as_document(self) -> dict[str, object]:
        """What ``lexicon.json`` holds."""
        return {name: getattr(self, name) for name in self.__slots__}


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The lexicon, read once a process. Raises OSError or ValueError where it was not installed whole."""
    read = Lexicon()
    with open(MADE, encoding="utf-8") as file:
        document = json.load(file)
    for name in Lexicon.__slots__:
        setattr(read, name, document[name])
    return read


def count_as(canonical: dict[str, str], word: str) -> str:
    """What a word in lower case counts as: its stem, or the first of its class; "" for one that says nothing."""
    known = canonical.get(word)
    if known is None:
        stemmed = stem(word.replace("'", "").replace("’", ""))
        known = canonical.get(stemmed) or stemmed  # a stop word is one as it stands: "even" is, "evening" is not
    return known
