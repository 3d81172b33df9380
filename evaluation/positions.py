"""Position of a candidate in its session, compared with the labelled learnings.

The definitions come from the published labels. A candidate extends from the smallest to the largest line of its
evidence. *Lenient*: that span overlaps a learning. *Strict*: both ends are inside one learning, with a tolerance of
three lines, but a single line is not in a long learning. *Named*: strict, and title or evidence contains one of the
learning's key phrases. *Told*: strict, and the text of the offer contains one. *Useful*: strict, or inside a borderline range in
the same sense.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from mind_skills.detectors.model import Evidence
from mind_skills.evaluation.labels import Learning
from mind_skills.staging.model import MAX_CONTENT_LENGTH, MAX_EVIDENCE_ITEMS, MAX_SUMMARY_LENGTH, MAX_TITLE_LENGTH

SLACK = 3
"""Tolerance at each end, in lines, since a call and its result are on separate lines."""
MAX_ONE_LINE_SPAN = 10
"""A single line is not a strict hit on a learning whose last line is more than this number of lines after its first."""

MAX_OFFER_LENGTH = 420
"""Number of characters of an offer that are searched for key phrases."""


class Span(NamedTuple):
    """Smallest and largest line of a candidate's evidence."""

    first: int
    last: int


class Raised(Protocol):
    """The attributes of a candidate that are judged."""

    @property
    def kind(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def evidence(self) -> Sequence[Evidence]: ...
    @property
    def offer(self) -> str: ...
    @property
    def confidence(self) -> str: ...
    @property
    def probability(self) -> float: ...


def find_span(candidate: Raised) -> Span | None:
    """Return the span of a candidate, or None without evidence. Only the first six entries of evidence count."""
    lines = [entry.line for entry in candidate.evidence[:MAX_EVIDENCE_ITEMS]]
    return Span(min(lines), max(lines)) if lines else None


def is_overlapping(span: Span, learning: Learning) -> bool:
    """Return whether span and learning share a line (lenient)."""
    return span.first <= learning.end_line and span.last >= learning.start_line


def is_inside(span: Span, learning: Learning) -> bool:
    """Return whether both ends are in the learning, with tolerance (strict). A single line is in no long learning."""
    if span.first == span.last and learning.end_line - learning.start_line > MAX_ONE_LINE_SPAN:
        return False
    return span.first >= learning.start_line - SLACK and span.last <= learning.end_line + SLACK


def holds_phrase(candidate: Raised, learning: Learning) -> bool:
    """Return whether title or evidence, truncated to the limits, contains one of the key phrases, ignoring case."""
    parts = [candidate.title[:MAX_TITLE_LENGTH]]
    for entry in candidate.evidence[:MAX_EVIDENCE_ITEMS]:
        parts += [entry.summary[:MAX_SUMMARY_LENGTH], entry.content[:MAX_CONTENT_LENGTH]]
    return _contains_phrase("\n".join(parts), learning)


def offer_holds_phrase(offer: str, learning: Learning) -> bool:
    """Return whether the text of an offer, truncated to its limit, contains a key phrase of the learning, ignoring case."""
    return _contains_phrase(offer[:MAX_OFFER_LENGTH], learning)


def _contains_phrase(text: str, learning: Learning) -> bool:
    lowered = text.lower()
    return any(phrase.lower() in lowered for phrase in learning.key_phrases)


def measure_chance(span: Span, ranges: Sequence[Learning], length: int) -> float:
    """Return the share of positions, in a session of ``length`` lines, at which a span of this width is inside one of ``ranges``."""
    width = span.last - span.first
    starts = max(1, length - width)
    hits = counted_to = 0
    for begin, end in sorted(_find_start_range(width, learning) for learning in ranges):
        begin, end = max(begin, counted_to + 1, 1), min(end, starts)  # noqa: PLW2901 - clipped to the uncounted part
        if end >= begin:
            hits += end - begin + 1
            counted_to = end
    return hits / starts


def _find_start_range(width: int, learning: Learning) -> tuple[int, int]:
    """Return the first and last line at which a span of this width can begin to be inside the learning; (1, 0) if there is none."""
    if width == 0 and learning.end_line - learning.start_line > MAX_ONE_LINE_SPAN:
        return 1, 0
    return learning.start_line - SLACK, learning.end_line + SLACK - width
