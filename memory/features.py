"""What of a record stands in the index, and how near a record is to a question by it."""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping
from math import sqrt
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from mind_skills.memory import concepts as lexicon
from mind_skills.memory.concepts import concepts
from mind_skills.memory.hashing import hashed, nearness
from mind_skills.memory.model import Record

LAYOUT = 1
"""Raised when what is put into an index changes its form."""


EMPTY: Mapping[str, float] = {}


class Features(NamedTuple):
    """A text as it is compared: its hashed vector, and the concepts that it touches, each with its strength."""

    vector: array[int]
    concepts: Mapping[str, float]


def features(text: str) -> Features:
    """What a text is compared by."""
    return Features(hashed(text), concepts(text))


def whole(record: Record) -> str:
    """The text by which a record is found: what was learned, and the task that led to it."""
    return f"{record.content}\n{record.task}" if record.task else record.content


def packed(found: Features) -> tuple[bytes, str]:
    """Features as they are kept."""
    return found.vector.tobytes(), json.dumps(found.concepts, separators=(",", ":"))


def unpacked(vector: bytes, named: str) -> Features:
    """Features as they were kept."""
    return Features(array("b", vector), json.loads(named))


def alike(one: Features, other: Features) -> tuple[float, float]:
    """How near two texts are by their pieces, and by their concepts: 0 to 1 each."""
    lengths = length(one.concepts) * length(other.concepts)
    return nearness(one.vector, other.vector), shared(one.concepts, other.concepts) / lengths if lengths else 0.0


def shared(one: Mapping[str, float], other: Mapping[str, float], rarity: Mapping[str, float] = EMPTY) -> float:
    """What two texts have in common by their concepts: each by its strengths and, twice, by how much it tells.

    ``rarity`` says how much a concept tells; one that is not in it tells as much as any.
    """
    return sum(v * other[name] * rarity.get(name, 1.0) ** 2 for name, v in one.items() if name in other)


def length(touched: Mapping[str, float], rarity: Mapping[str, float] = EMPTY) -> float:
    """The length of a text by its concepts: ``shared`` of it with itself is its square."""
    return sqrt(sum((v * rarity.get(name, 1.0)) ** 2 for name, v in touched.items()))


_fingerprint: list[str] = []


def fingerprint() -> str:
    """What an index was built with: another form or another lexicon makes another index."""
    if not _fingerprint:
        folder = Path(lexicon.__file__).parent
        sum_ = 0
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".txt", ".json"):
                sum_ = crc32(path.read_bytes(), sum_)
        _fingerprint.append(f"{LAYOUT}-{sum_:08x}")
    return _fingerprint[0]
