"""Search for words in texts: lists of words from which features are computed, and many expressions at once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mind_skills.redaction.lazy_pattern import compile_lazily

# -- Lists of words and phrases in English, which most agents write. They are searched for as plain substrings of lower-cased text, so
# each is counted in one pass, without backtracking. --

CAUSE = (
    "because|caused by|due to|root cause|the reason|the issue|the problem|the bug|the culprit|turns out|explains|"
    "that's why|this is why|that is why|which is why|i see|i understand|found the"
).split("|")
"""A reason is given."""
STRONG = (
    "root cause|turns out|the issue is|the problem is|the bug is|the issue was|the problem was|the real |"
    "the actual |culprit|found it|that's why|this is why|that is why|explains why|this explains|see the issue|"
    "see the problem|found the issue|found the problem|found the bug|understand the issue"
).split("|")
"""A search for a cause has ended; rare in other contexts."""
REVERSAL = (
    "actually|wait|hmm|you're right|my mistake|i was wrong|however|unfortunately|interesting|surpris|strange|"
    "weird|unexpected|instead of|misleading|silently|still fail|still not|doesn't"
).split("|")
"""Something differs from what was assumed."""
SOLVED = "fixed|works now|now works|working now|resolved|solved|tests pass|passes now|verified|✅".split("|")
"""The work is done and works."""
ESCALATION = "sudo|sandbox|escalat|permission".split("|")
"""The agent's permissions are discussed."""
BROKEN = (
    "not work|n't work|not show|n't show|broken|error|fail|bug|wrong|crash|issue|problem|stuck|hang|weird|"
    "regress|still |not found|n't see|can't|cannot|never "
).split("|")
"""A user may report a problem; ``reports_problem`` is stricter."""
WHY = "why |how come|investigat|figure out|debug|diagnos|look into|find out|root cause".split("|")
"""A user asks for the reason."""
FIX = "fix|repair|resolve|solve".split("|")
DENIAL = "still |not work|n't work|same error|same issue|wrong|nope|not fixed|broken|no change".split("|")
"""A user reports that the change does not work."""
APPROVAL = "thanks|thank you|perfect|awesome|great|nice|lgtm|works|all good|exactly".split("|")
REASON = (
    "because|must |otherwise|workaround|note|instead|so that|avoid|ensure|without|not |n't |require|need|prevent|"
    "due to|only "
).split("|")
"""A code comment gives a reason."""


def count_occurrences(text: str, substrings: Sequence[str]) -> int:
    count = 0
    for substring in substrings:
        if substring in text:
            count += text.count(substring)
    return count


def contains_any(text: str, substrings: Sequence[str]) -> bool:
    for substring in substrings:  # noqa: SIM110 - a loop is faster than any() with a generator
        if substring in text:
            return True
    return False


# -- Many expressions at once, in any case.
#
# An expression with fifty alternatives tries each of them at every position, which takes about a microsecond per three
# characters. Searching first for a few literal letters of each alternative takes a hundredth of that time. Only the
# alternatives whose letters occur are then searched for, one by one, in the lower-cased text.

_CASE_EXCEPTIONS = ("\u0131", "\u017f")
"""Dotless i and long s: they match ASCII letters if case is ignored, but ``str.lower`` does not map them to these letters."""
_LINE_SEARCH_LENGTH = 400
"""Texts with more characters are searched line by line, because only a few lines of a pasted log contain a given word."""
_BOUNDARY_BEFORE_LETTERS = compile_lazily(r"\\b([a-z]+)(?![?*+{a-z])")


class Phrases(NamedTuple):
    """Alternative expressions, matched in any case."""

    patterns: tuple[re.Pattern[str], ...]
    """Lower-case expressions."""
    expressions_by_word: tuple[tuple[str, re.Pattern[str]], ...]
    """Pairs of a word and an expression, in order. Every match of an expression contains one of the words paired with it."""
    is_multiline: bool
    """Whether a match may extend past the end of its line."""

    def matches(self, text: str) -> bool:
        lowered = lower_preserving_offsets(text)
        if lowered is None:
            return self.join_expressions(re.IGNORECASE).search(text) is not None
        tried_pattern = None
        by_line = len(lowered) > _LINE_SEARCH_LENGTH and not self.is_multiline
        for word, pattern in self.expressions_by_word:
            if word in lowered and (by_line or pattern is not tried_pattern):
                tried_pattern = pattern
                if _matches_in_line(pattern, word, lowered) if by_line else pattern.search(lowered):
                    return True
        return False

    def join_expressions(self, flags: int) -> re.Pattern[str]:
        """Return all expressions joined into one. The ``re`` module caches the result."""
        return re.compile("|".join(pattern.pattern for pattern in self.patterns), flags)


def build_phrases(alternatives: Mapping[str, str], *, literals: str = "", is_multiline: bool = False) -> Phrases:
    """Build phrases from a mapping. A key is one or more words, separated by ``|``; its value is a lower-case expression.

    Every match of the expression must contain one of the words. Example: ``{"one |two ": r"(?:one|two) more"}``. ``literals``
    are further phrases without expressions, in lower case and separated by ``|``. With ``is_multiline``, matches may span lines.
    """
    alternatives = {**alternatives, **{word: re.escape(word) for word in literals.split("|") if word}}
    patterns = tuple(compile_lazily(_move_boundary(expression)) for expression in alternatives.values())
    expressions_by_word = tuple(
        (word, pattern) for words, pattern in zip(alternatives, patterns, strict=True) for word in words.split("|")
    )
    return Phrases(patterns, expressions_by_word, is_multiline)


def lower_preserving_offsets(text: str) -> str | None:
    """Return the text in lower case if every character keeps its position and matches as before, else None."""
    lowered = text.lower()
    if lowered.isascii() or (
        len(lowered) == len(text) and _CASE_EXCEPTIONS[0] not in lowered and _CASE_EXCEPTIONS[1] not in lowered
    ):
        return lowered
    return None


def _matches_in_line(pattern: re.Pattern[str], word: str, lowered: str) -> bool:
    """Return whether a pattern matches in one of the lines that contain ``word``, or anywhere if it begins with ``^``."""
    if pattern.pattern.startswith("^"):
        return pattern.search(lowered) is not None
    at = lowered.find(word)
    while at >= 0:
        line_end = lowered.find("\n", at) + 1 or len(lowered)
        if pattern.search(lowered, lowered.rfind("\n", 0, at) + 1, line_end) is not None:
            return True
        at = lowered.find(word, line_end)
    return False


def _move_boundary(expression: str) -> str:
    r"""Replace each ``\b`` before literal letters with a lookbehind after them.

    The ``re`` module finds literal letters fast, but word boundaries slowly.
    """
    return _BOUNDARY_BEFORE_LETTERS.sub(lambda match: rf"{match[1]}(?<!\w{match[1]})", expression)
