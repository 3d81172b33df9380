"""Finds the concepts of a text with a hand-written lexicon of software work: "eats all the RAM" and "unbounded cache
grows the heap" share `memory_growth`. ``build.py`` makes ``lexicon.json`` from ``words/``, as stemming 11,000 terms
in each run takes too long. ``word_...`` are classes of everyday words.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache
from math import exp

from mind_skills.redaction.lazy_pattern import compile_lazily

VOWELS = frozenset("aeiouy")

# Stems of irregular forms, and of words that the rules would stem incorrectly.
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

# Endings, each with the minimum number of letters that must precede it; the first that matches is removed. They are grouped
# by their last letter, so that a word is compared with only a few. For -1, see _strip_ending.
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
    """Return the stem of a word: ``caching``, ``cached`` and ``caches`` all become ``cach``."""
    word = word.lower()
    base = IRREGULAR.get(word)
    if base is not None:
        return base
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    return _strip_ending(_strip_inflection(word))


def _strip_inflection(word: str) -> str:
    """Remove a plural ending, -ed or -ing."""
    last = word[-1]
    if last == "s":
        word = _strip_plural(word)
    elif last == "d" and word[-2] == "e":
        if word.endswith("ied") and len(word) > 4:
            return word[:-3] + "y"
        if len(word) > 4 and not word.endswith("eed"):
            return _resolve_verb(word, word[:-2])
    elif last == "g" and word.endswith("ing") and len(word) > 5:
        return _resolve_verb(word, word[:-3])
    return word


def _strip_plural(word: str) -> str:
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("ss", "us", "is")):
        return word
    singular = word[:-1]
    return IRREGULAR.get(singular, singular)


def _resolve_verb(word: str, base: str) -> str:
    """Return the stem of a form in -ed or -ing. ``base`` is the form without its ending; if it has no vowel, return ``word``."""
    if not VOWELS.intersection(base):
        return word
    if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz":
        base = base[:-1]
    elif len(base) > 6 and base.endswith("is"):  # "serialised" has the stem of "serialized"
        base = base[:-2]
    return IRREGULAR.get(base, base)


def _strip_ending(word: str) -> str:
    if word in IRREGULAR:
        return IRREGULAR[word]
    for ending, min_length in ENDINGS.get(word[-1], ()):
        if word.endswith(ending):
            if min_length < 0 and len(word) > 5:  # -sion and -tion: the s or t belongs to the stem
                word = word[:-3]
                break
            if min_length >= 0 and len(word) - len(ending) >= min_length:
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
LEXICON_PATH = os.path.join(HERE, "lexicon.json")

WORD = compile_lazily(r"\d+(?:\.\d+)+|[^\W_]+(?:['’][a-z]+)?")
"""A word in a text or term. Dots, slashes, underscores and so on separate words, but 0.1 and 127.0.0.1 are single words."""

ConceptWeights = list[tuple[int, float]]


class Lexicon:
    """Maps canonical words to numbers of concepts, with weights. ``single`` has one-word terms; ``pairs`` is keyed by
    the rarer word, then the other; ``longer`` by the rarest, as (other words, concepts). ``canonical`` maps a word
    to the stem of its class, or to "" for a stop word.
    """

    __slots__ = ("canonical", "longer", "names", "own_weights", "pairs", "related", "single")

    def __init__(self) -> None:
        self.names: list[str] = []
        self.own_weights: list[float] = []
        self.related: list[list[tuple[int, float]]] = []
        self.canonical: dict[str, str] = {}
        self.single: dict[str, ConceptWeights] = {}
        self.pairs: dict[str, dict[str, ConceptWeights]] = {}
        self.longer: dict[str, list[tuple[list[str], ConceptWeights]]] = {}

    def as_document(self) -> dict[str, object]:
        """Return the content of ``lexicon.json``."""
        return {name: getattr(self, name) for name in self.__slots__}


@lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """Return the lexicon, which is loaded once per process. Raises OSError, ValueError or KeyError if its file is damaged."""
    loaded = Lexicon()
    with open(LEXICON_PATH, encoding="utf-8") as file:
        document = json.load(file)
    for name in Lexicon.__slots__:
        setattr(loaded, name, document[name])
    return loaded


def canonicalise(canonical: dict[str, str], word: str) -> str:
    """Return a lower-case word's canonical form: the stem of its class's first word, or its own; "" for a stop word."""
    canonical_form = canonical.get(word)
    if canonical_form is None:
        stemmed = stem(word.replace("'", "").replace("’", ""))
        # Only the exact form of a stop word counts: "them" is a stop word, but "theme", with the same stem, is not.
        canonical_form = canonical.get(stemmed) or stemmed
    return canonical_form


MAX_TEXT_LENGTH = 4_000
"""Maximum number of characters read from a text: enough to identify its subject, and a limit on the work."""

MAX_CONCEPTS = 24
"""Maximum number of concepts returned for a text; the strongest are returned."""

MIN_STRENGTH = 0.05
"""Minimum strength of a concept in a text; weaker ones are not returned."""

PAIR_DISTANCE = 3
PHRASE_DISTANCE = 5
"""Maximum distance of a phrase's words from its rarest one, for two words and for more; stop words are not counted."""

