"""What turns a text into a vector, and the encoder without a model. Vectors are little-endian float32 of length one, as bytes.

Nothing here imports numpy: an index can be made of hashed vectors without it.
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

from mind_skills.memory.features import DIMENSION, Features, features, fingerprint
from mind_skills.settings.table import TABLE

INDEX = str(TABLE["memory.index"].default)
"""The documents' place of the LanceDB table, in the project."""
MODEL = str(TABLE["memory.model"].default)
"""The documents' model: 768 dimensions, 438 MB to download."""
DIGITS = 20_000
"""Characters of a text that are looked at: a model reads a few hundred tokens and leaves the rest."""

AT_ONCE = 64
"""Records that a model encodes while a question waits, a few seconds on two cores; more wait for a rebuild."""
REBUILD = "Run: mind-skills memory rebuild"
CONCEPTS = 256
"""Places for the concepts of a text, behind those of its pieces: 768 in all, as many as the documents' model has."""
PIECES_WEIGH = 0.4
"""Of the likeness of two texts; the rest is their concepts, which speak of meaning."""


@dataclass(frozen=True, slots=True)
class Extras:
    """What may be used where it is installed: an index at ``index`` in the project, and a ``model``; empty for none."""

    index: str = INDEX
    model: str = MODEL


class Encoder(Protocol):
    """Turns texts into vectors."""

    @property
    def name(self) -> str:
        """Stays with each vector: vectors of different names are never compared."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        ...

    @property
    def knows_meaning(self) -> bool:
        """Whether the nearness of two vectors alone is a good ranking: so for a trained model, not for hashed words."""
        ...

    def documents(self, texts: Sequence[str]) -> list[bytes]:
        """A vector for each text that is to be found. Raises ModelUnavailableError."""
        ...

    def question(self, text: str) -> bytes:
        """A vector for a text that is asked for. Raises ModelUnavailableError."""
        ...


def digest(text: str) -> str:
    """32 hex digits that change when the text does."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def bounded(text: str) -> str:
    """As much of a text as is looked at, without half characters, which no tokenizer takes."""
    return text[:DIGITS].encode("utf-8", "replace").decode()


def packed(numbers: Iterable[float]) -> bytes:
    """A vector of length one, as it is kept; of zeros where the numbers are all zero.

    Raises ValueError where one of them is no finite number.
    """
    values = array("f", numbers)
    length = math.sqrt(math.fsum(value * value for value in values))
    if not math.isfinite(length):
        raise ValueError("a vector holds something that is not a number")
    if length:
        values = array("f", (value / length for value in values))
    if sys.byteorder == "big":  # pragma: no cover -- untested platform
        values.byteswap()
    return values.tobytes()


class Hashed:
    """Pieces of words and concepts, hashed: two vectors' product is the weighted sum of both cosines."""

    knows_meaning = False
    dimension = DIMENSION + CONCEPTS

    @property
    def name(self) -> str:
        """Another lexicon makes another encoder."""
        return f"hashed-words-and-concepts@{fingerprint()}"

    def documents(self, texts: Sequence[str]) -> list[bytes]:
        return [_vector(features(text)) for text in texts]

    def question(self, text: str) -> bytes:
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
