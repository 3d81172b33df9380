"""Why it was wrong, in somebody's words, and what the turn said at its end."""

from __future__ import annotations

from typing import NamedTuple

from mind_skills.detectors.composing.scene import Scene
from mind_skills.detectors.composing.sentences import sentences, stands_alone, worth
from mind_skills.detectors.tokens import tokens

LONGEST = 230
"""Characters of a cause: a sentence, with the next one where both fit."""
_SHARED = 2
"""Words that a sentence must share with errors, changes and commands to be about them."""


class Quote(NamedTuple):
    """``text`` is what was said at ``index``, whole sentences of it in their order."""

    index: int
    text: str


def cause(scene: Scene) -> Quote | None:
    """The sentence that names most of what the episode is about, of those that can stand alone; None where none can."""
    spoken = scene.said + [index for index in scene.users if not scene.line.asked[index].plan]
    return _best(scene, sorted(spoken), frozenset())


def closing(scene: Scene, known: str) -> Quote | None:
    """What the turn's last words add: a sentence that shares a name with errors or changes and is not ``known`` already."""
    line = scene.line
    index = line.after(line.closing, scene.last - 1)
    if index is None or index >= line.turn_end(scene.last):
        return None
    return _best(scene, [index], tokens(known), known)


def _best(scene: Scene, places: list[int], covered: frozenset[str], known: str = "") -> Quote | None:
    best: tuple[float, int, int] | None = None
    for index in places:
        for number, sentence in enumerate(sentences(scene.at(index).text)):
            words = tokens(sentence)
            if len(words & scene.concrete) < _SHARED or sentence in known or not stands_alone(sentence):
                continue
            room = min(1.0, LONGEST / len(sentence))
            value = scene.weigh(words - covered) * worth(sentence) * room
            if best is None or value > best[0]:
                best = value, index, number
    if best is None:
        return None
    _, index, number = best
    said = sentences(scene.at(index).text)
    text = said[number]
    if number + 1 < len(said) and len(text) + len(said[number + 1]) < LONGEST and worth(said[number + 1]) > 0.5:
        text = f"{text} {said[number + 1]}"
    return Quote(index, text)
