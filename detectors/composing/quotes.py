"""What the agent or the user said of an episode: why it was so, what was done about it, and how its turn ended. Whole sentences."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from mind_skills.detectors.composing.scene import Scene
from mind_skills.detectors.composing.sentences import (
    explains,
    leans,
    plans,
    remedies,
    sentences,
    stands_alone,
    states,
    worth,
)
from mind_skills.detectors.tokens import tokens
from mind_skills.redaction.lazy_pattern import compile_later

LONGEST = 300
"""Characters of a cause, and of what was said of a remedy."""
BETWEEN = " … "
"""Stands between two quotations of a cause."""
QUOTATIONS = 4
"""How many quotations a cause has at most: the best one is told, the others where it repeats a tool."""
REMEDIES = 3
"""How many sentences that say what was done are kept at most, for the same reason."""
_BEHIND, _OUTSIDE, _USER, _THOUGHT, _ALONE, _OPEN, _REPEATED, _JUST_BEFORE = 0.95, 0.8, 0.5, 0.85, 0.9, 0.8, 0.2, 1.6
"""What the weight of a sentence is multiplied by: said just behind the episode, elsewhere in its turn, by the user, in thoughts;
sharing no more than one word with errors, changes and commands; ending in no full stop; repeating a call; and of a remedy, said
just before the command that bears it out.
"""
_NEAR = 12
"""Observations before and behind an episode in which what is said needs no name of it to be about it."""
_ENDS = frozenset(".!?。！？)")
_INSIDE, _DONE_INSIDE = 1.3, 2.0
"""What the weight of a cause and of a remedy is multiplied by that is said within the episode."""
_STORY, _DONE_STORY, _DONE_EPISODE = 1.0, 0.6, 0.3
"""What counts of the words of the turn in a cause and in a remedy, and of those of the episode in a remedy."""
_INTRODUCED, _EXPRESS, _HEADING = 1.5, 1.4, 40
"""What the weight of a sentence is multiplied by that stands behind a heading for it, or that says what it is; characters before it
in which that heading is sought."""
_AHEAD = 2
"""Observations before the episode in which the agent says what it is about to do."""
_CAUSE_FOLLOWS = compile_later(r"(?i)(?:cause|why|problem|issue|bug|culprit|happen(?:s|ed|ing)|wrong)\W{0,6}\Z")
_REMEDY_FOLLOWS = compile_later(r"(?i)(?:fix|fixed|solution|resolution|remedy|changed?|changes|done|did)\W{0,6}\Z")
_NAMES_CAUSE = compile_later(
    r"(?i)\b(?:root cause|culprit|because|turns out|which (?:is why|means|causes?)|so when"
    r"|(?:problem|issue|bug|cause|reason|trigger) (?:is|was|were|lies|here)|without [a-z]{1,30}ing|instead of)\b"
)
_NAMES_REMEDY = compile_later(
    r"(?i)\b(?:(?:the|proper|right|real|correct|simplest|cleanest) fix|fix(?:ed)? (?:is|was|by|via|it|this)"
    r"|now (?:only )?[a-z]{1,30}s|instead|replac(?:ed|es|ing)|switch(?:ed|ing)|so (?:that|it|the)|rather than)\b"
)
_UNDER_WAY = compile_later(r"(?i)(?:I[’']m|I am|My|We[’']re|Now|Next|You|Option)\b")
"""Begins what somebody is at, which says nothing of another episode."""


class Sentence(NamedTuple):
    """``text`` is what was said at ``place``, an index into the observations: one sentence or two that follow each other."""

    place: int
    text: str


def find_causes(scene: Scene, complaint: str) -> tuple[Sentence, ...]:
    """Who says why it was so: quotations by how much they name of what the episode is about, the best first, none of them in
    another or in the ``complaint``; empty where nobody does.
    """
    ranked = _rank(
        scene,
        states,
        lambda words: scene.weigh(words) + _STORY * scene.weigh_in_story(words),
        _CAUSE_FOLLOWS,
        _NAMES_CAUSE,
    )
    chosen: list[Sentence] = []
    covered: frozenset[str] = frozenset()
    room = LONGEST + LONGEST // 2
    while ranked and len(chosen) < QUOTATIONS:
        best = ranked[0][1]
        most = -1.0
        for value, one in ranked:
            adds = value * (1 + scene.weigh(tokens(one.text) - covered))
            if adds > most:
                most, best = adds, one
        chosen.append(best)
        covered |= tokens(best.text)
        room -= len(best.text) + len(BETWEEN)
        taken = set(sentences(best.text))
        ranked = [each for each in ranked if len(each[1].text) <= room and not taken & set(sentences(each[1].text))]
    return tuple(each for each in chosen if each.text not in complaint)


def find_remedies(scene: Scene, done: frozenset[str], proved: int, causes: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Who says what was done, the best first, none of it among the ``causes``: sentences that share most with the words ``done``,
    which the change or the command that passed brought in, or with what the turn changed.

    Within the episode and just before it, or before what bears it out at ``proved``, a plan is one too. Elsewhere in the turn a
    sentence has to share more, the less it looks like a remedy and the further it is from the cause.
    """
    before = scene.line.before(scene.line.said, proved) if proved >= 0 else None
    ahead = scene.line.before(scene.line.said, scene.first)
    begun = scene.first if ahead is None or ahead < scene.first - _AHEAD else ahead

    def weigh(words: frozenset[str]) -> float:
        story = scene.weigh_in_story(words & scene.changed)
        return scene.weigh(words & done) + _DONE_EPISODE * scene.weigh(words) + _DONE_STORY * story

    def value(weight: float, one: Sentence) -> float:
        words = tokens(one.text)
        if one.place == before:
            return weight * _JUST_BEFORE * _DONE_INSIDE
        if begun <= one.place <= scene.last:
            return weight * _DONE_INSIDE if words & (done or scene.concrete) else 0.0
        if plans(one.text) or _UNDER_WAY.match(one.text):
            return 0.0
        looks = words & done or one.place == (causes[0].place if causes else None) or _NAMES_REMEDY.search(one.text)
        return weight if len(words & scene.changed) > (1 if looks else 2) else 0.0

    ranked = [
        (value(weight, one), one)
        for weight, one in _rank(scene, remedies, weigh, _REMEDY_FOLLOWS, _NAMES_REMEDY, before)
        if not any(one.text in each.text for each in causes)
    ]
    chosen: list[Sentence] = []
    for worth_of_it, one in sorted(ranked, key=lambda pair: -pair[0]):
        if worth_of_it > 0 and not any(one.text in each.text or each.text in one.text for each in chosen):
            chosen.append(one)
    return tuple(chosen[:REMEDIES])


