"""Why it was wrong, in somebody's words, and what the turn said at its end: whole sentences, no more than that."""

from __future__ import annotations

from typing import NamedTuple

from mind_skills.detectors.composing.scene import Scene
from mind_skills.detectors.composing.sentences import asks, instructs, plans, sentences, stands_alone, worth
from mind_skills.detectors.tokens import tokens

LONGEST, SENTENCES, STATEMENTS = 360, 4, 2
"""Characters of a cause, how many sentences it has at most, and of how many statements they may be."""
BETWEEN = " … "
_OUTSIDE, _USER, _THOUGHT = 0.9, 0.9, 0.8
"""What is said just before or behind an episode, by the user, or in thoughts weighs that much of what is said in it."""


class Sentence(NamedTuple):
    """``text`` is what was said at ``place``, an index into the observations."""

    place: int
    text: str


def cause(scene: Scene, known: str) -> tuple[Sentence, ...]:
    """The sentences that name most of what the episode is about, each beside those before it, the best first; empty without any.

    What the user complained of is ``known`` already. The first stands alone where one does, and is of the episode where one
    is; the others may be of the statement before it, or of the next behind it.
    """
    line = scene.line
    spoken = [*scene.said, *(index for index in scene.users if not line.asked[index].plan)]
    offered = [each for index in sorted({*spoken, *scene.beside}) for each in _offered(scene, index)]
    offered = [each for each in offered if each[0].text not in known]
    alone = [each for each in offered if stands_alone(each[0].text)]
    within = [each for each in alone if scene.first <= each[0].place <= scene.last]
    return _covering(scene, within or alone, offered)


def closing(scene: Scene, known: tuple[Sentence, ...], longest: int) -> Sentence | None:
    """What the turn's last words add to what is ``known``: the sentence that shares most with errors and changes, a name of
    theirs among it, in at most ``longest`` characters.
    """
    if scene.closing is None:
        return None
    said = {each.text for each in known}
    covered = frozenset[str]().union(*(tokens(text) for text in said))
    best: tuple[float, Sentence | None] = (0.0, None)
    for sentence, words, value in _offered(scene, scene.closing):
        if sentence.text in said or len(sentence.text) > longest or not stands_alone(sentence.text):
            continue
        if not words & scene.named:
            continue
        found = value * scene.weigh(words - covered)
        if found > best[0]:
            best = found, sentence
    return best[1]


def _offered(scene: Scene, index: int) -> list[tuple[Sentence, frozenset[str], float]]:
    """The sentences of a statement, but for plans, questions and headings, with their words, and what their weight is multiplied by."""
    one = scene.at(index)
    factor = 1.0 if scene.first <= index <= scene.last else _OUTSIDE
    factor *= _USER if one.kind == "user" else _THOUGHT if one.kind == "thinking" else 1.0
    found: list[tuple[Sentence, frozenset[str], float]] = []
    for text in sentences(one.text):
        words = tokens(text)
        if not (plans(text) or instructs(text) or asks(text) or text[-1] == ":"):
            found.append((Sentence(index, text), words, factor * worth(text)))
    return found


def _covering(
    scene: Scene,
    first: list[tuple[Sentence, frozenset[str], float]],
    offered: list[tuple[Sentence, frozenset[str], float]],
) -> tuple[Sentence, ...]:
    """Sentences that together name most, one after the other by what they add; the first of ``first`` where it has any."""
    kept: list[Sentence] = []
    covered: frozenset[str] = frozenset()
    room, among = LONGEST, first or offered
    while len(kept) < SENTENCES:
        best: tuple[float, Sentence, frozenset[str]] | None = None
        for one, words, factor in among:
            if kept and (len(one.text) > room or not _joins(one, kept)):
                continue
            value = scene.weigh(words - covered) * factor * min(1.0, room / len(one.text)) / len(one.text) ** 0.5
            if value > (best[0] if best else 0.0):
                best = value, one, words
        if best is None:
            break
        kept.append(best[1])
        covered |= best[2]
        room -= len(best[1].text) + len(BETWEEN)
        among = offered
    return tuple(kept)


def _joins(one: Sentence, kept: list[Sentence]) -> bool:
    """Whether a sentence is another one, and of no more statements than a cause may be of."""
    return (
        all(one.text != each.text for each in kept) and len({one.place, *(each.place for each in kept)}) <= STATEMENTS
    )