MAX_CACHED_WORDS = 20_000
"""Maximum number of words whose canonical forms are cached; when the cache is full, it is cleared."""

CAMEL_CASE_PART = compile_lazily(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")

_canonical_cache: dict[str, tuple[str, ...]] = {}


def extract_concepts(text: str) -> dict[str, float]:
    """Return at most ``MAX_CONCEPTS`` of a text by name, each with its strength (0 to 1), strongest first."""
    lexicon = load_lexicon()
    own_weights = lexicon.own_weights
    strengths = {
        number: (1 - exp(-weight_sum)) * own_weights[number]
        for number, weight_sum in _sum_term_weights(lexicon, _split_words(lexicon, text[:MAX_TEXT_LENGTH])).items()
    }
    related: dict[int, float] = {}
    for number, strength in strengths.items():
        for other, weight in lexicon.related[number]:
            if strength * weight > related.get(other, 0.0):
                related[other] = strength * weight
    for number, strength in related.items():
        direct = strengths.get(number, 0.0)
        strengths[number] = direct + (1 - direct) * strength * own_weights[number]
    names = lexicon.names
    ordered = sorted((-strength, names[number]) for number, strength in strengths.items() if strength >= MIN_STRENGTH)
    return {name: round(-strength, 4) for strength, name in ordered[:MAX_CONCEPTS]}


def _split_words(lexicon: Lexicon, text: str) -> list[str]:
    """Return the canonical forms of a text's words, without stop words."""
    words: list[str] = []
    cache = _canonical_cache
    for token in WORD.findall(text):
        canonical_words = cache.get(token)
        if canonical_words is None:
            if len(cache) >= MAX_CACHED_WORDS:
                cache.clear()
            canonical_words = cache[token] = _canonicalise_token(lexicon.canonical, token)
        words += canonical_words
    return words


def _canonicalise_token(canonical: dict[str, str], token: str) -> tuple[str, ...]:
    """Return the canonical words of a token: for a camelCase identifier, the whole identifier and its parts."""
    words = [canonicalise(canonical, token.lower())]
    if token not in {token.lower(), token.upper(), token.capitalize()}:
        parts = CAMEL_CASE_PART.findall(token)
        if len(parts) > 1:
            words += [canonicalise(canonical, part.lower()) for part in parts]
    return tuple(word for word in words if word)


def _sum_term_weights(lexicon: Lexicon, words: list[str]) -> dict[int, float]:
    """Sum the weights of the terms in a text, by the number of the concept. A term counts once, however often it occurs."""
    weights: dict[int, float] = {}
    single, pairs, longer = lexicon.single, lexicon.pairs, lexicon.longer
    entries = [single[word] for word in dict.fromkeys(words) if word in single]
    counted_ids: set[int] = set()
    for position, word in enumerate(words):
        if word in pairs:
            partners = pairs[word]
            for other in words[max(0, position - PAIR_DISTANCE) : position + PAIR_DISTANCE + 1]:
                if other in partners and id(partners[other]) not in counted_ids:
                    counted_ids.add(id(partners[other]))
                    entries.append(partners[other])
        if word in longer:
            near = words[max(0, position - PHRASE_DISTANCE) : position + PHRASE_DISTANCE + 1]
            for others, entry in longer[word]:
                if others[0] in near and id(entry) not in counted_ids and all(other in near for other in others):
                    counted_ids.add(id(entry))
                    entries.append(entry)
    for entry in entries:
        for number, weight in entry:
            weights[number] = weights.get(number, 0.0) + weight
    return weights
