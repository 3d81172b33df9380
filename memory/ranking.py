"""In which order records answer a question, and how well: what each way of finding says, made one number.

Full text and concepts each bring their best; what they bring is compared with the question one by one. Words are rare
evidence and good evidence: who shares them comes first, and where nobody does, the concepts decide. The weights were
chosen on the half of the benchmark that may be looked at (docs/memory.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import nlargest
from math import log

from mind_skills.memory.concepts import concepts
from mind_skills.memory.features import EMPTY, concept_length, concept_shares, overlap, piece_bits
from mind_skills.memory.index import Index, entry_numbers, scope_filter
from mind_skills.redaction.lazy_pattern import compile_later

CANDIDATES = 40
"""Records that full text and concepts bring together, to be compared piece by piece."""
DEEPER = 5
"""So many times as many are asked of full text for their scores: one that concepts brought may share words as well."""
TOUCHES = 60_000
"""Touches of concepts that are looked at for one question: at 100,000 records a common concept has more than that."""
RARE, COMMON = 200, 0.15
"""A word that stands in more than ``RARE`` records and in more than this part of all is not asked for: it would bring
every other record, and tells nearly nothing."""
TELLING = 1.5
"""To what power the rarity of a concept counts, once for the question and once for the record."""
TEXT, CONCEPTS, PIECES = 0.3, 0.5, 0.2
"""What the full text, the concepts and the hashed pieces count for."""
ENOUGH = 1.0
"""The length of a question's concepts from which on it says what it is about: a single faint one says little."""
BOTH = 0.5
"""What the weaker of a record's two texts adds, its content and the task that led to it: either finds it by itself."""
NAMED = 0.1
"""What it counts that an identifier of the question stands in a record."""
MOST = 4_000
"""Characters that are read of a question: what somebody pastes may be a whole log, and its first lines say what it is."""
WORDS, NAMES = 48, 8
"""Words and identifiers that are asked for at most."""
_WORD = compile_later(r"[^\W_]+")
_NAME = compile_later(
    r"[A-Za-z_][\w]*(?:[._:/-][\w]+)+|[A-Z]+_[A-Z_0-9]+|[A-Z]{3,}\d*|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|\b[A-Za-z]+\d\w*"
)


def score_records(
    index: Index, text: str, project: str, *, untrusted: bool, most: int = CANDIDATES
) -> dict[int, float]:
    """The records nearest to a question, by number, each with its likeness: above 0, at most 1."""
    near = {
        n: TEXT * worth
        for n, worth in _bm25_scores(index, text, scope_filter(project, untrusted=untrusted), DEEPER * most).items()
    }
    for entry, about in _concept_scores(index, concepts(text)).items():
        near[entry] = near.get(entry, 0.0) + CONCEPTS * about
    for entry in index.holding(query_names(text), most):
        near[entry] = near.get(entry, 0.0) + NAMED
    asked = int.from_bytes(piece_bits(text), "little")
    found: dict[int, list[float]] = {}
    for entry, other in _in_scope(index, near, project, untrusted=untrusted, most=most).items():
        score = near.get(entry, 0.0) + PIECES * overlap(asked, int.from_bytes(other, "little"))
        found.setdefault(entry // 2, []).append(score)
    together = {n: max(scores) + BOTH * (sum(scores) - max(scores)) for n, scores in found.items()}
    return {n: min(1.0, score) for n, score in together.items() if score > 0}


def _concept_scores(index: Index, asked: Mapping[str, float]) -> dict[int, float]:
    """How much entries are about what a question is about: 1 for the question itself, if it says enough."""
    if not asked:
        return {}
    rarity = index.rarities(asked)
    weights = {name: strength * rarity[name] ** TELLING for name, strength in asked.items()}
    own = sum(weights[name] * share for name, share in concept_shares(asked).items())
    own *= max(1.0, ENOUGH / concept_length(asked))
    return {entry: min(1.0, worth / own) for entry, worth in index.touching(weights, TOUCHES).items()}


def _in_scope(index: Index, near: Mapping[int, float], project: str, *, untrusted: bool, most: int) -> dict[int, bytes]:
    """The entries of the best ``most`` records that are of the project, or of none, with their pieces."""
    best_of: dict[int, float] = {}
    for entry, score in near.items():
        if score > best_of.get(entry // 2, 0.0):
            best_of[entry // 2] = score
    kept: dict[int, bytes] = {}
    looked = 0
    for upto in (most, 10 * most, 100 * most):
        best = nlargest(upto, best_of, key=lambda n: (best_of[n], n))
        every = [entry for n in best[looked:] for entry in entry_numbers(n)]
        kept |= index.pieces(every, project, untrusted=untrusted)
        looked = len(best)
        if len(kept) >= most or looked < upto:
            break
    return kept


def _bm25_scores(index: Index, text: str, within: str, most: int) -> dict[int, float]:
    """The entries that share words with a question: what part they have of all that BM25 could give."""
    asked = query_words(text)
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


def query_words(text: str) -> list[str]:
    """The telling words of a question, once each, in their order; those that tell little where there are no others."""
    every = list(dict.fromkeys(_WORD.findall(text[:MOST].lower())))
    telling = [word for word in every if word not in EMPTY and (len(word) > 1 or not word.isascii())]
    return (telling or every)[:WORDS]


def query_names(text: str) -> list[str]:
    """The identifiers in a question: what has a form that words do not have, and stands in code or in an error."""
    return [name for name in dict.fromkeys(_NAME.findall(text[:MOST])) if len(name) > 2][:NAMES]
