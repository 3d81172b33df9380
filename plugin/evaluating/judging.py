"""One session's candidates against its label: a verdict for each, and what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from mind_skills.plugin.evaluating.labels import Label
from mind_skills.plugin.evaluating.placing import Raised, chance, inside, names, overlaps, span

Level = Literal["lenient", "strict", "named"]
LEVELS: tuple[Level, ...] = ("strict", "named", "lenient")
"""In the order in which they are printed; each named hit is a strict one."""
Verdict = Literal["named", "strict", "lenient", "wrong", "neutral", "unplaced"]
"""The best that can be said of a candidate. ``neutral`` lies where readers disagreed and counts neither way;
``unplaced`` has no evidence and counts as wrong."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One candidate. Lines are 0 where it is unplaced; ``found`` holds for each level the indexes of the learnings it hits."""

    kind: str
    title: str
    first: int
    last: int
    chance: float = 0.0
    found: dict[Level, tuple[int, ...]] = field(default_factory=dict[Level, tuple[int, ...]])
    neutral: bool = False

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
        if self.found["named"]:
            return "named"
        if self.found["strict"]:
            return "strict"
        return "lenient" if self.found["lenient"] else "wrong"


@dataclass(frozen=True, slots=True)
class SessionScore:
    """All candidates of one labelled session, in the order in which they were raised."""

    name: str
    learnings: int
    silent: bool
    judged: tuple[Judged, ...] = ()
    missing: bool = False
    """There was no such session to replay: its learnings count as not found."""

    def of_kind(self, kind: str) -> SessionScore:
        """The same session as if one detector alone had looked at it."""
        kept = tuple(each for each in self.judged if each.kind == kind)
        return SessionScore(self.name, self.learnings, self.silent, kept, self.missing)


def judge(label: Label, raised: Sequence[Raised]) -> SessionScore:
    """Judge what was raised in a session."""
    return SessionScore(label.name, len(label.learnings), label.silent, tuple(_judge(label, each) for each in raised))


def missing(label: Label) -> SessionScore:
    """The score of a session that is not there."""
    return SessionScore(label.name, len(label.learnings), label.silent, missing=True)


def _judge(label: Label, raised: Raised) -> Judged:
    place = span(raised)
    if place is None:
        return Judged(raised.kind, raised.title, 0, 0, found=dict.fromkeys(LEVELS, ()))
    strict = tuple(i for i, learning in enumerate(label.learnings) if inside(place, learning))
    found: dict[Level, tuple[int, ...]] = {
        "lenient": tuple(i for i, learning in enumerate(label.learnings) if overlaps(place, learning)),
        "strict": strict,
        "named": tuple(i for i in strict if names(raised, label.learnings[i])),
    }
    neutral = not strict and any(inside(place, learning) for learning in label.disputed)
    return Judged(raised.kind, raised.title, *place, chance(place, label), found, neutral)
