"""Decides whether a skill covers a learning, by the distinctive words that they share.

A skill written for a learning repeats its error, command, file and cause; a skill that is only about the same tool or code
base contains few of these words. Among the hand-written pairs in tests/learning/covered_pairs.py, skills that cover a
learning contain .64 to .88 of its words, skills about the same area or error .00 to .47, and all other skills at most .12.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from mind_skills.redaction.lazy_pattern import compile_lazily

MIN_SHARE, MIN_SHARED_WORDS = 0.6, 5
"""A skill covers a learning if a passage contains at least this share and this number of the learning's distinctive
words. A skill that the session itself wrote is also accepted if it contains the candidate's id."""
WORDS_PER_PASSAGE = 300
"""Number of distinctive words per passage, including repetitions. About 500 words of text, the usual length of a skill,
contain as many. Consecutive passages overlap by half."""
_WORD = compile_lazily(r"[A-Za-z][A-Za-z0-9_]{3,}")
_COMMON_WORDS = frozenset(
    "about after again against also before because been being cause could does error failed failing file files fixed from have into"
    " just line made more only other should some still test tests than that their them then there these they this turns"
    " when where which while will with without would your".split()
)


def extract_distinctive_words(texts: Iterable[str]) -> set[str]:
    """Return the words of four or more characters, in lower case and without common words."""
    return {word for text in texts for word in _WORD.findall(text.lower())} - _COMMON_WORDS


def split_passages(text: str) -> list[set[str]]:
    """Return the distinctive words of each passage of a skill; a skill of usual length has one passage.

    Passages are compared one by one, because a long text contains almost any word somewhere: a list of a few thousand
    common words would otherwise cover everything.
    """
    words = [word for word in _WORD.findall(text.lower()) if word not in _COMMON_WORDS]
    step = WORDS_PER_PASSAGE // 2
    return [set(words[start : start + WORDS_PER_PASSAGE]) for start in range(0, max(1, len(words) - step), step)]


def compute_shared_fraction(learning_words: set[str], words: set[str]) -> float:
    """Return the share of ``learning_words`` that are in ``words``, 0 to 1; 0 if ``learning_words`` is empty."""
    return len(learning_words & words) / len(learning_words) if learning_words else 0.0


def covers(learning_words: set[str], words: set[str]) -> bool:
    """Return whether a passage with ``words`` covers a learning with the distinctive words ``learning_words``."""
    return (
        len(learning_words & words) >= MIN_SHARED_WORDS and compute_shared_fraction(learning_words, words) >= MIN_SHARE
    )


def contains_id(text: str, id_: str) -> bool:
    """Return whether the text contains an id (or a fingerprint) as a whole word."""
    return bool(id_) and re.search(rf"(?<!\w){re.escape(id_)}(?!\w)", text) is not None
