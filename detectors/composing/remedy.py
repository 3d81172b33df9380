"""What was done about it: the pair of rows that a change removed and added, or the command that passed instead."""

from __future__ import annotations

from itertools import islice

from mind_skills.detectors.composing.scene import Scene
from mind_skills.detectors.composing.sentences import line_of
from mind_skills.detectors.tokens import tokens
from mind_skills.redaction.lazy_pattern import compile_later

_ROW, _WHOLE, _COMMAND = 160, 300, 480
"""Characters of a row, of a change and of a command: what is longer is not cut but passed over."""
_ROWS = 400
_BESIDE = compile_later(
    r"//|#(?!\[|include|define|if)|/?\*|<!--|-- |- |\"\"\"|'''|@test\b|(?:async )?def test_|func Test|it\(|test\("
    r"|describe\("
)
_PIPE = compile_later(r"\s*(?:\|(?!\|)|\d?>)")
_ASIDE = compile_later(r"\.(?:md|mdx|rst|txt|adoc)(?:\s|\Z)|(?:^|[/\\_.-])(?:tests?|specs?|fixtures)[/\\_.-]")
"""Rows that say what was done and do not do it: comments, lists, headings of tests; documents and tests."""


_SCRATCH = compile_later(r"(?i)(?:^|[/\\\\])(?:te?mp|scratch\w*)[/\\\\]")
"""Files that are thrown away."""


def find_change(scene: Scene, places: list[int], about: frozenset[str]) -> tuple[int, str]:
    """Index and text of that of the changes at ``places`` that shares most with what symptom and cause are ``about``; (-1, "")
    without one.
    """
    best: tuple[float, int, str] = (-1.0, -1, "")
    for index in places:
        if _SCRATCH.search(" ".join(scene.at(index).files)):
            continue
        for removed, added in _pairs(scene.at(index).change):
            if _BESIDE.match(added or removed):
                continue
            words = tokens(f"{removed} {added}")
            value = scene.weigh(words) + 2 * scene.weigh(words & about) + bool(removed and added)
            value *= 0.5 if _ASIDE.search(" ".join(scene.at(index).files)) else 1.0
            text = f"{removed} -> {added}" if removed and added else added or f"without {removed}"
            if value > best[0] and len(text) <= _WHOLE:
                best = value, index, text
    return best[1], best[2]


def _pairs(diff: str) -> list[tuple[str, str]]:
    """Rows that were removed with the rows that took their place, one by one; of a row alone the other is empty."""
    found: list[tuple[str, str]] = []
    removed: list[str] = []
    added: list[str] = []

    def close() -> None:
        longer = max(len(removed), len(added))
        gone, come = (rows + [""] * (longer - len(rows)) for rows in (removed, added))
        found.extend(pair for pair in zip(gone, come, strict=True) if any(pair) and pair[0] != pair[1])
        removed.clear()
        added.clear()

    for row in islice(diff.split("\n"), _ROWS):
        sign, text = row[:1], " ".join(row[1:].split())
        if not text or len(text) > _ROW:
            continue
        if sign == "-":
            if added:
                close()
            removed.append(text)
        elif sign == "+":
            added.append(text)
        else:
            close()
    close()
    return found


def brought_in(change: str) -> str:
    """What a change brought in: the words of the row that took another's place, and those that it lacked."""
    removed, sign, come = change.rpartition(" -> ")
    if not sign:
        return change
    return " ".join(word for word in come.split() if word not in removed.split()) or come


def _unpiped(command: str) -> str:
    """A command without what its output goes to."""
    return _PIPE.split(command, maxsplit=1)[0]


def find_command(scene: Scene, failed: int | None) -> tuple[int, str, frozenset[str]]:
    """Index and text of the command that passed after the failed one and shares most with it and its error, the later of two, and
    the words in which they differ; (-1, "") where it is the same, or nothing failed.
    """
    if failed is None:
        return -1, "", frozenset()
    line = scene.line
    before, about = line_of(scene.at(failed).command), line.tokens(failed)
    best: tuple[float, int, str] = (0.0, -1, "")
    for index in line.within(line.passes, failed, scene.last + 1):
        text = line_of(scene.at(index).command)
        if scene.at(index).action in ("read", "search") and scene.at(index).action != scene.at(failed).action:
            continue  # a look at something helps nothing, unless it was a look that failed
        value = scene.weigh(tokens(text) & about)
        if value > 0 and value >= best[0] and len(text) <= _COMMAND and _unpiped(text) != _unpiped(before):
            best = value, index, text
    differ = set(before.split()) ^ set(best[2].split()) if best[2] else set[str]()
    return best[1], best[2], tokens(" ".join(differ))
