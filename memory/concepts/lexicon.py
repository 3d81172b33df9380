"""The lexicon of concepts, and which of them a text touches, how strongly.

The lexicon is read from ``lexicon.json``, which ``build.py`` makes of the files in ``words/``.
Stemming nine thousand terms takes longer than a command may wait, reading the result takes a few milliseconds.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache
from math import exp

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


READ = 4_000
"""Characters that are read of a text; what it is about is said by then, and the work stays bounded."""

KEPT = 24
"""Concepts that are named for a text, the most telling ones."""

FAINT = 0.05
"""Below this a strength says nothing."""

REACH = 3
FURTHER = 5
"""How many words apart the words of a phrase may stand, those of two and of more: "leaks far more memory" is "leak memory"."""

KNOWN_WORDS = 20_000
"""Words whose canonical form is remembered. Texts repeat themselves; beyond that it starts anew."""

HUMP = compile_later(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")

_known: dict[str, tuple[str, ...]] = {}


def concepts(text: str) -> dict[str, float]:
    """The concepts that a text touches, by name, each with a strength above 0 and at most 1, the strongest first.

    Names are of [a-z0-9_] and stay the same from release to release. At most ``KEPT``, of the first ``READ`` characters;
    empty for a text that says nothing about software. What is only related to something touched comes with less strength.
    """
    built = lexicon()
    broad = built.broad
    strengths = {
        number: (1 - exp(-amount)) * broad[number]
        for number, amount in _evidence(built, _words(built, text[:READ])).items()
    }
    tied: dict[int, float] = {}
    for number, strength in strengths.items():
        for other, weight in built.related[number]:
            if strength * weight > tied.get(other, 0.0):
                tied[other] = strength * weight
    for number, strength in tied.items():
        direct = strengths.get(number, 0.0)
        strengths[number] = direct + (1 - direct) * strength * broad[number]
    names = built.names
    ordered = sorted((-strength, names[number]) for number, strength in strengths.items() if strength >= FAINT)
    return {name: round(-strength, 4) for strength, name in ordered[:KEPT]}


def _words(built: Lexicon, text: str) -> list[str]:
    """The words of a text as they count, those that say nothing left out."""
    words: list[str] = []
    known = _known
    for token in WORD.findall(text):
        found = known.get(token)
        if found is None:
            if len(known) >= KNOWN_WORDS:
                known.clear()
            found = known[token] = _counted(built.canonical, token)
        words += found
    return words


def _counted(canonical: dict[str, str], token: str) -> tuple[str, ...]:
    """What one word of a text counts as: an identifier in camelCase is itself and its parts."""
    counted = [count_as(canonical, token.lower())]
    if token not in {token.lower(), token.upper(), token.capitalize()}:
        humps = HUMP.findall(token)
        if len(humps) > 1:
            counted += [count_as(canonical, hump.lower()) for hump in humps]
    return tuple(word for word in counted if word)


def _evidence(built: Lexicon, words: list[str]) -> dict[int, float]:
    """How much the terms in a text say about each concept, by number. A term counts once, however often it stands there."""
    found: dict[int, float] = {}
    single, pairs, longer = built.single, built.pairs, built.longer
    touched = [single[word] for word in dict.fromkeys(words) if word in single]
    seen: set[int] = set()
    for position, word in enumerate(words):
        if word in pairs:
            partners = pairs[word]
            for other in words[max(0, position - REACH) : position + REACH + 1]:
                if other in partners and id(partners[other]) not in seen:
                    seen.add(id(partners[other]))
                    touched.append(partners[other])
        if word in longer:
            near = words[max(0, position - FURTHER) : position + FURTHER + 1]
            for others, touch in longer[word]:
                if others[0] in near and id(touch) not in seen and all(other in near for other in others):
                    seen.add(id(touch))
                    touched.append(touch)
    for touch in touched:
        for number, amount in touch:
            found[number] = found.get(number, 0.0) + amount
    return found
