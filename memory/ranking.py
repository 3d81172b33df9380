"""In which order records answer a question, and how well: what each way of finding says, made one number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

from mind_skills.memory.features import Features, alike, features
from mind_skills.memory.index import Index, scope, term
from mind_skills.memory.question import names, words

CANDIDATES = 60
"""Records that the full text brings, to be put in order by their features."""
RARE = 200
COMMON = 0.15
"""A term that stands in more than ``RARE`` records and in more than this part of all is not asked for: it would bring
every other record, and tells nearly nothing."""
TEXT, CONCEPTS, PIECES = 0.4, 0.45, 0.15
"""What the full text, the concepts and the hashed pieces count for."""
NAMED = 0.1
"""What it counts that an identifier of the question stands in a record."""


def likeness(index: Index, text: str, project: str, *, untrusted: bool, most: int = CANDIDATES) -> dict[int, float]:
    """The records nearest to a question, by number, each with its likeness: above 0, at most 1."""
    asked = features(text)
    terms = [*words(text), *map(term, asked.concepts)]
    ideal, telling = _telling(index, terms)
    within = scope(project, untrusted=untrusted)
    found = dict(index.matching(telling, within, most)) if telling else {}
    named = set(index.holding(names(text), most)) if names(text) else set()
    kept = index.features(found)
    return {n: _one(asked, kept[n], worth / ideal, n in named) for n, worth in found.items() if n in kept}


def _telling(index: Index, terms: Sequence[str]) -> tuple[float, list[str]]:
    """The terms worth asking for, and the most that BM25 could say of a record that holds them all."""
    total = index.count()
    limit = max(RARE, COMMON * total)
    frequencies: Mapping[str, int] = {each: index.frequency(each) for each in terms}
    telling = [each for each in terms if 0 < frequencies[each] <= limit] or [
        each for each in terms if frequencies[each]
    ]
    ideal = sum(
        max(log((total - n + 0.5) / (n + 0.5)), 1e-6) * 2.2 for each, n in frequencies.items() if each in telling
    )
    return max(ideal, 1e-6), telling


def _one(asked: Features, kept: Features, text: float, named: bool) -> float:
    pieces, shared = alike(asked, kept)
    return max(1e-6, min(1.0, TEXT * text + CONCEPTS * shared + PIECES * pieces + NAMED * named))
