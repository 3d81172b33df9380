"""One session's candidates against its label: a verdict for each, and what was found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from mind_skills.evaluation.labels import Label
from mind_skills.evaluation.placing import SLACK, Raised, Span, chance, inside, names, overlaps, span, tells

Level = Literal["lenient", "strict", "named", "told"]
LEVELS: tuple[Level, ...] = ("strict", "named", "told", "lenient")
"""In the order in which they are printed; each named or told hit is a strict one."""
USER_RULE = "user_rule"
"""The kind of candidates that are counted by the labelled corrections, apart from all others."""
Verdict = Literal["named", "strict", "repeat", "lenient", "wrong", "neutral", "unplaced"]
"""The best that can be said of a candidate. ``neutral`` lies where readers disagreed and counts neither way;
``repeat`` hits what earlier candidates of its session hit and counts as wrong, as does ``unplaced``, which has no evidence."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One candidate. Lines are 0 where it is unplaced; ``found`` holds for each level the indexes of the learnings it lies in.

    ``chance`` and ``useful_chance`` are those of a strict and of a useful hit at a random place of the session.
    """

    kind: str
    title: str
    first: int
    last: int
    chance: float = 0.0
    useful_chance: float = 0.0
    found: dict[Level, tuple[int, ...]] = field(default_factory=dict[Level, tuple[int, ...]])
    neutral: bool = False
    borderline: bool = False
    """It lies inside what a reader called borderline."""
    repeat: bool = False
    """Each learning that it lies in was hit by an earlier candidate of the session."""
    confidence: str = ""
    """The tier that the detector puts it in."""
    probability: float = 0.0
    """That it is a learning, as the detector says."""

    @property
    def placed(self) -> bool:
        """Whether it has evidence at all."""
        return self.first > 0

    @property
    def verdict(self) -> Verdict:
        """The best that can be said of it."""
        if self.neutral:
            return "neutral"
        if not self.placed:
            return "unplaced"
        if self.repeat:
            return "repeat"
        if self.found["named"]:
            return "named"
        if self.found["strict"]:
            return "strict"
        return "lenient" if self.found["lenient"] else "wrong"

    def hits(self, level: Level) -> tuple[int, ...]:
        """The learnings that count as found by it; none where it is a repeat."""
        return () if self.repeat else self.found[level]

    @property
    def on_borderline(self) -> bool:
        """No strict hit that counts, but inside what a reader called borderline."""
        return self.borderline and not self.hits("strict")


@dataclass(frozen=True, slots=True)
class SessionScore:
    """All candidates of one labelled session, in the order in which they were raised."""

    name: str
    source: str
    learnings: int
    silent: bool
    judged: tuple[Judged, ...] = ()
    missing: bool = False
    """There was no such session to replay: its learnings count as not found."""
    rules: tuple[bool, ...] = ()
    """Of each candidate of kind user_rule, where corrections were labelled: whether it lies at one."""
    rules_wanted: int = 0
    """The labelled corrections."""

    def of_kind(self, kind: str) -> SessionScore:
        """The same session as if nothing but candidates of this kind had been raised."""
        return replace(self, judged=_repeats_marked(each for each in self.judged if each.kind == kind))

    def of(self, confidences: Collection[str]) -> SessionScore:
        """The same session as if nothing but candidates of these confidences had been raised."""
        return replace(self, judged=_repeats_marked(each for each in self.judged if each.confidence in confidences))

    def above(self, probability: float) -> SessionScore:
        """The same session as if nothing less probable had been raised."""
        return replace(self, judged=_repeats_marked(each for each in self.judged if each.probability >= probability))


def judge(label: Label, raised: Sequence[Raised]) -> SessionScore:
    """Judge what was raised in a session, in its order. Candidates of kind user_rule are counted apart."""
    score = scored(label, [judge_one(label, each) for each in raised if each.kind != USER_RULE])
    places = [place for each in raised if each.kind == USER_RULE and (place := span(each))]
    return (
        score
        if label.rules is None
        else replace(score, rules=_rules(places, label.rules), rules_wanted=len(label.rules))
    )


def scored(label: Label, judged: Iterable[Judged]) -> SessionScore:
    """The score of a session whose candidates were judged one by one: what is left is which of them repeat others."""
    return SessionScore(label.name, label.source, len(label.learnings), label.silent, _repeats_marked(judged))


def _rules(places: Sequence[Span], lines: Sequence[int]) -> tuple[bool, ...]:
    return tuple(any(first - SLACK <= line <= last + SLACK for line in lines) for first, last in places)


def missing(label: Label) -> SessionScore:
    """The score of a session that is not there."""
    return SessionScore(label.name, label.source, len(label.learnings), label.silent, missing=True)


def _repeats_marked(judged: Iterable[Judged]) -> tuple[Judged, ...]:
    hit, marked = set[int](), list[Judged]()
    for each in judged:
        strict = each.found["strict"]
        marked.append(replace(each, repeat=bool(strict) and hit.issuperset(strict)))
        hit.update(strict)
    return tuple(marked)


def judge_one(label: Label, raised: Raised) -> Judged:
    """Judge one candidate alone: whether it repeats another is not known yet."""
    place = span(raised)
    if place is None:
        unplaced = Judged(raised.kind, raised.title, 0, 0, found=dict.fromkeys(LEVELS, ()))
        return replace(unplaced, confidence=raised.confidence, probability=raised.probability)
    strict = tuple(i for i, learning in enumerate(label.learnings) if inside(place, learning))
    found: dict[Level, tuple[int, ...]] = {
        "lenient": tuple(i for i, learning in enumerate(label.learnings) if overlaps(place, learning)),
        "strict": strict,
        "named": tuple(i for i in strict if names(raised, label.learnings[i])),
        "told": tuple(i for i in strict if tells(raised.offer, label.learnings[i])),
    }
    return Judged(
        raised.kind,
        raised.title,
        *place,
        chance=chance(place, label.learnings, label.length),
        useful_chance=chance(place, [*label.learnings, *label.remarked], label.length),
        found=found,
        neutral=not strict and any(inside(place, learning) for learning in label.disputed),
        borderline=any(inside(place, remark) for remark in label.remarked),
        confidence=raised.confidence,
        probability=raised.probability,
    )