def find_closing(scene: Scene, known: tuple[Sentence, ...], longest: int) -> Sentence | None:
    """What the turn's last words add to what is ``known``: the sentence that shares most with errors and changes, a name of
    theirs among it, in at most ``longest`` characters.
    """
    if scene.closing is None:
        return None
    said = " ".join(each.text for each in known)
    covered = tokens(said)
    best: tuple[float, Sentence | None] = (0.0, None)
    for text in sentences(scene.at(scene.closing).text):
        words = tokens(text)
        if text in said or len(text) > longest or not stands_alone(text) or not words & scene.named:
            continue
        value = worth(text) * scene.weigh(words - covered)
        if value > best[0]:
            best = value, Sentence(scene.closing, text)
    return best[1]


def _spoken(scene: Scene) -> list[int]:
    closing = [scene.closing] if scene.closing is not None else []
    opening = scene.line.turn(scene.first) if scene.complained else None
    closing += [opening] if opening is not None else []
    return sorted(
        {*scene.said, *scene.beside, *closing, *(index for index in scene.users if not scene.line.asked[index].plan)}
    )


def _rank(
    scene: Scene,
    fits: Callable[[str], bool],
    weigh: Callable[[frozenset[str]], float],
    heading: re.Pattern[str],
    express: re.Pattern[str],
    trusted: int | None = None,
) -> list[tuple[float, Sentence]]:
    """What was said of the episode that ``fits``, with its weight: what shares words with its errors, changes and commands; of the
    ``trusted`` place also what shares none. More, where it stands behind a ``heading`` or is ``express``.
    """
    found: list[tuple[float, Sentence]] = []
    behind = scene.line.after(scene.line.said, scene.last)
    for place in _spoken(scene):
        one = scene.at(place)
        factor = _INSIDE if scene.first <= place <= scene.last else _BEHIND if place == behind else _OUTSIDE
        factor *= _USER if one.kind == "user" else _THOUGHT if one.kind == "thinking" else 1.0
        for quotation in _quotations(sentences(one.text), fits):
            words = tokens(quotation)
            shared = len(words & scene.concrete)
            if len(quotation) > LONGEST or not (place == trusted or _is_about(scene, place, quotation, words)):
                continue
            value = factor * worth(quotation) * (weigh(words) + (place == trusted)) / math.sqrt(len(quotation))
            value *= (1.0 if shared > 1 else _ALONE) * (1.0 if quotation[-1] in _ENDS else _OPEN)
            value *= _INTRODUCED if heading.search(_before(one.text, quotation)) else 1.0
            value *= _EXPRESS if express.search(quotation) else 1.0
            value *= _REPEATED if scene.is_printed(quotation) else 1.0
            if value > 0:
                found.append((value, Sentence(place, quotation)))
    return found


def _before(text: str, sentence: str) -> str:
    """What a statement says just before one of its sentences, whose first letter may have been made a capital."""
    at = text.find(sentence[1:_HEADING])
    return text[max(0, at - _HEADING) : at - 1] if at > 0 else ""


def _quotations(said: Sequence[str], fits: Callable[[str], bool]) -> Iterator[str]:
    """The sentences that fit, alone and with the next one where that leans on them."""
    for text, following in pairwise((*said, "")):
        if not fits(text):
            continue
        yield text
        if leans(following) and text[-1] in _ENDS and following[-1] != ":":
            yield f"{text} {following}"


def _is_about(scene: Scene, place: int, quotation: str, words: frozenset[str]) -> bool:
    """Whether what is said at a place is about the episode: in it or beside it where it shares a word with it or says how something
    comes about, further away where it shares more, with it or with what its turn changed, and says that or what was done. What the
    user asked when the turn began is about it where it shares words with what was changed.
    """
    shared = len(words & scene.concrete)
    if scene.at(place).kind == "user" and place not in scene.users and len(words & scene.changed) < 2:
        return False
    if scene.first <= place <= scene.last or place in (
        scene.line.before(scene.line.said, scene.first),
        scene.line.after(scene.line.said, scene.last),
    ):
        return bool(shared or words & scene.names) or explains(quotation)
    if not (explains(quotation) or remedies(quotation)):
        return False
    near = scene.first - _NEAR <= place <= scene.last + _NEAR
    return len(words & scene.changed) > 1 or (shared > 0 and (shared > 1 or near or bool(words & scene.named)))
