"""What the agent or the user said of an episode: why it was so, what was done about it, and how its turn ended. Whole sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from mind_skills.detectors.composing.scene import Scene
from mind_skills.detectors.composing.sentences import (
    explains,
    leans,
    remedies,
    sentences,
    stands_alone,
    states,
    worth,
)
from mind_skills.detectors.tokens import tokens

LONGEST = 300
"""Characters of a cause, and of what was said of a remedy."""
BETWEEN = " … "
"""Stands between two quotations of a cause."""
QUOTATIONS = 4
"""How many quotations a cause has at most: the best one is told, the others where it repeats a tool."""
_BEHIND, _OUTSIDE, _USER, _THOUGHT, _ALONE, _OPEN, _REPEATED, _JUST_BEFORE = 0.95, 0.8, 0.5, 0.85, 0.9, 0.8, 0.2, 1.6
"""What the weight of a sentence is multiplied by: said just behind the episode, elsewhere in its turn, by the user, in thoughts;
sharing no more than one word with errors, changes and commands; ending in no full stop; repeating a call; and of a remedy, said
just before the command that bears it out.
"""
_NEAR = 12
"""Observations before and behind an episode in which what is said needs no name of it to be about it."""
_ENDS = frozenset(".!?。！？)")


class Sentence(NamedTuple):
    """``text`` is what was said at ``place``, an index into the observations: one sentence or two that follow each other."""

    place: int
    text: str


def find_causes(scene: Scene, complaint: str) -> tuple[Sentence, ...]:
    """Who says why it was so: quotations by how much they name of what the episode is about, the best first, none of them in
    another or in the ``complaint``; empty where nobody does.
    """
    ranked = _rank(scene, states, scene.weigh)
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


def find_remedy(scene: Scene, done: frozenset[str], proved: int, known: Iterable[Sentence]) -> Sentence | None:
    """Who says what was done: the sentence that shares most with the words ``done``, which the change or the command that passed
    brought in (without any with the errors and commands), or was said just before what bears it out; None where nobody says it.
    """
    said = [each.text for each in known]
    before = scene.line.before(scene.line.said, proved) if proved >= 0 else None
    best: tuple[float, Sentence | None] = (0.0, None)
    ranked = _rank(scene, remedies, lambda words: scene.weigh(words & done) + 0.3 * scene.weigh(words), before)
    for value, one in ranked:
        tells = one.place == before or tokens(one.text) & (done or scene.concrete)
        if not tells or any(one.text in other for other in said):
            continue
        best = max(best, (value * (_JUST_BEFORE if one.place == before else 1.0), one), key=lambda pair: pair[0])
    return best[1]


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
    trusted: int | None = None,
) -> list[tuple[float, Sentence]]:
    """What was said of the episode that ``fits``, with its weight: what shares words with its errors, changes and commands; of the
    ``trusted`` place also what shares none.
    """
    found: list[tuple[float, Sentence]] = []
    behind = scene.line.after(scene.line.said, scene.last)
    for place in _spoken(scene):
        one = scene.at(place)
        factor = 1.0 if scene.first <= place <= scene.last else _BEHIND if place == behind else _OUTSIDE
        factor *= _USER if one.kind == "user" else _THOUGHT if one.kind == "thinking" else 1.0
        for quotation in _quotations(sentences(one.text), fits):
            words = tokens(quotation)
            shared = len(words & scene.concrete)
            if len(quotation) > LONGEST or not (place == trusted or _is_about(scene, place, quotation, words)):
                continue
            value = factor * worth(quotation) * (weigh(words) + (place == trusted)) / math.sqrt(len(quotation))
            value *= (1.0 if shared > 1 else _ALONE) * (1.0 if quotation[-1] in _ENDS else _OPEN)
            value *= _REPEATED if scene.is_printed(quotation) else 1.0
            if value > 0:
                found.append((value, Sentence(place, quotation)))
    return found


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
    comes about, further away where it shares more and says that or what was done.
    """
    shared = len(words & scene.concrete)
    if scene.first <= place <= scene.last or place in (
        scene.line.before(scene.line.said, scene.first),
        scene.line.after(scene.line.said, scene.last),
    ):
        return bool(shared or words & scene.names) or explains(quotation)
    near = scene.first - _NEAR <= place <= scene.last + _NEAR
    telling = explains(quotation) or remedies(quotation)
    return telling and shared > 0 and (shared > 1 or near or bool(words & scene.named))
