"""What the agent or the user said of an episode: why it was so, what was done about it, and how its turn ended. Whole sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from mind_skills.detectors.composing.scene import Scene
from mind_skills.detectors.composing.sentences import (
    asks,
    explains,
    instructs,
    leans,
    plans,
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
_BEHIND, _OUTSIDE, _USER, _THOUGHT, _ALONE, _OPEN, _JUST_BEFORE = 0.95, 0.8, 0.5, 0.85, 0.9, 0.8, 1.6
"""What is said just behind an episode, elsewhere in its turn, by the user, or in thoughts weighs that much of what is said in it; and what
shares no more than one word with its errors, changes and commands; a sentence that ends in no full stop; and of a remedy what was
said just before the command that bears it out.
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
    ranked = _rank(scene, _spoken(scene), states, scene.weigh)
    chosen: list[Sentence] = []
    covered, room = frozenset[str](), LONGEST + LONGEST // 2
    while ranked and len(chosen) < QUOTATIONS:
        best = max(ranked, key=lambda pair: pair[0] * (1 + scene.weigh(tokens(pair[1].text) - covered)))[1]
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
    for value, one in _rank(
        scene, _spoken(scene), remedies, lambda words: scene.weigh(words & done) + 0.3 * scene.weigh(words), before
    ):
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
    opening = scene.line.turn(scene.first) if scene.told_of else None
    closing += [opening] if opening is not None else []
    return sorted(
        {*scene.said, *scene.beside, *closing, *(index for index in scene.users if not scene.line.asked[index].plan)}
    )


def _rank(
    scene: Scene,
    places: Iterable[int],
    fits: Callable[[str], bool],
    weigh: Callable[[frozenset[str]], float],
    trusted: int | None = None,
) -> list[tuple[float, Sentence]]:
    """The quotations that ``fits`` and that share words with errors, changes or commands, with their weights; of the ``trusted``
    place also those that share none.
    """
    found: list[tuple[float, Sentence]] = []
    next_to = (scene.line.before(scene.line.said, scene.first), scene.line.after(scene.line.said, scene.last))
    for place in places:
        one = scene.at(place)
        inside = place in next_to or scene.first <= place <= scene.last
        near = scene.first - _NEAR <= place <= scene.last + _NEAR
        factor = 1.0 if scene.first <= place <= scene.last else _BEHIND if inside and place > scene.last else _OUTSIDE
        factor *= _USER if one.kind == "user" else _THOUGHT if one.kind == "thinking" else 1.0
        said = sentences(one.text)
        for number, text in enumerate(said):
            if not fits(text):
                continue
            following = said[number + 1] if number + 1 < len(said) else ""
            both = f"{text} {following}"
            wider = (
                leans(following)
                and text[-1] in _ENDS
                and not (plans(following) or instructs(following) or asks(following) or following[-1] == ":")
            )
            for quotation in (text, both) if wider else (text,):
                words = tokens(quotation)
                shared = len(words & scene.concrete)
                if not inside and shared < 2 and not near and not words & scene.named:
                    continue
                if (
                    (not shared and place != trusted and not inside)
                    or len(quotation) > LONGEST
                    or scene.is_printed(quotation)
                ):
                    continue
                if fits is states and not explains(text) and not inside:
                    continue
                ended = 1.0 if quotation[-1] in _ENDS else _OPEN
                value = (
                    ended
                    * factor
                    * worth(text)
                    * (weigh(words) + (place == trusted))
                    / len(quotation) ** 0.5
                    * (1.0 if shared > 1 else _ALONE)
                )
                if value > 0:
                    found.append((value, Sentence(place, quotation)))
    return found
