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
    return nearness(one.vector, other.vector), _shared(one.concepts, other.concepts)


def _shared(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    lengths = sqrt(sum(v * v for v in one.values()) * sum(v * v for v in other.values()))
    return sum(v * other.get(name, 0.0) for name, v in one.items()) / lengths if lengths else 0.0


_fingerprint: list[str] = []


def fingerprint() -> str:
    """What an index was built with: another form or another lexicon makes another index."""
    if not _fingerprint:
        folder = Path(lexicon.__file__).parent
        sum_ = 0
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".txt"):
                sum_ = crc32(path.read_bytes(), sum_)
        _fingerprint.append(f"{LAYOUT}-{sum_:08x}")
    return _fingerprint[0]
