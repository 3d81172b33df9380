"""What was wrong: the error line that says most of the episode, else what the user pasted or complained of."""

from __future__ import annotations

import math

from mind_skills.detectors import noise
from mind_skills.detectors.composing.scene import Scene, complains, telling
from mind_skills.detectors.composing.sentences import instructs, sentences
from mind_skills.detectors.tokens import names, tokens
from mind_skills.detectors.words import BROKEN, holds
from mind_skills.observations.errors import names_nothing, pasted_error
from mind_skills.redaction.lazy_pattern import compile_later

_STAMP = compile_later(
    r"(?:(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]?[\d:.,]*(?:Z|[+-]\d\d:?\d\d)?\]?|\[?\d\d:\d\d:\d\d[\d.,]*\]?"
    r"|E(?=\s)|\[\w+\]|[✘✗×✖]|--- FAIL:)\s+)+"
)
_PLACE = compile_later(r"(?:[\w@~.+-]*[/\\])*[\w@.+-]+\.\w{1,5}(?::\d+|\(\d+,\d+\)){1,2}:?\s*(?:-\s+)?(?=\S)")
"""File, line and column that an error begins with: where it stands changes, what it says does not."""
_ERROR = compile_later(
    r"[Ee]rror\b|ERR(?:OR)?\b|Exception\b|\b(?:[Cc]annot|[Cc]ould not|[Uu]nable to|[Ff]ailed to|[Nn]ot found|No such"
    r"|[Uu]nknown|[Uu]nexpected"
    r"|[Uu]nrecognized|[Uu]ndefined|[Ii]nvalid|[Dd]enied|not permitted|[Rr]efused|[Mm]issing|[Ee]xpected|doesn't"
    r"|does not|is not|no longer"
    r"|[Tt]imed? ?out|panic:|fatal:|FAIL:?)(?=\W|$)"
)
_MESSAGE = compile_later(r"\"(?:message|error|detail|msg)\" ?: ?\"([^\"\n]{8,200})\"")
"""What an error in JSON says."""
_NOTHING = compile_later(
    r"(?i)\bno \w+ (?:files? )?(?:were )?(?:found|ran|to run|matched|collected)|\b(?:0|no) tests?\b|nothing"
)
_UNTELLING = compile_later(
    r"^\s*[{\[\"]|\+0x[0-9a-f]|^\s*(?:at |File \"|goroutine )|^\W*Failed \w+ \d+\W*$"
    r"|^\W*\d{1,2}:\d\d(?::\d\d)?\W*(?:[ap]\.?m\.?)?\W*$"
    r"|^\W*$|[\u2500-\u259f\u23af]{3}"
)
"""Rows that say where something was, how much of it, or when."""
_ROWS, _LONGEST_ROW = 60, 240
"""Rows at either end of an output that are looked at, and characters of one."""
_TIME = compile_later(r"\(\d+(?:\.\d+)? ?m?s\)\W*\Z")
_STATED, _TIMED = 1.5, 0.3
"""What the weight of the row that only names a test and how long it took is multiplied by; before it, of the row that the reader
of the log took for the error."""
_BROKEN = 2.0
"""What the weight of a sentence is multiplied by that says that something does not work."""
_COMPLAINT = 240
"""Characters of a complaint that are kept, by whole sentences."""


def find_failure(scene: Scene) -> int | None:
    """The failed call whose error says most: no usage, slip or runner's line while there is another; else a check that found
    nothing to run; None without either.
    """
    best: tuple[tuple[bool, float, int], int] | None = None
    for index in scene.failures:
        one = scene.at(index)
        error = telling(one)
        if not error or error in one.command:
            continue
        plain = not is_slip(scene, index)
        rank = (plain, scene.weigh(scene.line.tokens(index) & tokens(error)) + names(error), -index)
        if best is None or rank > best[0]:
            best = rank, index
    if best is not None:
        return best[1]
    return next((index for index in scene.runs if scene.at(index).outcome == "nothing"), None)


def is_slip(scene: Scene, index: int) -> bool:
    """Whether a call failed for how it was made."""
    return bool(noise.usage_error(scene.at(index)) or noise.slip(scene.at(index)))


def find_error(scene: Scene, index: int) -> str:
    """The row of a failed call's output that says most of the episode, without the place and the time that it begins with; where it
    ends in a colon, with the row behind it. Empty where each only says that something failed, or where.
    """
    one = scene.at(index)
    rows = one.text.split("\n")
    rows = [*rows[:_ROWS], *rows[max(_ROWS, len(rows) - _ROWS) :]]
    best: tuple[float, str] = (0.0, "")
    sign = _NOTHING if one.outcome == "nothing" else _ERROR
    rows += [found[1] for found in _MESSAGE.finditer(one.text)]
    for row in dict.fromkeys([one.error, *rows]):
        if not row or len(row) > _LONGEST_ROW or _UNTELLING.search(row) or names_nothing(row.strip()):
            continue
        if row != one.error and not sign.search(row):
            continue
        prior = (_STATED if row == one.error else 1.0) * (_TIMED if _TIME.search(row) else 1.0)
        value = prior * (1 + scene.weigh(tokens(row)) + names(row)) / (20 + len(row)) ** 0.5
        if value > best[0]:
            best = value, row
    line = bare(best[1])
    if line.endswith(":"):
        after = one.text.partition(best[1])[2].lstrip("\n")
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
    told = [each for each in said if each[-1] != ":" and not instructs(each)]

    def value(each: str) -> float:
        broken = _BROKEN if holds(each.lower(), BROKEN) else 1.0
        return (1 + scene.weight(each)) * broken / math.sqrt(len(each))

    return max(told or said, key=value)


def asked(scene: Scene) -> int | None:
    """The message of the user that the episode answers: the first within it, else the one that its turn began with; None
    where that says nothing of a problem.
    """
    line = scene.line
    within = [index for index in scene.users if complains(line, index)]
    if within:
        return within[0]
    turn = line.turn(scene.first)
    return turn if turn is not None and complains(line, turn) else None


def bare(error: str) -> str:
    rest = _STAMP.sub("", error, count=1) if _STAMP.match(error) else error
    place = _PLACE.match(rest)
    return " ".join((rest[place.end() :] if place and len(rest) - place.end() > 12 else rest).split())
