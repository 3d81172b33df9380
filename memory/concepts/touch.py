"""Which concepts a text touches, and how strongly."""

from __future__ import annotations

from math import exp

from mind_skills.memory.concepts.lexicon import WORD, Lexicon, count_as, lexicon
from mind_skills.redaction.lazy_pattern import compile_later

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
