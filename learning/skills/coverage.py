"""Whether a skill says what was learned: by the telling words that both hold.

A skill written for a learning repeats its error, its command, its file and its cause; one that is only about the same
tool or the same code base shares a few of them. Measured on the hand-written pairs of tests/learning/covered_pairs.py:
skills that cover a learning hold .64 to .88 of its words, those on the same ground or about the same error .00 to
.47, all others at most .12.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

SHARE, LEAST = 0.6, 5
"""A skill covers a learning when it holds this share of the learning's telling words, and at least so many. The one
threshold for this question, also where a session wrote the skill itself (a skill that names the id needs neither)."""
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]{3,}")
_COMMON = frozenset(
    "about after again against also before because been being cause could does error failed failing file files fixed from have into"
    " just line made more only other should some still test tests than that their them then there these they this turns"
    " when where which while will with without would your".split()
)


def telling(texts: Iterable[str]) -> set[str]:
    """The words of at least four letters that are not everybody's, lower case."""
    return {word for text in texts for word in _WORD.findall(text.lower())} - _COMMON


def held(wanted: set[str], words: set[str]) -> float:
    """The share of ``wanted`` that ``words`` holds, 0 to 1; 0 where there is nothing to hold."""
    return len(wanted & words) / len(wanted) if wanted else 0.0


def covers(wanted: set[str], words: set[str]) -> bool:
    """Whether a skill of these words covers a learning of those."""
    return len(wanted & words) >= LEAST and held(wanted, words) >= SHARE


def names(text: str, id_: str) -> bool:
    """Whether a text holds an id (or a fingerprint) as a word of its own."""
    return bool(id_) and re.search(rf"(?<!\w){re.escape(id_)}(?!\w)", text) is not None
