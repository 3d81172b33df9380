"""The lexicon of concepts, and which of them a text touches, how strongly.

The lexicon is read from ``lexicon.json``, which ``build.py`` makes of the files in ``words/``.
Stemming nine thousand terms takes longer than a command may wait, reading the result takes a few milliseconds.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache
from math import exp

from mind_skills.redaction.lazy_pattern import compile_later

VOWELS = frozenset("aeiouy")

# Forms that no rule finds, and words that a rule would spoil.
IRREGULAR = {
    form: base
    for form, _, base in (
        pair.partition("=")
        for pair in (
            "alias=alias aliases=alias appendices=appendix ate=eat began=begin begun=begin bound=bind broke=break "
            "broken=break built=build came=com canvas=canvas canvases=canvas caught=catch children=child chose=choos "
            "chosen=choos css=css died=die dies=die dying=die drew=draw drawn=draw eaten=eat embed=embed embeds=embed "
            "fallen=fall fell=fall fed=feed forgot=forget forgotten=forget format=format formats=format formatted=format "
            "formatter=format formatting=format found=find froze=freez frozen=freez gave=giv given=giv gone=go went=go "
            "goes=go grew=grow grown=grow held=hold hidden=hid hid=hid https=http hung=hang ios=ios kept=keep "
            "kubernetes=kubernetes lost=los losing=los macos=macos matrices=matrix indices=index indexes=index "
            "vertices=vertex met=meet news=news overridden=overrid overrode=overrid overwritten=overwrit "
            "overwrote=overwrit pandas=pandas postgres=postgres ran=run redis=redis rose=ris sent=send shown=show "
            "shrank=shrink shrunk=shrink species=species spent=spend spun=spin string=string strings=string stuck=stuck "
            "taken=tak took=tak thread=thread threw=throw thrown=throw written=writ wrote=writ wrong=wrong bias=bias "
            "responsive=responsiv evening=evening evenings=evening cors=cors core=core cores=core runes=runes "
            "usable=usable unusable=unusable gas=gas lens=lens lenses=lens atlas=atlas speed=speed always=always has=has "
            "was=was this=this process=process processes=process access=access accesses=access address=address "
            "addresses=address series=series windows=windows os=os dns=dns tls=tls aws=aws js=js used=use using=use "
            "resolution=resolv resolutions=resolv sped=speed slept=sleep swept=sweep read=read tore=tear torn=tear "
            "ground=ground left=leav leaving=leav"
        ).split()
    )
}

# Endings and how many letters must stay before them; the first that fits is taken off. Grouped by their last letter,
# so that a word is only held against the few that can fit.
ENDINGS: dict[str, tuple[tuple[str, int], ...]] = {
    "n": (("ization", 3), ("isation", 3), ("ation", 4), ("sion", -1), ("tion", -1)),
    "r": (("izer", 4), ("iser", 4), ("ator", 4)),
    "e": (("able", 4), ("ible", 4), ("ance", 5), ("ence", 5), ("ize", 4), ("ise", 5), ("ate", 4), ("ive", 4)),
    "t": (("ment", 4), ("ent", 5), ("ant", 5), ("at", 4)),
    "y": (("ability", 3), ("ibility", 3), ("ancy", 5), ("ency", 5), ("ity", 4), ("ably", 4), ("ibly", 4), ("ly", 4)),
    "s": (("ness", 4),),
    "z": (("iz", 4),),
}


def stem(word: str) -> str:
    """The common form of a word: ``caching``, ``cached`` and ``caches`` are all ``cach``.

    Case does not matter. What is no English word in ASCII letters (a number, another script) comes back in lower case.
    """
    word = word.lower()
    known = IRREGULAR.get(word)
    if known is not None:
        return known
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    return _without_ending(_without_inflection(word))


def _without_inflection(word: str) -> str:
    """The word without plural, past and -ing."""
    last = word[-1]
    if last == "s":
        word = _singular(word)
    elif last == "d" and word[-2] == "e":
        if word.endswith("ied") and len(word) > 4:
            return word[:-3] + "y"
        if len(word) > 4 and not word.endswith("eed"):
            return _verb(word, word[:-2])
    elif last == "g" and word.endswith("ing") and len(word) > 5:
        return _verb(word, word[:-3])
    return word


def _singular(word: str) -> str:
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("ss", "us", "is")):
        return word
    singular = word[:-1]
    return IRREGULAR.get(singular, singular)


def _verb(word: str, base: str) -> str:
    """The verb that is left of a form in -ed or -ing, if what is left can be one."""
    if not VOWELS.intersection(base):
        return word
    if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz":
        base = base[:-1]
    elif len(base) > 6 and base.endswith("is"):  # serialised, as serialized
        base = base[:-2]
    return IRREGULAR.get(base, base)


def _without_ending(word: str) -> str:
    if word in IRREGULAR:
        return IRREGULAR[word]
    for ending, least in ENDINGS.get(word[-1], ()):
        if word.endswith(ending):
            if least < 0 and len(word) > 5:  # -sion, -tion: the s and the t belong to the word
                word = word[:-3]
                break
            if least >= 0 and len(word) - len(ending) >= least:
                word = word[: -len(ending)]
                break
    if len(word) > 3 and word[-1] == "e":
        word = word[:-1]
        if len(word) > 5 and word.endswith(("iz", "at")):
            word = word[:-2]
    if len(word) > 2 and word[-1] == "y" and word[-2] not in VOWELS:
        word = word[:-1] + "i"
    return word


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
