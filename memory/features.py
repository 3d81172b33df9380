"""What of a record stands in the index, and how near a record is to a question by it."""

from __future__ import annotations

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

LONG = 0.25
"""How much is held against a text that it touches other concepts as well: 1 would be the cosine, by which a short text
wins that says one thing only, 0 nothing."""
LAYOUT = 4
"""Raised when what is put into an index changes its form."""


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


def alike(one: Features, other: Features) -> tuple[float, float]:
    """How near two texts are by their pieces, and by their concepts: the cosines, 0 to 1 each."""
    return nearness(one.vector, other.vector), _cosine(one.concepts, other.concepts)


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    lengths = length(one) * length(other)
    return sum(v * other[name] for name, v in one.items() if name in other) / lengths if lengths else 0.0


def length(touched: Mapping[str, float]) -> float:
    """The length of a text by its concepts."""
    return sqrt(sum(v * v for v in touched.values()))


def shares(touched: Mapping[str, float]) -> dict[str, float]:
    """What each concept counts for in a text: less where there are many, but a long text is not punished for being long."""
    divisor = length(touched) ** LONG or 1.0
    return {name: strength / divisor for name, strength in touched.items()}


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
