"""Verdicts on a session's candidates according to its label, and the learnings found.

The definitions come from the published labels. A candidate extends from the smallest to the largest line of its
evidence. *Lenient*: that span overlaps a learning. *Strict*: both ends are inside one learning, with a tolerance of
three lines, but a single line is not in a long learning. *Named*: strict, and title or evidence contains one of the
learning's key phrases. *Told*: strict, and the text of the offer contains one. *Useful*: strict, or inside a borderline range in
the same sense.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from mind_skills.detectors.model import Evidence
from mind_skills.evaluation.labels import Label, Learning
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


class Raised(NamedTuple):
    """A candidate as it is judged. Of a proposal that was not raised, only kind and evidence are known."""

    kind: str
    title: str
    evidence: Sequence[Evidence]
    offer: str = ""
    confidence: str = ""
    probability: float = 0.0
    is_tainted: bool = False


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


Level = Literal["lenient", "strict", "named", "told"]
LEVELS: tuple[Level, ...] = ("strict", "named", "told", "lenient")
"""In print order. ``named``: title or evidence contains a key phrase of the learning; ``told``: the offer does. Both are strict hits."""
USER_RULE = "user_rule"
"""Candidates of this kind are counted separately, against the labelled corrections."""
Verdict = Literal["named", "strict", "repeat", "lenient", "wrong", "neutral", "unplaced"]
"""The best verdict on a candidate. ``neutral``: readers disagreed, so the candidate counts neither way. ``repeat``: it hits only
learnings that earlier candidates of its session hit, and counts as wrong. ``unplaced``: it has no evidence, and counts as wrong."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged candidate. Lines are 0 if it is unplaced; ``hits_by_level`` holds the indexes of the learnings that it hits.

    ``chance`` and ``useful_chance`` are the probabilities of a strict and a useful hit at a random position in the session.
    """

    kind: str
    title: str
    first: int
    last: int
    chance: float = 0.0
    useful_chance: float = 0.0
    hits_by_level: dict[Level, tuple[int, ...]] = field(default_factory=dict[Level, tuple[int, ...]])
    is_neutral: bool = False
    """Whether it counts neither way, because readers disagreed."""
    is_in_borderline_range: bool = False
    """Whether it is inside a range that a reader called borderline."""
    is_repeat: bool = False
    """Whether earlier candidates of the session hit all its learnings."""
    confidence: str = ""
    probability: float = 0.0
    """The detector's probability that the candidate is a learning."""
    is_tainted: bool = False
    """Whether its text follows untrusted text or repeats tool output."""

    @property
    def is_placed(self) -> bool:
        return self.first > 0

    @property
    def verdict(self) -> Verdict:
        if self.is_neutral:
            return "neutral"
        if not self.is_placed:
            return "unplaced"
        if self.is_repeat:
            return "repeat"
        if self.hits_by_level["named"]:
            return "named"
        if self.hits_by_level["strict"]:
            return "strict"
        return "lenient" if self.hits_by_level["lenient"] else "wrong"

    def list_hits(self, level: Level) -> tuple[int, ...]:
        """Return the indexes of the learnings that it finds; none if it is a repeat."""
        return () if self.is_repeat else self.hits_by_level[level]

    @property
    def is_on_borderline(self) -> bool:
        """Whether it is not a strict hit but inside a borderline range."""
        return self.is_in_borderline_range and not self.list_hits("strict")


