"""Describe the scope and cost of an episode: files, versions of programs, failures, minutes, and whether it was committed."""

from __future__ import annotations

import re

from mind_skills.detectors.composing.context import EpisodeContext
from mind_skills.detectors.words import lower_preserving_offsets
from mind_skills.redaction.lazy_pattern import compile_lazily

_MAX_FILES = 4
_MAX_MINUTES = 24 * 60
"""For longer episodes, no duration is stated, because the session was probably left idle."""


def describe_scope(context: EpisodeContext, text: str, files: tuple[str, ...]) -> str:
    """Return files, versions and cost, separated by semicolons. The versions are those in ``text``: symptom, cause and remedy."""
    numbers = find_versions(text)
    versions = [f"{name} {number}" for name, number in numbers.items()] if len(numbers) <= MAX_VERSIONS else []
    return "; ".join(filter(None, (", ".join(files[:_MAX_FILES]), ", ".join(versions), *_describe_cost(context))))


def list_files(context: EpisodeContext, change: int) -> tuple[str, ...]:
    """Return the distinct files that the episode changed, beginning with the files of ``change``, which is -1 if there is none."""
    indexes = ([change] if change >= 0 else []) + context.changes
    return tuple(dict.fromkeys(name for index in indexes for name in context.get_observation(index).files))


def _describe_cost(context: EpisodeContext) -> list[str]:
    """Return the number of failures, the duration, and whether the change was committed before the user's next message."""
    timeline = context.timeline
    parts: list[str] = []
    failures = len(timeline.select(timeline.failures, context.first, context.last + 1))
    if failures:
        parts.append("1 failure" if failures == 1 else f"{failures} failures")
    started, ended = context.get_observation(context.first).at, context.get_observation(context.last).at
    if started is not None and ended is not None and 1 <= (ended - started) // 60_000 <= _MAX_MINUTES:
        minutes = (ended - started) // 60_000
        parts.append("1 minute" if minutes == 1 else f"{minutes} minutes")
    turn_end = timeline.find_turn_end(context.last)
    if context.changes and timeline.select(timeline.commits, context.changes[-1], turn_end):
        parts.append("committed")
    return parts


# -- Versions that a text names, in forms such as ``name==1.2``, ``name@1.2``, ``name 1.2.3``, ``Python 3.11``, ``go1.22``. Times,
# web addresses, protocol numbers and quantities with a unit are not versions. --

MAX_VERSIONS = 4
"""Maximum number of versions that a learning states. A text with more usually quotes a lock file, so none of them is stated."""
_MAX_TEXT_LENGTH = 4_000
"""Number of characters of a text that are read."""
_NUMBER = r"v?(\d{1,4}(?:\.\d{1,5}){1,3}(?:[-.+]?(?:a|b|rc|alpha|beta|dev|post|pre)\w{0,6})?)"
_NAME = r"([A-Za-z@][\w@/.-]{0,60}?)"
_PINNED = compile_lazily(rf"(?<![\w@/.-]){_NAME}(?:==|~=|>=|<=|@|<|>)\s?\^?~?{_NUMBER}(?!\w|\.\d)")
_UNIT = r"\s?(?:s|ms|sec|seconds|[kMG]?B|%|x)\b"
_WRITTEN_OUT = compile_lazily(rf"(?<![\w@/.-]){_NAME}(?:,? version:?)?[ :/]{_NUMBER}(?!\w|[.:/]\w|{_UNIT})")
_PLATFORM = compile_lazily(
    r"\b(?:(python|go|rust|django)(?: version)? ?v?(\d{1,3}(?:\.\d{1,5}){1,3})"
    r"|(node(?:\.js)?|java|ruby|php|postgres(?:ql)?|react)(?: version)? ?v?(\d{1,3}(?:\.\d{1,5}){0,3}))"
    rf"(?!\w|\.\d|{_UNIT})",
    re.IGNORECASE,
)
"""Languages and platforms, written together with their version, which for some is a single number."""
_VERSION_HINT = compile_lazily(r"[=<>@ :/]\s?\^?~?v?\d{1,4}\.\d")
_PLATFORM_HINT = compile_lazily(
    r"(?:python|go|rust|django|node(?:\.js)?|java|ruby|php|postgres(?:ql)?|react)(?: version)? ?v?\d"
)
"""Quick pre-checks: every match of an expression above contains a match of one of these. The second expects lower-cased text."""
_MATCH_MARGIN = 100
"""Maximum number of characters by which a match, including its context, extends beyond the match of its pre-check on either side."""
_EXCLUDED_NAMES = frozenset(
    "in of to at on by for from with and or is was the a an version line section chapter step table figure http https tls ssl ipv4"
    " took after about ok pass passed than until only all around over under between score ratio rate total since at-least"
    " expected actual got want received found value host ip address addr server port listening".split()
)
_ALIASES = {"python3": "python", "node.js": "node", "nodejs": "node", "golang": "go", "postgresql": "postgres"}


def find_versions(text: str) -> dict[str, str]:
    """Return versions by lower-cased name. If a name has several, pinned ones take precedence, then those written out."""
    versions: dict[str, str] = {}
    text = text[:_MAX_TEXT_LENGTH]
    searches = (
        (_VERSION_HINT, text, (_PINNED, _WRITTEN_OUT)),
        (_PLATFORM_HINT, lower_preserving_offsets(text), (_PLATFORM,)),
    )
    for hint, searched, patterns in searches:
        start, end = (0, len(text)) if searched is None else _find_search_range(hint, searched)
        for pattern in patterns if end else ():
            for match in pattern.finditer(text, start, end):
                name, number = filter(None, match.groups())
                key = name.lower().strip("./-")
                key = _ALIASES.get(key, key)
                if key and key not in _EXCLUDED_NAMES and not key[-1].isdigit() and any(c.isalpha() for c in key):
                    versions.setdefault(key, number)
    return versions


def _find_search_range(hint: re.Pattern[str], text: str) -> tuple[int, int]:
    """Return the range of ``text`` that can contain versions; (0, 0) if it contains none."""
    first = hint.search(text)
    if first is None:
        return 0, 0
    last = first
    for match in hint.finditer(text, first.end()):
        last = match
    return max(0, first.start() - _MATCH_MARGIN), last.end() + _MATCH_MARGIN
