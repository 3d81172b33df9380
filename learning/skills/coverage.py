"""Whether a skill says what was learned: by the telling words that both hold.

A skill written for a learning repeats its error, its command, its file and its cause; one that is only about the same
tool or the same code base shares a few of them. Measured on the hand-written pairs of tests/learning/covered_pairs.py:
skills that cover a learning hold .64 to .88 of its words, those on the same ground or about the same error .00 to
.47, all others at most .12.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from mind_skills.redaction.lazy_pattern import compile_later

SHARE, LEAST = 0.6, 5
"""A skill covers a learning when it holds this share of the learning's telling words, and at least so many. The one
threshold for this question, also where a session wrote the skill itself (a skill that names the id needs neither)."""
PASSAGE = 300
"""Telling words in a row: about 500 words in all, the length of a whole skill as they are usually written. Each passage begins
in the middle of the one before."""
_WORD = compile_later(r"[A-Za-z][A-Za-z0-9_]{3,}")
_COMMON = frozenset(
    "about after again against also before because been being cause could does error failed failing file files fixed from have into"
    " just line made more only other should some still test tests than that their them then there these they this turns"
    " when where which while will with without would your".split()
)


def distinctive_words(texts: Iterable[str]) -> set[str]:
    """The words of at least four letters that are not everybody's, lower case."""
    return {word for text in texts for word in _WORD.findall(text.lower())} - _COMMON


def split_passages(text: str) -> list[set[str]]:
    """The telling words of each passage of a skill; of one of usual length there is one.

    A skill that says what was learned says it in one place. All the words of a long text together hold anything, and a
    dictionary of a few thousand common words everything.
    """
    words = [word for word in _WORD.findall(text.lower()) if word not in _COMMON]
    ends = range(PASSAGE, len(words) + PASSAGE // 2, PASSAGE // 2) if len(words) > PASSAGE else [PASSAGE]
    return [set(words[end - PASSAGE : end]) for end in ends]


def share_held(wanted: set[str], words: set[str]) -> float:
    """The share of ``wanted`` that ``words`` holds, 0 to 1; 0 where there is nothing to hold."""
    return len(wanted & words) / len(wanted) if wanted else 0.0


def covers(wanted: set[str], words: set[str]) -> bool:
    """Whether a passage of these words covers a learning of those."""
    return len(wanted & words) >= LEAST and share_held(wanted, words) >= SHARE


def mentions(text: str, id_: str) -> bool:
    """Whether a text holds an id (or a fingerprint) as a word of its own."""
    return bool(id_) and re.search(rf"(?<!\w){re.escape(id_)}(?!\w)", text) is not None
