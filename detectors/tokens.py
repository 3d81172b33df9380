"""Words that say what a text is about: what two texts share tells whether one is about the other."""

from __future__ import annotations

from functools import lru_cache

from mind_skills.redaction.lazy_pattern import compile_later

LOOKED_AT = 2_000
"""Characters whose words say what a text is about: what follows is logs and listings."""
_LEAST = 4
"""Characters of a word that says what a text is about: shorter ones are in every text."""
_WORDS = compile_later(r"[A-Za-z][A-Za-z0-9]*(?:[_./-][A-Za-z0-9]+)*")
_CAMEL = compile_later(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_NAMES = compile_later(r"[A-Za-z]\w*(?:[._/:-][A-Za-z0-9]\w*)+|[a-z]+[A-Z]\w*|\w+_\w+|`[^`\n]{1,80}`|--[a-z][\w-]+")
"""What names one thing: dotted and joined names, humps, underscores, quoted code, options."""
_COMMON = frozenset(
    "this that with from have will when what which there their they them then than into only also after before because should would "
    "could does doesn didn isn the and for are was were not but can its it's let lets now need needs issue problem error errors file "
    "files code test tests line lines function check fix fixed using used use add added make sure here see same still just like more "
    "some all any been being where about other these those first your you run running change changes update updated new old".split()
)
"""Words that do not say what a text is about."""


def tokens(text: str, most: int = LOOKED_AT) -> frozenset[str]:
    """Identifiers of the first ``most`` characters, whole and in parts, lower-cased, without common words."""
    found: set[str] = set()
    for word in _WORDS.findall(text[:most]):
        found.update(_tokens_of(word))
    return frozenset(found)


def names(text: str, most: int = LOOKED_AT) -> int:
    """How many words of the first ``most`` characters name one thing, such as an identifier, a path or an option."""
    return len(_NAMES.findall(text[:most]))


@lru_cache(4096)
def _tokens_of(word: str) -> tuple[str, ...]:
    """A word and its parts, as far as they are long enough and say something; most words of a session come again."""
    parts = [word] if word.islower() else [word, *_CAMEL.findall(word)]
    return tuple(low for low in map(str.lower, parts) if len(low) >= _LEAST and low not in _COMMON)
