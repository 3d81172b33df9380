"""Extract the words that indicate what a text is about; texts that share some of them are probably about the same thing."""

from __future__ import annotations

from functools import lru_cache

from mind_skills.redaction.lazy_pattern import compile_lazily

MAX_TEXT_LENGTH = 2_000
"""Number of characters of a text that are read; what follows is usually a log or a listing."""
_MIN_TOKEN_LENGTH = 4
"""Shorter words are too common to indicate a topic."""
_WORDS = compile_lazily(r"[A-Za-z][A-Za-z0-9]*(?:[_./-][A-Za-z0-9]+)*")
_CAMEL = compile_lazily(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_NAMES = compile_lazily(r"[A-Za-z]\w*(?:[._/:-][A-Za-z0-9]\w*)+|[a-z]+[A-Z]\w*|\w+_\w+|`[^`\n]{1,80}`|--[a-z][\w-]+")
"""Identifiers: dotted and joined names, camelCase, underscores, quoted code, options."""
_COMMON = frozenset(
    "this that with from have will when what which there their they them then than into only also after before because should would "
    "could does doesn didn isn the and for are was were not but can its it's let lets now need needs issue problem error errors file "
    "files code test tests line lines function check fix fixed using used use add added make sure here see same still just like more "
    "some all any been being where about other these those first your you run running change changes update updated new old".split()
)
"""Words that do not indicate a topic."""


def extract_tokens(text: str) -> frozenset[str]:
    """Return the topic words in the first ``MAX_TEXT_LENGTH`` characters, lower-cased; of camelCase words, the parts as well."""
    tokens: set[str] = set()
    for word in _WORDS.findall(text[:MAX_TEXT_LENGTH]):
        tokens.update(_split_word(word))
    return frozenset(tokens)


def count_names(text: str) -> int:
    """Count the identifiers, paths and options in the first ``MAX_TEXT_LENGTH`` characters."""
    return len(_NAMES.findall(text[:MAX_TEXT_LENGTH]))


@lru_cache(4096)
def _split_word(word: str) -> tuple[str, ...]:
    """Return a word and, if it has capitals, its parts: lower-cased, without short and common ones. Cached, since most words recur."""
    parts = [word] if word.islower() else [word, *_CAMEL.findall(word)]
    return tuple(
        lowered for lowered in map(str.lower, parts) if len(lowered) >= _MIN_TOKEN_LENGTH and lowered not in _COMMON
    )
