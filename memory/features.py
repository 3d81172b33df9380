"""Features for comparing texts without a model: hashed pieces of their words, as in inflections and compounds, and
their concepts.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping
from functools import cache
from math import sqrt
from operator import mul
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from mind_skills.memory.concepts import HERE, extract_concepts
from mind_skills.memory.model import Record
from mind_skills.redaction.lazy_pattern import compile_lazily

LENGTH_NORMALISATION = 0.25
"""Exponent of the length that divides strengths: 1 is the cosine, which favours short texts; 0 ignores other concepts."""
LAYOUT_VERSION = 5
"""Version of the format of index entries; incremented when it changes."""
PIECE_DIMENSION, PIECE_BITS = 512, 4096
"""Length of the vector and size of the bit set to which the pieces of a text are hashed."""
MAX_TEXT_LENGTH = 4_000
"""Maximum number of characters read of a text, as many as a record's content may have (memory/model.py)."""
_WORD = compile_lazily(r"[a-z]+|[0-9]+|[^\W\d_]+")
_UNSPACED = compile_lazily(
    "[\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U0003ffff]+"
)
"""Chinese and Japanese, which have no spaces between words, and Korean, in which particles are joined to words."""
_NGRAM_SIZES, _BIT_SET_NGRAM_SIZES = (3, 4, 5), (3, 4)
STOP_WORDS = frozenset(
    """a about after again all also am an and any are as at be because been but by can cannot could did do does doing
    don't for from get gets getting got had has have he her here how i i'm i've if in into is isn it it's its just like
    me my no not now of on one only or our out own please she should so some than that the their them then there these
    they this those to too try trying up us use using very want was we were what when where which while who why will
    with would you your s t m re ve d ll doesn didn won""".split()
)
"""Words too common to distinguish texts."""


class Features(NamedTuple):
    """A text's hashed vector, and its concepts with their strengths."""

    vector: array[int]
    concepts: Mapping[str, float]


def split_unspaced_words(text: str) -> str:
    """Separate runs of Chinese, Japanese or Korean into pairs of neighbours, of which the full-text index can find a part."""
    return text if text.isascii() else _UNSPACED.sub(lambda run: f" {_list_pairs(run[0])} ", text)


def _list_pairs(run: str) -> str:
    return " ".join(run[at : at + 2] for at in range(max(1, len(run) - 1)))


def extract_features(text: str) -> Features:
    return Features(hash_text(text), extract_concepts(text))


def build_searchable_text(record: Record) -> str:
    """Return the text by which a record is found: its content, and the text of the task that led to the record."""
    return f"{record.content}\n{record.task}" if record.task else record.content


def compute_concept_length(strengths: Mapping[str, float]) -> float:
    """Return the length of a vector of concept strengths."""
    return sqrt(sum(v * v for v in strengths.values()))


def compute_concept_shares(strengths: Mapping[str, float]) -> dict[str, float]:
    """Return the weight of each concept in a text: a little lower if the text has more or stronger concepts."""
    divisor = compute_concept_length(strengths) ** LENGTH_NORMALISATION or 1.0
    return {name: strength / divisor for name, strength in strengths.items()}


def hash_text(text: str) -> array[int]:
    """Hash a text to ``PIECE_DIMENSION`` integers. The largest absolute value is 127; without words, all are 0."""
    values = [0.0] * PIECE_DIMENSION
    for piece, count in _count_pieces(text).items():
        checksum = crc32(piece.encode("utf-8", "surrogatepass"))
        weight = sqrt(count) * (2.0 if piece[0] == "<" and piece[-1] == ">" else 1.0)
        values[checksum % PIECE_DIMENSION] += weight if checksum & 0x8000_0000 else -weight
    maximum = max(map(abs, values)) or 1.0
    return array("b", [round(127 * value / maximum) for value in values])


def compute_cosine(first: array[int], second: array[int]) -> float:
    """Return the cosine of two vectors; 0.0 if it is negative or a vector is zero."""
    lengths = sqrt(sum(map(mul, first, first)) * sum(map(mul, second, second)))
    return max(0.0, sum(map(mul, first, second)) / lengths) if lengths else 0.0


def hash_pieces(text: str) -> bytes:
    """Hash a text's pieces to a set of ``PIECE_BITS`` bits. Such sets are compared a hundred times faster than vectors."""
    bits = 0
    for piece in _count_pieces(text, _BIT_SET_NGRAM_SIZES):
        bits |= 1 << (crc32(piece.encode("utf-8", "surrogatepass")) % PIECE_BITS)
    return bits.to_bytes(PIECE_BITS // 8, "little")


def compute_overlap(first: int, second: int) -> float:
    """Return the overlap of two bit sets beyond what chance would give, as a cosine from 0 to 1."""
    sizes = first.bit_count() * second.bit_count()
    return max(0.0, ((first & second).bit_count() - sizes / PIECE_BITS) / sqrt(sizes)) if sizes else 0.0


def _count_pieces(text: str, sizes: tuple[int, ...] = _NGRAM_SIZES) -> Counter[str]:
    """Count the pieces of a text: each word in angle brackets, and its n-grams of these sizes; stop words are omitted."""
    counts: Counter[str] = Counter()
    for word in _WORD.findall(text[:MAX_TEXT_LENGTH].lower()):
        if word in STOP_WORDS:
            continue
        word_piece = f"<{word[:40]}>"
        counts[word_piece] += 1
        for size in sizes:
            starts = range(len(word_piece) - size + 1) if len(word_piece) > size else ()
            counts.update(word_piece[start : start + size] for start in starts)
    return counts


@cache
def compute_fingerprint() -> str:
    """Return the fingerprint of the index format and the lexicon; an index with a different fingerprint is outdated."""
    checksum = 0
    for path in sorted(Path(HERE).rglob("*")):
        if path.suffix in (".py", ".txt", ".json"):
            checksum = crc32(path.read_bytes(), checksum)
    return f"{LAYOUT_VERSION}-{checksum:08x}"
