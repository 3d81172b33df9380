"""What bears it out: a command and its line of result, or the user who says that it works."""

from __future__ import annotations

import re

from mind_skills.detectors.composing.scene import Scene
from mind_skills.detectors.composing.sentences import cut

_RESULT = re.compile(
    r"\b\d+ (?:pass|ok\b|success|tests?\b)|\b(?:passed|succeeded|successful|success|ok|clean|up to date|no (?:errors|issues)|0 (?:errors|failed"
    r"|issues))\b|✓|✔",
    re.IGNORECASE,
)
_LINES = 40
"""Lines at the end of an output in which its result stands."""
_COMMAND, _LINE = 200, 160


def proof(scene: Scene) -> tuple[int, str]:
    """Index and text of what the episode ends with that passed; (-1, "") where nothing did."""
    line = scene.line
    passed = line.within(line.passes, scene.first, scene.last + 1)
    checked = line.within(line.checks, scene.first, scene.last + 1)
    ran = checked[-1] if checked else passed[-1] if passed else -1
    if ran >= 0:
        one = scene.at(ran)
        command = cut(" ".join(one.command.split()), _COMMAND)
        said = result(one.text)
        return ran, f"`{command}` passed" + (f": {said}" if said else "")
    approved = [index for index in scene.users if line.asked[index].approves]
    if approved:
        return approved[-1], cut("the user: " + " ".join(scene.at(approved[-1]).text.split()), _LINE)
    return -1, ""


def result(output: str) -> str:
    """The line of an output that tells its result: the last of those that have a word for it, else the last line."""
    rows = [" ".join(row.split()) for row in output.rstrip().rsplit("\n", _LINES)[-_LINES:]]
    rows = [row for row in rows if row and len(row) <= _LINE]
    return next((row for row in reversed(rows) if _RESULT.search(row)), rows[-1] if rows else "")
