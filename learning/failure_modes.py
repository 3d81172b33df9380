"""What kind of failure an error message speaks of. The documents' `failure_mode`."""

from __future__ import annotations

import re
from typing import Literal

from mind_skills.learning.profiles import DEFAULT, Profile
from mind_skills.redaction.lazy_pattern import compile_later

FailureMode = Literal[
    "timeout",
    "conflict",
    "validation",
    "tool_failure",
    "context_overflow",
    "dependency_blocked",
    "user_cancelled",
    "unknown",
]

_PARTS: tuple[tuple[FailureMode, tuple[str, ...]], ...] = (
    ("timeout", ("timeout",)),
    ("conflict", ("conflict", "reservation")),
    ("validation", ("validation", "schema")),
    ("context_overflow", ("context", "token")),
    ("dependency_blocked", ("blocked", "dependency")),
    ("user_cancelled", ("cancel",)),
    ("tool_failure", ("tool", "command", "failed to execute")),
)
"""The original's test: the first of these parts that occurs anywhere."""
_FORMS: tuple[tuple[FailureMode, str], ...] = (
    ("timeout", r"\btime(?:d )?-?out\b|\bdeadline exceeded\b|\bETIMEDOUT\b"),
    ("conflict", r"\bconflict(?:s|ed|ing)?\b|\breservation\b|\balready reserved\b"),
    (
        "context_overflow",
        r"\bcontext (?:length|window|limit|overflow)\b|\b(?:too many|maximum|max) tokens?\b|\btoken limit\b",
    ),
    ("validation", r"\bvalidation\b|\bschema\b|\binvalid\b|\bunexpected token\b|\btype ?error\b|\bsyntax ?error\b"),
    ("dependency_blocked", r"\bblocked\b|\bdependenc(?:y|ies)\b|\bmodule not found\b|\bno module named\b"),
    ("user_cancelled", r"\bcancel(?:led|ed)?\b|\binterrupted by (?:the )?user\b|\baborted by (?:the )?user\b"),
    ("tool_failure", r"\btool\b|\bcommand\b|\bfailed to execute\b|\bexit(?:ed)? (?:code|status|with)\b"),
)
_WORDS: tuple[tuple[FailureMode, re.Pattern[str]], ...] = tuple(
    (mode, compile_later(form, re.IGNORECASE)) for mode, form in _FORMS
)


def classify(error: str, profile: Profile = DEFAULT) -> FailureMode:
    """The first mode that the message speaks of, "unknown" where it speaks of none."""
    lowered = error.lower()
    found: list[FailureMode]
    if profile.whole_words:
        found = [mode for mode, words in _WORDS if words.search(error)]
    else:
        found = [mode for mode, parts in _PARTS if any(part in lowered for part in parts)]
    return found[0] if found else "unknown"