@dataclass(frozen=True, slots=True)
class SessionScore:
    """The judged candidates of one labelled session, in the order in which they were raised."""

    name: str
    source: str
    learnings: int
    is_silent: bool
    """Whether nothing should be raised in the session."""
    judged: tuple[Judged, ...] = ()
    is_missing: bool = False
    """Whether the session could not be replayed; its learnings then count as not found."""
    rules: tuple[bool, ...] = ()
    """For each user_rule candidate with evidence, whether it is at a correction; empty without labelled corrections."""
    correction_count: int = 0
    """Number of labelled corrections that have a line."""
    has_succeeded: bool | None = None
    """The outcome of the session as the product determines it; None if it is unknown."""

    def filter_kind(self, kind: str) -> SessionScore:
        """Return the score as if only candidates of this kind had been raised."""
        return replace(self, judged=_mark_repeats(each for each in self.judged if each.kind == kind))

    def filter_confidences(self, confidences: Collection[str]) -> SessionScore:
        """Return the score as if only candidates of these confidences had been raised."""
        return replace(self, judged=_mark_repeats(each for each in self.judged if each.confidence in confidences))

    def filter_probable(self, probability: float) -> SessionScore:
        """Return the score as if no candidate below ``probability`` had been raised."""
        return replace(self, judged=_mark_repeats(each for each in self.judged if each.probability >= probability))

    def filter_taint(self, is_tainted: bool) -> SessionScore:
        """Return the score as if only the tainted candidates, or only the others, had been raised."""
        return replace(self, judged=_mark_repeats(each for each in self.judged if each.is_tainted == is_tainted))


def score_session(label: Label, candidates: Sequence[Raised]) -> SessionScore:
    """Judge the candidates of a session in order. Those of kind user_rule are counted separately."""
    score = build_score(
        label, [judge_candidate(label, candidate) for candidate in candidates if candidate.kind != USER_RULE]
    )
    spans = [span for candidate in candidates if candidate.kind == USER_RULE and (span := find_span(candidate))]
    return (
        score
        if label.correction_lines is None
        else replace(
            score, rules=_match_rules(spans, label.correction_lines), correction_count=len(label.correction_lines)
        )
    )


def build_score(label: Label, judged: Iterable[Judged]) -> SessionScore:
    """Build the score of a session from individually judged candidates, marking repeats."""
    return SessionScore(label.name, label.source, len(label.learnings), label.is_silent, _mark_repeats(judged))


def _match_rules(spans: Sequence[Span], lines: Sequence[int]) -> tuple[bool, ...]:
    return tuple(any(first - SLACK <= line <= last + SLACK for line in lines) for first, last in spans)


def build_missing_score(label: Label) -> SessionScore:
    """Build the score of a session that was not replayed."""
    return SessionScore(label.name, label.source, len(label.learnings), label.is_silent, is_missing=True)


def _mark_repeats(judged: Iterable[Judged]) -> tuple[Judged, ...]:
    hit_learnings, marked = set[int](), list[Judged]()
    for candidate in judged:
        strict = candidate.hits_by_level["strict"]
        marked.append(replace(candidate, is_repeat=bool(strict) and hit_learnings.issuperset(strict)))
        hit_learnings.update(strict)
    return tuple(marked)


def judge_candidate(label: Label, raised: Raised) -> Judged:
    """Judge one candidate alone. Repeats are marked later."""
    span = find_span(raised)
    if span is None:
        unplaced = Judged(raised.kind, raised.title, 0, 0, hits_by_level=dict.fromkeys(LEVELS, ()))
        return replace(
            unplaced, confidence=raised.confidence, probability=raised.probability, is_tainted=raised.is_tainted
        )
    strict = tuple(i for i, learning in enumerate(label.learnings) if is_inside(span, learning))
    hits_by_level: dict[Level, tuple[int, ...]] = {
        "lenient": tuple(i for i, learning in enumerate(label.learnings) if is_overlapping(span, learning)),
        "strict": strict,
        "named": tuple(i for i in strict if holds_phrase(raised, label.learnings[i])),
        "told": tuple(i for i in strict if offer_holds_phrase(raised.offer, label.learnings[i])),
    }
    return Judged(
        raised.kind,
        raised.title,
        *span,
        chance=measure_chance(span, label.learnings, label.length),
        useful_chance=measure_chance(span, [*label.learnings, *label.borderline_ranges], label.length),
        hits_by_level=hits_by_level,
        is_neutral=not strict and any(is_inside(span, learning) for learning in label.disputed),
        is_in_borderline_range=any(is_inside(span, borderline_range) for borderline_range in label.borderline_ranges),
        confidence=raised.confidence,
        probability=raised.probability,
        is_tainted=raised.is_tainted,
    )
