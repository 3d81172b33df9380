"""Excerpts: the lines or sentences of a text that tell most, within a number of characters, in their order.

Texts are cut between lines or sentences or, if a single one is too long, between words: never inside a word, a path or a number.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, zip_longest

from mind_skills.detectors import words
from mind_skills.observations.results import rate_error_line
from mind_skills.redaction.lazy_pattern import compile_lazily

OMITTED = "…"
MAX_WORD = 80
"""A word with more characters, as in minified code, may be cut inside."""
MAX_LINES = 60
"""Number of lines at the start and at the end of a text that are examined."""
MIN_ROOM = 24
"""With less room than this, in characters, no further line is begun."""
_BREAK = compile_lazily(r"\n\s*\n|\n(?=\s*(?:[-*#>|]|\d+[.)]))|(?<=[.!?:])\s+(?=\S)|\n")
_SUMMARY = compile_lazily(
    r"(?i)\b\d+ (?:tests? )?(?:passed|failed|passing|failing|errors?|warnings?|skipped)\b"
    r"|\b(?:ok|pass(?:ed)?|fail(?:ed)?|success\w*|complet\w+|finished|done|built)\b"
)
_DULL_CHANGE = compile_lazily(
    r"[-+]\s*(?:import\b|from \S+ import|use [\w:]+;|#include|//|#(?!!)|\*|/\*|[{}()\[\];,]*\s*$)"
)
_NAME = compile_lazily(r"`[^`\n]+`|[\w$]+(?:[._/:-][\w$]+)+|\w*[a-z][A-Z]\w*|[A-Z][A-Z0-9_]{3,}")


def cut_words(text: str, limit: int) -> str:
    """Return the beginning of a text, cut between words if it has more than ``limit`` characters."""
    if len(text) <= limit:
        return text
    end = text.rfind(" ", max(0, limit - MAX_WORD), max(0, limit))
    return text[: end if end > 0 else max(0, limit - 1)].rstrip() + OMITTED


def excerpt_message(text: str, limit: int) -> str:
    """Return a message on one line: all of it, or its first sentence and those that give a cause, a fix or names."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    sentences = [part for raw in _BREAK.split(text) if raw and (part := " ".join(raw.split()))]
    last = len(sentences) - 1
    ratings = [_rate_sentence(sentence, index, last) for index, sentence in enumerate(sentences)]
    chosen = _pick(sentences, sorted(range(len(sentences)), key=lambda index: (-ratings[index], index)), limit)
    parts, previous = list[str](), -1
    for index in sorted(chosen):
        gap = index > previous + 1 and not (parts and parts[-1].endswith(OMITTED))
        parts.append(f"{OMITTED} {chosen[index]}" if gap else chosen[index])
        previous = index
    shown = " ".join(parts)
    return shown if previous == last or shown.endswith(OMITTED) else f"{shown} {OMITTED}"


def _rate_sentence(sentence: str, index: int, last: int) -> float:
    """Rate how much a sentence of a message tells. The first one says what it is about, the last one often what came of it."""
    lowered = sentence.lower()
    rating = 1.5 * min(2, words.count_occurrences(lowered, words.CAUSE))
    rating += 2.0 * words.contains_any(lowered, words.STRONG)
    rating += 0.7 * min(2, words.count_occurrences(lowered, words.REVERSAL))
    rating += 1.0 * words.contains_any(lowered, words.FIX) + 1.0 * words.contains_any(lowered, words.SOLVED)
    rating += 0.5 * words.contains_any(lowered, words.BROKEN) + 0.5 * min(3, len(_NAME.findall(sentence)))
    return rating + 2.5 * (index == 0) + 1.0 * (index == last) - 1.0 * (len(sentence) > 300 or len(sentence) < 12)


def excerpt_failure(text: str, error: str, limit: int) -> list[str]:
    """Return the lines of an output that name the error; without any, its last lines. ``error`` is a line known to name it."""
    lines = _split_lines(text)
    ratings = [rate_error_line(line) for line in lines]
    ranked = [
        index for index in sorted(range(len(lines)), key=lambda index: (-ratings[index], index)) if ratings[index]
    ]
    if error:
        start = " ".join(error.split())[:60]
        known = next((index for index, line in enumerate(lines) if start in line), None)
        if known is None:
            lines.append(" ".join(error.split()))
            known = len(lines) - 1
        ranked = [known, *(index for index in ranked if index != known)]
    return _list(lines, ranked, limit) if ranked else excerpt_end(text, limit)


def excerpt_end(text: str, limit: int) -> list[str]:
    """Return the last lines of an output, first of all those that sum it up."""
    lines = _split_lines(text)
    ranked = sorted(range(len(lines)), key=lambda index: (not _SUMMARY.search(lines[index][:400]), -index))
    return _list(lines, ranked, limit)


def excerpt_change(change: str, limit: int) -> list[str]:
    """Return removed and added lines, alternately; imports, comments and brackets only while there is room."""
    lines = _split_lines(change)
    order = sorted(range(len(lines)), key=lambda index: (_DULL_CHANGE.match(lines[index]) is not None, index))
    added = [index for index in order if lines[index].startswith("+")]
    removed = [index for index in order if not lines[index].startswith("+")]
    pairs = chain.from_iterable(zip_longest(added, removed))
    return _list(lines, [index for index in pairs if index is not None], limit)


def excerpt_command(command: str, limit: int) -> list[str]:
    """Return a command as it ran, line by line; of a long one its first lines."""
    lines = [line.rstrip() for line in command.strip().split("\n") if line.strip()]
    shown: list[str] = []
    room = limit
    for line in lines:
        if len(line) > room:
            if room < MIN_ROOM and shown:
                shown[-1] = f"{shown[-1].removesuffix(OMITTED)} {OMITTED}"
            else:
                shown.append(cut_words(line, room))
            break
        shown.append(line)
        room -= len(line) + 1
    return shown


def _split_lines(text: str) -> list[str]:
    """Return the distinct lines at both ends of a text, with single spaces, without empty ones."""
    lines = list(dict.fromkeys(flat for line in text.split("\n") if (flat := " ".join(line.split()))))
    return lines if len(lines) <= 2 * MAX_LINES else lines[:MAX_LINES] + lines[-MAX_LINES:]


def _pick(lines: list[str], ranked: Iterable[int], limit: int) -> dict[int, str]:
    """Return the best lines that fit, by index. The best one is cut if need be; others only if there is room for much of them."""
    chosen: dict[int, str] = {}
    room = limit
    for index in ranked:
        line = lines[index]
        if len(line) + 1 > room:
            if chosen and room < limit // 3:
                continue
            line = cut_words(line, room)
        chosen[index] = line
        room -= len(line) + 1
        if room < MIN_ROOM:
            break
    return chosen


def _list(lines: list[str], ranked: Iterable[int], limit: int) -> list[str]:
    chosen = _pick(lines, ranked, limit)
    return [chosen[index] for index in sorted(chosen)]
