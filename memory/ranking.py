"""In which order records answer a question, and how well: what each way of finding says, made one number.

Full text and concepts each bring their best; what they bring is compared with the question one by one. Words are rare
evidence and good evidence: who shares them comes first, and where nobody does, the concepts decide. The weights were
chosen on the half of the benchmark that may be looked at (docs/memory.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, sqrt

from mind_skills.memory.features import Features, features, length, shared
from mind_skills.memory.hashing import nearness
from mind_skills.memory.index import Index, scope
from mind_skills.memory.question import names, words

CANDIDATES = 60
"""Records that full text and concepts bring each, to be compared one by one."""
DEEPER = 5
"""So many times as many are asked of full text for their scores: one that concepts brought may share words as well."""
TOUCHES = 60_000
"""Touches of concepts that are looked at for one question: at 100,000 records a common concept has more than that."""
RARE, COMMON = 200, 0.15
"""A word that stands in more than ``RARE`` records and in more than this part of all is not asked for: it would bring
every other record, and tells nearly nothing."""
TEXT, CONCEPTS, PIECES = 0.3, 0.5, 0.2
"""What the full text, the concepts and the hashed pieces count for."""
NAMED = 0.1
"""What it counts that an identifier of the question stands in a record."""


def likeness(index: Index, text: str, project: str, *, untrusted: bool, most: int = CANDIDATES) -> dict[int, float]:
    """The records nearest to a question, by number, each with its likeness: above 0, at most 1."""
    asked = features(text)
    rarity = index.rarities()
    worths = _worths(index, words(text), scope(project, untrusted=untrusted), DEEPER * most)
    named = set(index.holding(names(text), most))
    kept = index.features([*list(worths)[:most], *named], project, untrusted=untrusted)
    kept |= _touching(index, asked.concepts, rarity, project, untrusted=untrusted, most=most)
    about = _about(asked, kept, rarity)
    found: dict[int, float] = {}
    for n, other in kept.items():
        pieces = nearness(asked.vector, other.vector)
        score = TEXT * worths.get(n, 0.0) + CONCEPTS * about[n] + PIECES * pieces + NAMED * (n in named)
        if score > 0:
            found[n] = min(1.0, score)
    return found


def _about(asked: Features, kept: Mapping[int, Features], rarity: Mapping[str, float]) -> dict[int, float]:
    """How much records are about what a question is about.

    By the cosine a short record would win that touches nothing else; only half of what a longer one touches beside it
    is held against it.
    """
    own = length(asked.concepts, rarity)
    lengths = {n: length(other.concepts, rarity) for n, other in kept.items()}
    usual = sum(lengths.values()) / max(1, len(lengths))
    return {
        n: shared(asked.concepts, other.concepts, rarity) / (own * sqrt(lengths[n] * usual))
        if own * lengths[n]
        else 0.0
        for n, other in kept.items()
    }


def _worths(index: Index, asked: Sequence[str], within: str, most: int) -> dict[int, float]:
    """The records that share words with a question, the best first: what part they have of all that BM25 could give."""
    total = index.count()
    frequencies = {word: index.frequency(word) for word in asked}
    limit = max(RARE, COMMON * total)
    telling = [word for word in asked if 0 < frequencies[word] <= limit] or [
        word for word in asked if frequencies[word]
    ]
    if not telling:
        return {}
    # A word that no record has weighs as one that a single record has: else who shares one common word would share all.
    weights = [log((total - n + 0.5) / (n + 0.5)) for n in (max(1, frequencies[word]) for word in asked)]
    ideal = 2.2 * sum(max(weight, 1e-6) for weight in weights)
    return {n: min(1.0, worth / ideal) for n, worth in index.matching(telling, within, most)}


def _touching(
    index: Index, asked: Mapping[str, float], rarity: Mapping[str, float], project: str, *, untrusted: bool, most: int
) -> dict[int, Features]:
    """The records that share most with a question by their concepts."""
    weights = {name: strength * rarity[name] ** 2 for name, strength in asked.items() if name in rarity}
    touched = index.touching(weights, TOUCHES)
    best = sorted(touched, key=lambda n: -touched[n])
    kept: dict[int, Features] = {}
    for start in range(0, len(best), most):
        kept |= index.features(best[start : start + most], project, untrusted=untrusted)
        if len(kept) >= most or start > 8 * most:
            break
    return kept
