"""Encoders, which turn texts into vectors, and the default encoder, which needs no model.

A vector is the bytes of little-endian float32 values, scaled to unit length.

This module does not import numpy, so that an index of hashed vectors works without numpy.
"""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol
from zlib import crc32

from mind_skills.memory.features import PIECE_DIMENSION, Features, compute_fingerprint, extract_features
from mind_skills.settings.table import TABLE

DEFAULT_INDEX = str(TABLE["memory.index"].default)
"""Default path of the LanceDB table in the project, from the specification."""
DEFAULT_MODEL = str(TABLE["memory.model"].default)
"""Default model, from the specification: 768 dimensions, a download of 438 MB."""
MAX_TEXT_LENGTH = 20_000
"""Maximum number of characters passed to a model, which reads only a few hundred tokens."""

MAX_ENCODED_PER_QUERY = 64
"""Maximum number of records encoded during a query: a few seconds on two cores. For more, a rebuild is needed."""
REBUILD_HINT = "Run: mind-skills memory rebuild"
CONCEPT_DIMENSION = 256
"""Number of dimensions for concepts. Those for word pieces bring the total to 768, the same as the specification's model."""
PIECES_WEIGHT = 0.4
"""Weight of the word pieces in the similarity of two texts. The concepts, which represent meaning, have the rest."""


@dataclass(frozen=True, slots=True)
class Extras:
    """The optional backends: a LanceDB table at the path ``index`` in the project, and a ``model``; either may be empty."""

    index: str = DEFAULT_INDEX
    model: str = DEFAULT_MODEL


class Encoder(Protocol):
    """Encodes texts as vectors."""

    @property
    def name(self) -> str:
        """The encoder's name, stored with each vector; vectors of encoders with different names are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """Number of values per vector."""
        ...

    @property
    def captures_meaning(self) -> bool:
        """Whether the similarity of vectors alone ranks well: true for a trained model, false for hashed words."""
        ...

    def encode_documents(self, texts: Sequence[str]) -> list[bytes]:
        """Encode texts that are searched. Raises ModelUnavailableError."""
        ...

    def encode_query(self, text: str) -> bytes:
        """Encode the text of a query. Raises ModelUnavailableError."""
        ...


def compute_digest(text: str) -> str:
    """Return the hash of a text, as 32 hex digits."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def truncate_text(text: str) -> str:
    """Truncate text and replace lone surrogates, which tokenizers reject."""
    return text[:MAX_TEXT_LENGTH].encode("utf-8", "replace").decode()


def pack_vector(numbers: Iterable[float]) -> bytes:
    """Scale a vector to unit length and convert it to bytes; a vector of zeros remains unchanged.

    Raises ValueError if a value is not finite.
    """
    values = array("f", numbers)
    length = math.sqrt(math.fsum(value * value for value in values))
    if not math.isfinite(length):
        raise ValueError("a vector contains a value that is not a finite number")
    if length:
        values = array("f", (value / length for value in values))
    if sys.byteorder == "big":  # pragma: no cover -- untested platform
        values.byteswap()
    return values.tobytes()


class HashEncoder:
    """Hashes word pieces and concepts.

    If both texts have concepts, the dot product of their vectors is the weighted sum of the cosines of the two parts.
    """

    captures_meaning = False
    dimension = PIECE_DIMENSION + CONCEPT_DIMENSION

    @property
    def name(self) -> str:
        """The encoder's name, with the lexicon's fingerprint: vectors of different lexicons are not comparable."""
        return f"hashed-words-and-concepts@{compute_fingerprint()}"

    def encode_documents(self, texts: Sequence[str]) -> list[bytes]:
        return [_encode_features(extract_features(text)) for text in texts]

    def encode_query(self, text: str) -> bytes:
        return _encode_features(extract_features(text))


def _encode_features(features: Features) -> bytes:
    concept_vector = [0.0] * CONCEPT_DIMENSION
    for concept, strength in features.concepts.items():
        checksum = crc32(concept.encode())
        concept_vector[checksum % CONCEPT_DIMENSION] += strength if checksum & 0x8000_0000 else -strength
    pieces = _scale_to_weight(features.vector, PIECES_WEIGHT)
    return pack_vector([*pieces, *_scale_to_weight(concept_vector, 1 - PIECES_WEIGHT)])


def _scale_to_weight(numbers: Sequence[float], weight: float) -> list[float]:
    length = math.sqrt(math.fsum(number * number for number in numbers))
    return [math.sqrt(weight) * number / length for number in numbers] if length else [0.0] * len(numbers)
