"""What a text is compared by, without a model: hashed pieces of its words, and the concepts that it touches.

Two texts are near by their pieces where they share words or parts of words: an inflection, a compound, an identifier in
another case. Pieces know nothing of meaning; that is what the concepts are for (memory/concepts).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping
from math import sqrt
from operator import mul
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from mind_skills.memory import concepts as lexicon
from mind_skills.memory.concepts import concepts
from mind_skills.memory.model import Record
from mind_skills.redaction.lazy_pattern import compile_later

LONG = 0.25
"""How much is held against a text that it touches other concepts as well: 1 would be the cosine, by which a short text
wins that says one thing only, 0 nothing."""
LAYOUT = 4
"""Raised when what is put into an index changes its form."""
DIMENSION, BITS = 512, 4096
MOST = 4_000
"""Characters of a text that are read: the same as of a record's content (memory/model.py)."""
_WORD = compile_later(r"[a-z]+|[0-9]+|[^\W\d_]+")
_GRAMS, _FEW = (3, 4, 5), (3, 4)
EMPTY = frozenset(
    """a about after again all also am an and any are as at be because been but by can cannot could did do does doing
    don't for from get gets getting got had has have he her here how i i'm i've if in into is isn it it's its just like
    me my no not now of on one only or our out own please she should so some than that the their them then there these
    they this those to too try trying up us use using very want was we were what when where which while who why will
    with would you your s t m re ve d ll doesn didn won""".split()
)
"""Words that tell nothing: they stand in every other text."""


class Features(NamedTuple):
    """A text as it is compared: its hashed vector, and the concepts that it touches, each with its strength."""

    vector: array[int]
    concepts: Mapping[str, float]


def features(text: str) -> Features:
    """What a text is compared by."""
    return Features(hash_text(text), concepts(text))


def searchable_text(record: Record) -> str:
    """The text by which a record is found: what was learned, and the task that led to it."""
    return f"{record.content}\n{record.task}" if record.task else record.content


def compare_features(one: Features, other: Features) -> tuple[float, float]:
    """How near two texts are by their pieces, and by their concepts: the cosines, 0 to 1 each."""
    return cosine(one.vector, other.vector), _cosine(one.concepts, other.concepts)


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    lengths = concept_length(one) * concept_length(other)
    return sum(v * other[name] for name, v in one.items() if name in other) / lengths if lengths else 0.0


def concept_length(touched: Mapping[str, float]) -> float:
    """The length of a text by its concepts."""
    return sqrt(sum(v * v for v in touched.values()))


def concept_shares(touched: Mapping[str, float]) -> dict[str, float]:
    """What each concept counts for in a text: less where there are many, but a long text is not punished for being long."""
    divisor = concept_length(touched) ** LONG or 1.0
    return {name: strength / divisor for name, strength in touched.items()}


def hash_text(text: str) -> array[int]:
    """The vector of a text: ``DIMENSION`` small integers, the largest of them 127 or -127; zeros for no words."""
    places = [0.0] * DIMENSION
    for piece, count in _pieces(text).items():
        number = crc32(piece.encode("utf-8", "surrogatepass"))
        weight = sqrt(count) * (2.0 if piece[0] == "<" and piece[-1] == ">" else 1.0)
        places[number % DIMENSION] += weight if number & 0x8000_0000 else -weight
    top = max(map(abs, places)) or 1.0
    return array("b", [round(127 * place / top) for place in places])


def cosine(one: array[int], other: array[int]) -> float:
    """The cosine of two vectors, 0.0 where it would be less, or where one has nothing in it."""
    lengths = sqrt(sum(map(mul, one, one)) * sum(map(mul, other, other)))
    return max(0.0, sum(map(mul, one, other)) / lengths) if lengths else 0.0


def piece_bits(text: str) -> bytes:
    """The same as a set: a bit for each piece, in ``BITS`` of them, which is compared a hundred times faster."""
    number = 0
    for piece in _pieces(text, _FEW):
        number |= 1 << (crc32(piece.encode("utf-8", "surrogatepass")) % BITS)
    return number.to_bytes(BITS // 8, "little")


def overlap(one: int, other: int) -> float:
    """How much two sets (as whole numbers) share beyond what chance would have them share, as a cosine: 0 to 1."""
    sizes = one.bit_count() * other.bit_count()
    return max(0.0, ((one & other).bit_count() - sizes / BITS) / sqrt(sizes)) if sizes else 0.0


def _pieces(text: str, sizes: tuple[int, ...] = _GRAMS) -> Counter[str]:
    """Whole words (in angle brackets) and what they consist of."""
    found: Counter[str] = Counter()
    for word in _WORD.findall(text[:MOST].lower()):
        if word in EMPTY:
            continue
        whole = f"<{word[:40]}>"
        found[whole] += 1
        for size in sizes:
            found.update(whole[at : at + size] for at in range(len(whole) - size + 1) if len(whole) > size)
    return found


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
