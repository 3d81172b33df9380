"""Keys that are planted into texts and logs, and what is seen of them afterwards."""

from __future__ import annotations

from functools import cache
from random import Random

from tests.fuzz.target import chosen
from tests.redaction.planted import ISSUED, pem

_SHOWN = 12
"""Characters of a key that nobody may see in one piece."""


@cache
def _keys() -> tuple[str, ...]:
    """One key of every issuer, made up anew in each process and the same in all."""
    random = Random(1)
    return (*(maker(random) for makers in ISSUED.values() for maker in makers), pem("")(random), pem("RSA ")(random))


def a_key(data: bytes) -> str:
    """One of them, the same for the same bytes."""
    return _keys()[chosen(data, len(_keys()))]


def pieces(key: str, seen: str) -> list[str]:
    """The pieces of the later half of a key that are seen: its beginning says whose it is, and is no secret."""
    body = key[-2 * _SHOWN :] if len(key) < 80 else key[len(key) // 2 :]
    every = (body[at : at + _SHOWN] for at in range(len(body) - _SHOWN))
    return [piece for piece in every if piece.isprintable() and " " not in piece and piece in seen]
