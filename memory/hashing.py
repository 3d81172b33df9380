"""A text as a vector without a model: the pieces of its words, hashed into a fixed number of places.

Two texts are near where they share words, or parts of words: an inflection, a compound, an identifier in another case.
They know nothing of meaning; that is what the concepts are for (memory/concepts).
"""

from __future__ import annotations

from array import array
from collections import Counter
from math import sqrt
from operator import mul
from zlib import crc32

from mind_skills.memory.question import EMPTY
from mind_skills.redaction.lazy_pattern import compile_later

DIMENSION, BITS = 512, 4096
MOST = 4_000
"""Characters of a text that are read: the same as of a record's content (memory/admission.py)."""
_WORD = compile_later(r"[a-z]+|[0-9]+|[^\W\d_]+")
_GRAMS, _FEW = (3, 4, 5), (3, 4)


def hashed(text: str) -> array[int]:
    """The vector of a text: ``DIMENSION`` small integers, the largest of them 127 or -127; zeros for no words."""
    places = [0.0] * DIMENSION
    for piece, count in _pieces(text).items():
        number = crc32(piece.encode("utf-8", "surrogatepass"))
        weight = sqrt(count) * (2.0 if piece[0] == "<" and piece[-1] == ">" else 1.0)
        places[number % DIMENSION] += weight if number & 0x8000_0000 else -weight
    top = max(map(abs, places)) or 1.0
    return array("b", [round(127 * place / top) for place in places])


def nearness(one: array[int], other: array[int]) -> float:
    """The cosine of two vectors, 0.0 where it would be less, or where one has nothing in it."""
    lengths = sqrt(sum(map(mul, one, one)) * sum(map(mul, other, other)))
    return max(0.0, sum(map(mul, one, other)) / lengths) if lengths else 0.0


def pieces(text: str) -> bytes:
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
