"""Ranks records for a query: text, concepts and identifiers find candidates, which are compared with it one by one.
Weights were chosen on the development half of the benchmark (docs/memory.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import nlargest
from math import log

from mind_skills.memory import features
from mind_skills.memory.concepts import extract_concepts
from mind_skills.memory.index import Index, build_scope_filter, list_entry_numbers
from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_CANDIDATES = 40
"""Default number of candidate records whose pieces are compared with those of the query."""
TEXT_SEARCH_FACTOR = 5
"""The text search returns up to this many times as many entries, so that those found by concepts are also scored by words."""
MAX_CONCEPT_ROWS = 60_000
"""Maximum number of concept rows read per query; with 100,000 records, a common concept has more."""
MIN_COMMON_COUNT, MIN_COMMON_SHARE = 200, 0.15
"""A word in more entries than both is not searched, unless all words of a query are that common."""
RARITY_EXPONENT = 1.5
"""Exponent of a concept's rarity, which is applied once for the query and the record together."""
TEXT_WEIGHT, CONCEPTS_WEIGHT, PIECES_WEIGHT = 0.3, 0.5, 0.2
"""Weights of full text, concepts and hashed pieces."""
FULL_CONCEPT_LENGTH = 1.0
"""Minimum length of the vector of a query's concepts for their scores to count fully; a single weak concept says little."""
SECOND_ENTRY_WEIGHT = 0.5
"""Weight of the lower of the scores of a record's two entries (content and task)."""
IDENTIFIER_BONUS = 0.1
"""Score added to an entry that contains an identifier from the query."""
MAX_QUERY_LENGTH = 4_000
"""Maximum number of characters read of a query, which may be a pasted log: its first lines are enough."""
MAX_WORDS, MAX_IDENTIFIERS = 48, 8
"""Maximum number of words and of identifiers searched."""
_WORD = compile_lazily(r"[^\W_](?:[^\W_]|[\u0300-\u036f])*")
"""A word, whose accents may be separate characters (NFD, as in file names of macOS)."""
_IDENTIFIER = compile_lazily(
    r"[A-Za-z_][\w]*(?:[._:/-][\w]+)+|[A-Z]+_[A-Z_0-9]+|[A-Z]{3,}\d*|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|\b[A-Za-z]+\d\w*"
)


def score_records(
    index: Index, text: str, project_id: str, *, untrusted: bool, limit: int = MAX_CANDIDATES
) -> dict[int, float]:
    """Return the records most similar to a query, by number, with scores above 0 and at most 1."""
    scope = build_scope_filter(project_id, untrusted=untrusted)
    text_scores = _compute_bm25_scores(index, text, scope, TEXT_SEARCH_FACTOR * limit)
    scores = {entry: TEXT_WEIGHT * score for entry, score in text_scores.items()}
    for entry, score in _compute_concept_scores(index, extract_concepts(text)).items():
        scores[entry] = scores.get(entry, 0.0) + CONCEPTS_WEIGHT * score
    for entry in index.search_identifiers(extract_identifiers(text), project_id, limit, untrusted=untrusted):
        scores[entry] = scores.get(entry, 0.0) + IDENTIFIER_BONUS
    query_bits = int.from_bytes(features.hash_pieces(text), "little")
    scores_by_record: dict[int, list[float]] = {}
    for entry, entry_bits in _read_candidates(index, scores, project_id, untrusted=untrusted, limit=limit).items():
        overlap = features.compute_overlap(query_bits, entry_bits)
        scores_by_record.setdefault(entry // 2, []).append(scores.get(entry, 0.0) + PIECES_WEIGHT * overlap)
    totals = {
        number: max(each) + SECOND_ENTRY_WEIGHT * (sum(each) - max(each)) for number, each in scores_by_record.items()
    }
    return {number: min(1.0, score) for number, score in totals.items() if score > 0}


def _compute_concept_scores(index: Index, query_concepts: Mapping[str, float]) -> dict[int, float]:
    """Return the scores by concepts, at most 1; lower if the query has few or weak ones (``FULL_CONCEPT_LENGTH``)."""
    if not query_concepts:
        return {}
    rarity = index.compute_rarities(query_concepts)
    weights = {name: strength * rarity[name] ** RARITY_EXPONENT for name, strength in query_concepts.items()}
    query_score = sum(weights[name] * share for name, share in features.compute_concept_shares(query_concepts).items())
    query_score *= max(1.0, FULL_CONCEPT_LENGTH / features.compute_concept_length(query_concepts))
    scores = index.search_concepts(weights, MAX_CONCEPT_ROWS)
    return {entry: min(1.0, score / query_score) for entry, score in scores.items()}


def _read_candidates(
    index: Index, scores: Mapping[int, float], project_id: str, *, untrusted: bool, limit: int
) -> dict[int, int]:
    """Return the pieces of the entries of the best ``limit`` records; of more records if too few entries are in scope."""
    best_scores: dict[int, float] = {}
    for entry, score in scores.items():
        if score > best_scores.get(entry // 2, 0.0):
            best_scores[entry // 2] = score
    pieces: dict[int, int] = {}
    read_count = 0
    for count in (limit, 10 * limit, 100 * limit, len(best_scores)):
        ranked = nlargest(count, best_scores, key=lambda number: (best_scores[number], number))
        entries = [entry for number in ranked[read_count:] for entry in list_entry_numbers(number)]
        pieces |= index.read_pieces(entries, project_id, untrusted=untrusted)
        read_count = len(ranked)
        if len(pieces) >= limit or read_count < count:
            break
    return pieces


def _compute_bm25_scores(index: Index, text: str, scope: str, limit: int) -> dict[int, float]:
    """Return the entries that share words with a query, each with its share of the highest BM25 score possible."""
    words = extract_words(text)
    total = index.count()
    frequencies = {word: index.count_entries_with(word) for word in words}
    max_count = max(MIN_COMMON_COUNT, MIN_COMMON_SHARE * total)
    indexed = [word for word in words if frequencies[word]]
    searched = [word for word in indexed if frequencies[word] <= max_count] or indexed
    if not searched:
        return {}
    # If the index is damaged, the total may be too low.
    # A word that no record contains is weighted as if one did; otherwise sharing one common word would give the full score.
    weights = [
        log((max(0, total - frequency) + 0.5) / (frequency + 0.5))
        for frequency in (max(1, frequencies[word]) for word in words)
    ]
    # SQLite's BM25 has k1 = 1.2, so a word adds less than k1 + 1 times its weight. SQLite replaces weights of 0 or less by 1e-6.
    max_score = 2.2 * sum(max(weight, 1e-6) for weight in weights)
    return {number: min(1.0, score / max_score) for number, score in index.search_text(searched, scope, limit)}


def extract_words(text: str) -> list[str]:
    """Return the first distinctive words of a query, without duplicates; its first words if none is distinctive."""
    words = list(dict.fromkeys(_WORD.findall(features.split_unspaced_words(text[:MAX_QUERY_LENGTH]).lower())))
    distinctive = [word for word in words if word not in features.STOP_WORDS and (len(word) > 1 or not word.isascii())]
    return (distinctive or words)[:MAX_WORDS]


def extract_identifiers(text: str) -> list[str]:
    """Return the first identifiers in a query: words whose form occurs in code and error messages but not in prose."""
    return [name for name in dict.fromkeys(_IDENTIFIER.findall(text[:MAX_QUERY_LENGTH])) if len(name) > 2][
        :MAX_IDENTIFIERS
    ]
