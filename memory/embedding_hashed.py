"""The default encoder as one vector: what an index of vectors holds where no model is there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from zlib import crc32

from mind_skills.memory.embedding import packed
from mind_skills.memory.features import Features, features, fingerprint
from mind_skills.memory.hashing import DIMENSION

CONCEPTS = 256
"""Places for the concepts of a text, behind those of its pieces: 768 in all, as many as the documents' model has."""
PIECES_WEIGH = 0.4
"""Of the likeness of two texts; the rest is their concepts, which speak of meaning."""


class Hashed:
    """Pieces of words and concepts, hashed: two vectors' product is the weighted sum of both cosines."""

    knows_meaning = False
    dimension = DIMENSION + CONCEPTS

    @property
    def name(self) -> str:
        """Another lexicon makes another encoder."""
        return f"hashed-words-and-concepts@{fingerprint()}"

    def documents(self, texts: Sequence[str]) -> list[bytes]:
        """As Encoder has it; nothing is raised."""
        return [_vector(features(text)) for text in texts]

    def question(self, text: str) -> bytes:
        """As Encoder has it; nothing is raised."""
        return _vector(features(text))


def _vector(found: Features) -> bytes:
    places = [0.0] * CONCEPTS
    for concept, strength in found.concepts.items():
        number = crc32(concept.encode())
        places[number % CONCEPTS] += strength if number & 0x8000_0000 else -strength
    return packed([*_scaled(found.vector, PIECES_WEIGH), *_scaled(places, 1 - PIECES_WEIGH)])


def _scaled(numbers: Sequence[float], weight: float) -> list[float]:
    length = math.sqrt(math.fsum(number * number for number in numbers))
    return [math.sqrt(weight) * number / length for number in numbers] if length else [0.0] * len(numbers)
