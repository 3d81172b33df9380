"""What bears it out: a command and its line of result, or the user who says that it works."""

from __future__ import annotations

import re

from mind_skills.detectors.composing.scene import Scene
from mind_skills.detectors.composing.sentences import cut, line_of
from mind_skills.redaction.lazy_pattern import compile_later

_RESULT = compile_later(
    r"\b\d+ (?:pass|ok\b|success|tests?\b)|\b(?:passed|succeeded|successful|success|ok|clean|up to date|no (?:errors|issues))\b"
    r"|\b0 (?:errors|failed|issues)\b|✓|✔",
    re.IGNORECASE,
)
_LINES = 40
"""Lines at the end of an output in which its result stands."""
_COMMAND, _LINE = 200, 160


def proof(scene: Scene, failed: int | None) -> tuple[int, str]:
    """Index and text of what bears the episode out: the last check that passed, the command that failed and now does not,
    a user who says that it works, or else what ran last; (-1, "") where nothing did.
    """
    line = scene.line
    passed = line.within(line.passes, scene.first if failed is None else failed, scene.last + 1)
    again = [] if failed is None else [i for i in passed if scene.at(i).signature == scene.at(failed).signature]
    approved = [index for index in scene.users if line.asked[index].approves]
    ran = (line.within(line.checks, scene.first, scene.last + 1) or again or [-1])[-1]
    if ran < 0 and approved:
        return approved[-1], cut("the user: " + " ".join(scene.at(approved[-1]).text.split()), _LINE)
    how = "passed" if ran >= 0 else "ran"
    ran = passed[-1] if ran < 0 and passed else ran
    if ran < 0:
        return -1, ""
    one = scene.at(ran)
    said = result(one.text)
    return ran, f"`{cut(line_of(one.command), _COMMAND)}` {how}" + (f": {said}" if said else "")


def result(output: str) -> str:
    """The line of an output that tells its result: the last of those that have a word for it, else the last line."""
    rows = [" ".join(row.split()) for row in output.rstrip().rsplit("\n", _LINES)[-_LINES:]]
    rows = [row for row in rows if row and len(row) <= _LINE]
    return next((row for row in reversed(rows) if _RESULT.search(row)), rows[-1] if rows else "")
