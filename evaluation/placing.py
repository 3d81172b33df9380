"""Where a candidate lies in its session, and whether that is where something was to be learned.

The definitions are those of the published labels: a candidate is placed by the smallest and the largest line of its
evidence. *Lenient*: that span overlaps a labelled learning. *Strict*: both ends lie inside one labelled learning, give or
take three lines. *Named*: strict, and title or evidence holds one of that learning's key phrases. *Useful*: strict, or in
the same way inside what a reader called borderline.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from mind_skills.detectors.model import Evidence
from mind_skills.evaluation.labels import Learning
from mind_skills.staging.model import CONTENT, EVIDENCES, SUMMARY, TITLE

SLACK = 3
"""Lines by which an end may miss: the call and its result are lines of their own."""
ONE_LINE = 10
"""Lines more than which a learning spans if a single line is not enough to bracket it."""

OFFER = 420
"""Characters of an offer that count."""


class Span(NamedTuple):
    """The smallest and the largest line of a candidate's evidence."""

    first: int
    last: int


class Raised(Protocol):
    """What is judged of a candidate."""

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


def span(raised: Raised) -> Span | None:
    """Where it lies; None without evidence. Only the first six evidences count."""
    lines = [each.line for each in raised.evidence[:EVIDENCES]]
    return Span(min(lines), max(lines)) if lines else None


def overlaps(place: Span, learning: Learning) -> bool:
    """Lenient: they share a line."""
    return place.first <= learning.end_line and place.last >= learning.start_line


def inside(place: Span, learning: Learning) -> bool:
    """Strict: both ends lie in the learning. One line alone does not bracket a long one."""
    if place.first == place.last and learning.end_line - learning.start_line > ONE_LINE:
        return False
    return place.first >= learning.start_line - SLACK and place.last <= learning.end_line + SLACK


def names(raised: Raised, learning: Learning) -> bool:
    """Whether the title or the evidence, as far as they count, hold one of the key phrases, in any case of letters."""
    parts = [raised.title[:TITLE]]
    for each in raised.evidence[:EVIDENCES]:
        parts += [each.summary[:SUMMARY], each.content[:CONTENT]]
    return _holds("\n".join(parts), learning)


def tells(offer: str, learning: Learning) -> bool:
    """Whether the text of an offer, as far as it counts, holds one of the key phrases."""
    return _holds(offer[:OFFER], learning)


def _holds(text: str, learning: Learning) -> bool:
    said = text.lower()
    return any(phrase.lower() in said for phrase in learning.key_phrases)


def chance(place: Span, ranges: Sequence[Learning], length: int) -> float:
    """The share of all places in a session of ``length`` lines at which a span of this width would lie inside one of ``ranges``."""
    width = place.last - place.first
    places = max(1, length - width)
    hits = reached = 0
    for begin, end in sorted(_beginnings(width, each) for each in ranges):
        begin, end = max(begin, reached + 1, 1), min(end, places)  # noqa: PLW2901 - clipped to what is not counted yet
        if end >= begin:
            hits += end - begin + 1
            reached = end
    return hits / places


def _beginnings(width: int, learning: Learning) -> tuple[int, int]:
    """The first and the last line at which a span of this width may begin to lie inside; an empty range where none may."""
    if width == 0 and learning.end_line - learning.start_line > ONE_LINE:
        return 1, 0
    return learning.start_line - SLACK, learning.end_line + SLACK - width
