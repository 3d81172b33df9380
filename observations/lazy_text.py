"""Lazy cleaning of observation texts.

In real sessions, only one tool output in thirty is used, and cleaning a text costs more than all other processing of it. Until
its ``text`` is accessed (model.py), an observation therefore stores the raw text, or the two ends of it that cleaning needs. Raw
text is accessed only through the functions of this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast

from mind_skills.observations.model import Observation
from mind_skills.redaction.text import TextEnds, cut_ends, is_storable_whole, redact_ends

_TEXT_SLOT: Any = vars(Observation)["text"]
"""The slot descriptor of ``text``, which raises AttributeError instead of computing a text that has not been cleaned yet."""


class _RawText:
    """Raw text (all of it or its two ends), the limit of the cleaned text in characters, and whether the cleaned text is stripped."""

    __slots__ = ("is_stripped", "limit", "text")

    def __init__(self, text: str, limit: int, is_stripped: bool) -> None:
        self.text: str | TextEnds = text if is_storable_whole(text, limit) else cut_ends(text, limit)
        self.limit, self.is_stripped = limit, is_stripped

    def get_ends(self) -> TextEnds:
        """Return the ends that cleaning needs, without invisible characters; computed once."""
        if isinstance(self.text, str):
            self.text = cut_ends(self.text, self.limit)
        return self.text

    def clean(self) -> str:
        text = redact_ends(self.get_ends(), self.limit)
        return text.strip() if self.is_stripped else text


def set_lazy_text(observation: Observation, text: str, limit: int, *, is_stripped: bool = False) -> Observation:
    """Set ``text`` as the text of the observation, to be cleaned on first access, and return the observation.

    The cleaned text has at most ``limit`` characters and, if ``is_stripped``, no whitespace at either end.
    """
    if text:
        observation.pending_text = _RawText(text, limit, is_stripped)  # type: ignore[misc] # a slot of its base
        del observation.text
    return observation


def _get_pending_text(observation: Observation) -> _RawText | None:
    """Return the raw text of the observation, or None if its text is already cleaned."""
    try:
        _TEXT_SLOT.__get__(observation)
    except AttributeError:
        return cast(_RawText, observation.pending_text)
    return None


def estimate_length(observation: Observation) -> int:
    """Estimate the length of the text in characters without cleaning it."""
    pending = _get_pending_text(observation)
    if pending is None:
        return len(observation.text)
    parts = (pending.text,) if isinstance(pending.text, str) else pending.text
    return min(pending.limit, len(parts[0])) if len(parts) == 1 else pending.limit


def get_raw_text(observation: Observation) -> str:
    """Return the text, or its two ends, without invisible characters. It may be unredacted: use it only to search or to count words."""
    pending = _get_pending_text(observation)
    return observation.text if pending is None else "\n".join(pending.get_ends())


def may_contain_all(observation: Observation, word_sets: Sequence[tuple[str, Sequence[tuple[str, ...]]]]) -> bool:
    """Return whether the text may contain the word of one of ``word_sets`` and all words of one of that word's groups, in any case.

    The words in ``word_sets`` are in lower case. The text is not cleaned for this search. Because cleaning only removes words,
    there are no false negatives, except for words that occur in a marker that cleaning inserts.
    """
    text = get_raw_text(observation).lower()
    for word, groups in word_sets:
        if word in text:
            for required_words in groups:
                for required_word in required_words:
                    if required_word not in text:
                        break
                else:
                    return True
    return False


class Pattern(Protocol):
    """A pattern to search for in a text."""

    def matches(self, text: str) -> bool:
        """Return whether the pattern occurs in the text."""
        ...


def may_contain_match(observation: Observation, pattern: Pattern) -> bool:
    """Return whether the pattern may occur in the text, without cleaning the text.

    Only valid for patterns whose matches contain no brackets, so that no redaction marker can be part of a match.
    """
    return pattern.matches(get_raw_text(observation))
