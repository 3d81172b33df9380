"""What was wrong: the error line that says most of the episode, else what the user pasted or complained of."""

from __future__ import annotations

from mind_skills.detectors import noise
from mind_skills.detectors.composing.scene import Scene, telling
from mind_skills.detectors.composing.sentences import sentences
from mind_skills.detectors.tokens import names, tokens
from mind_skills.observations.errors import pasted_error
from mind_skills.redaction.lazy_pattern import compile_later

_STAMP = compile_later(
    r"(?:(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]?[\d:.,]*(?:Z|[+-]\d\d:?\d\d)?\]?|\[?\d\d:\d\d:\d\d[\d.,]*\]?"
    r"|E(?=\s)|\[\w+\]|[✘✗×✖]|--- FAIL:)\s+)+"
)
_PLACE = compile_later(r"(?:[\w@~.+-]*/)*[\w@.+-]+\.\w{1,5}(?::\d+|\(\d+,\d+\)){1,2}:?\s*(?:-\s+)?(?=\S)")
"""File, line and column that an error begins with: where it stands changes, what it says does not."""
_COMPLAINT = 240
"""Characters of a complaint that are kept, by whole sentences."""


def failure(scene: Scene) -> int | None:
    """The failed call whose error says most: no usage, slip or runner's line while there is another; None without errors."""
    best: tuple[tuple[bool, float, int], int] | None = None
    for index in scene.failures:
        one = scene.at(index)
        error = telling(one)
        if not error or error in one.command:
            continue
        plain = not (noise.usage_error(one) or noise.slip(one))
        rank = (plain, scene.weigh(scene.line.tokens(index) & tokens(error)) + names(error), -index)
        if best is None or rank > best[0]:
            best = rank, index
    return best[1] if best else None


def error(scene: Scene, index: int) -> str:
    """The error of a failed call, without the place and the time that it begins with; where it ends in a colon, with the line
    behind it.
    """
    one = scene.at(index)
    line = bare(one.error)
    if line.endswith(":"):
        after = one.text.partition(one.error)[2].lstrip("\n")
        line = f"{line} {' '.join(after.partition(chr(10))[0].split())}".strip()
    return line


def complaint(scene: Scene, index: int) -> str:
    """What a user said that was wrong: an error that was pasted, else the sentences that name most, in their order."""
    text = scene.at(index).text
    if pasted := pasted_error(text):
        return bare(pasted)
    said = sentences(text)[:20]
    if not said:
        return " ".join(text.split()) if len(text) <= _COMPLAINT else ""
    best = max(range(len(said)), key=lambda number: (scene.weight(said[number]), -number))
    kept = said[best]
    for following in said[best + 1 : best + 3]:
        if len(kept) + len(following) < _COMPLAINT:
            kept = f"{kept} {following}"
    return kept


def asked(scene: Scene) -> int | None:
    """The message of the user that the episode answers: the first within it, else the one that its turn began with; None
    where that says nothing of a problem.
    """
    line = scene.line
    within = [index for index in scene.users if _complains(scene, index)]
    if within:
        return within[0]
    turn = line.turn(scene.first)
    return turn if turn is not None and _complains(scene, turn) else None


def _complains(scene: Scene, index: int) -> bool:
    said = scene.line.asked[index]
    return said.pasted or said.broken or said.denies or said.why


def bare(error: str) -> str:
    rest = _STAMP.sub("", error, count=1) if _STAMP.match(error) else error
    place = _PLACE.match(rest)
    return " ".join((rest[place.end() :] if place and len(rest) - place.end() > 12 else rest).split())
